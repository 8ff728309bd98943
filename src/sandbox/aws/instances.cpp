// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/instances.h"

#include <fmt/format.h>

#include <algorithm>

#include "sandbox/aws/fresh_ids.h"

namespace ferryman::sandbox {

namespace {

/// "key=value,key=value".
std::string tags_text(const std::map<std::string, std::string>& tags) {
  std::string text;
  for (const auto& [key, value] : tags) text += (text.empty() ? "" : ",") + key + "=" + value;
  return text;
}

}  // namespace

std::string_view name_of(InstanceState state) {
  switch (state) {
    case InstanceState::pending:
      return "pending";
    case InstanceState::running:
      return "running";
    case InstanceState::stopping:
      return "stopping";
    case InstanceState::stopped:
      return "stopped";
    case InstanceState::shutting_down:
      return "shutting-down";
    case InstanceState::terminated:
      return "terminated";
  }
  return "";
}

int code_of(InstanceState state) {
  switch (state) {
    case InstanceState::pending:
      return 0;
    case InstanceState::running:
      return 16;
    case InstanceState::stopping:
      return 64;
    case InstanceState::stopped:
      return 80;
    case InstanceState::shutting_down:
      return 32;
    case InstanceState::terminated:
      return 48;
  }
  return 0;
}

InstanceId Instances::launch(const LaunchSpec& spec) {
  const std::uint32_t n = launched_++;
  const std::uint32_t host = n + 4;  // AWS keeps the first four addresses of a subnet
  Ec2Instance instance;
  instance.id = spec.id.empty() ? fresh_instance_id(random_) : spec.id;
  instance.zone = spec.zone.empty() ? settings_.region + static_cast<char>('a' + n % 3) : spec.zone;
  instance.private_ip = fmt::format("10.{}.{}.{}", host >> 16U, host >> 8U & 255U, host & 255U);
  std::string dashed = instance.private_ip;
  std::replace(dashed.begin(), dashed.end(), '.', '-');
  // us-east-1 alone has names without its region.
  const std::string suffix = settings_.region == "us-east-1" ? "ec2" : settings_.region + ".compute";
  instance.private_dns_name = fmt::format("ip-{}.{}.internal", dashed, suffix);
  instance.launched = timeline_.clock().wall();
  instance.tags = spec.tags;
  const InstanceId id = instance.id;
  instances_.insert_or_assign(id, std::move(instance));
  enter(id, InstanceState::pending);
  if (spec.running) {
    enter(id, InstanceState::running);
  } else {
    boot(id);
  }
  return id;
}

bool Instances::is(const InstanceId& id, InstanceState state) const {
  const Ec2Instance* instance = find(id);
  return instance != nullptr && instance->state == state;
}

void Instances::boot(const InstanceId& id) {
  timeline_.after(settings_.boot, [this, id] {
    if (is(id, InstanceState::pending)) enter(id, InstanceState::running);
  });
}

bool Instances::stop(const InstanceId& id) {
  if (!is(id, InstanceState::running) && !is(id, InstanceState::pending)) return false;
  enter(id, InstanceState::stopping);
  timeline_.after(settings_.shutdown, [this, id] {
    if (is(id, InstanceState::stopping)) enter(id, InstanceState::stopped);
  });
  return true;
}

bool Instances::start(const InstanceId& id) {
  if (!is(id, InstanceState::stopped)) return false;
  Ec2Instance& instance = instances_.at(id);
  ++instance.starts;
  instance.launched = timeline_.clock().wall();
  enter(id, InstanceState::pending);
  boot(id);
  return true;
}

bool Instances::reboot(const InstanceId& id) {
  if (!is(id, InstanceState::running)) return false;
  Ec2Instance& instance = instances_.at(id);
  ++instance.starts;
  journal_.fact("instance.rebooted", id.str(), {{"node", instance.private_dns_name}});
  for (InstanceObserver* observer : observers_) observer->instance_rebooted(instance);
  return true;
}

bool Instances::shut_down(const InstanceId& id) {
  const Ec2Instance* instance = find(id);
  if (instance == nullptr || instance->state >= InstanceState::shutting_down) return false;
  enter(id, InstanceState::shutting_down);
  timeline_.after(settings_.shutdown, [this, id] {
    enter(id, InstanceState::terminated);
    timeline_.after(settings_.remembered, [this, id] { instances_.erase(id); });
  });
  return true;
}

const Ec2Instance* Instances::find(const InstanceId& id) const {
  const auto found = instances_.find(id);
  return found == instances_.end() ? nullptr : &found->second;
}

void Instances::enter(const InstanceId& id, InstanceState state) {
  Ec2Instance& instance = instances_.at(id);
  instance.state = state;
  const bool launched = state == InstanceState::pending && instance.starts == 1;
  std::map<std::string, std::string> details{{"node", instance.private_dns_name}};
  if (launched) details["tags"] = tags_text(instance.tags);
  journal_.fact(fmt::format("instance.{}", launched ? "launched" : name_of(state)), id.str(),
                std::move(details));
  if (state == InstanceState::terminated) {
    // EC2 gives a terminated instance's addresses back; its description names none.
    instance.private_ip.clear();
    instance.private_dns_name.clear();
  }
  tell(instance);
}

void Instances::tell(const Ec2Instance& instance) {
  for (InstanceObserver* observer : observers_) {
    observer->instance_changed(instance);
    switch (instance.state) {
      case InstanceState::pending:
        if (instance.starts == 1) observer->instance_launched(instance);
        break;
      case InstanceState::running:
        observer->instance_running(instance);
        break;
      case InstanceState::stopping:
        observer->instance_stopping(instance);
        break;
      case InstanceState::stopped:
        observer->instance_stopped(instance);
        break;
      case InstanceState::shutting_down:
        observer->instance_shutting_down(instance);
        break;
      case InstanceState::terminated:
        observer->instance_terminated(instance);
        break;
    }
  }
}

}  // namespace ferryman::sandbox
