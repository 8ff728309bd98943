// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/target_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "sandbox/aws/fresh_ids.h"
#include "sandbox/aws/load_balancers.h"

namespace ferryman::sandbox {

namespace {

Error invalid_target(std::string text) {
  return Error(Fault::invalid, "InvalidTarget", std::move(text));
}

TargetStatus status_of(const TargetGroup& group, const TargetKey& target) {
  const auto found = group.targets.find(target);
  if (found == group.targets.end())
    return {target, "unused", "Target.NotRegistered", "Target is not registered to the target group"};
  if (group.spec.load_balancer.empty()) {
    return {target, "unused", "Target.NotInUse",
            "Target group is not configured to receive traffic from the load balancer"};
  }
  switch (found->second.state) {
    case TargetState::initial:
      return {target, "initial", "Elb.RegistrationInProgress", "Target registration is in progress"};
    case TargetState::healthy:
      return {target, "healthy", "", ""};
    case TargetState::draining:
      break;
  }
  return {target, "draining", "Target.DeregistrationInProgress", "Target deregistration is in progress"};
}

}  // namespace

TargetGroups::TargetGroups(Instances& instances, ContinuedService& continued, Timeline& timeline,
                           Random& random, Journal& journal, const AwsSettings& settings)
    : instances_(instances),
      continued_(continued),
      timeline_(timeline),
      random_(random),
      journal_(journal),
      settings_(settings) {
  instances_.observe(*this);
}

TargetGroup& TargetGroups::create(const TargetGroupSpec& spec) {
  TargetGroup group;
  group.spec = spec;
  group.arn = elb_arn(settings_, fmt::format("targetgroup/{}/{}", spec.name, fresh_hex(random_, 16)));
  const std::string arn = group.arn;
  return groups_.insert_or_assign(arn, std::move(group)).first->second;
}

TargetGroup* TargetGroups::find(const std::string& arn) {
  const auto found = groups_.find(arn);
  return found == groups_.end() ? nullptr : &found->second;
}

void TargetGroups::enroll(TargetGroup& group, const TargetKey& target, bool healthy) {
  const auto [place, fresh] = group.targets.try_emplace(target);
  Registration& registration = place->second;
  // A draining one comes back; one that is registered stays as it is.
  if (!fresh && registration.state != TargetState::draining) return;
  timeline_.cancel(registration.timer);
  registration.state = healthy ? TargetState::healthy : TargetState::initial;
  fact("target.registered", group, target);
  if (healthy) return;
  registration.timer = timeline_.after(settings_.target_registration, [this, arn = group.arn, target] {
    groups_.at(arn).targets.at(target).state = TargetState::healthy;
  });
}

/// Which registration a name means, when it can mean one at all.
Result<TargetKey> TargetGroups::key_of(const TargetGroup& group, const TargetName& name) {
  const TargetKey key{name.id, name.port.value_or(group.spec.port)};
  if (group.targets.contains(key)) return key;
  const bool by_instance = group.spec.target_type == "instance";
  if (by_instance && !parse_instance_id(name.id))
    return Error(Fault::invalid, "ValidationError", "Instance ID '" + name.id + "' is not valid");
  const bool elsewhere = std::any_of(group.targets.begin(), group.targets.end(),
                                     [&](const auto& target) { return target.first.id == name.id; });
  if (elsewhere && !name.port) {
    return invalid_target(
        fmt::format("The target '{}' was registered with another port: specify it", name.id));
  }
  // AWS documents the code for a target that "does not exist" and success for one that is not registered: we
  // take the former for an instance of which EC2 knows nothing (any more).
  if (by_instance && instances_.find(InstanceId(name.id)) == nullptr)
    return invalid_target(fmt::format("The following targets do not exist: '{}'", name.id));
  return key;
}

Result<void> TargetGroups::register_targets(TargetGroup& group, const std::vector<TargetName>& names) {
  std::vector<TargetKey> targets;
  for (const TargetName& name : names) {
    const TargetKey key{name.id, name.port.value_or(group.spec.port)};
    const bool by_instance = group.spec.target_type == "instance";
    if (by_instance && !parse_instance_id(name.id))
      return Error(Fault::invalid, "ValidationError", "Instance ID '" + name.id + "' is not valid");
    const Ec2Instance* instance = instances_.find(InstanceId(name.id));
    if (by_instance && (instance == nullptr || instance->state != InstanceState::running)) {
      return invalid_target(fmt::format(
          "The following targets are not in a running state and cannot be registered: '{}'", name.id));
    }
    targets.push_back(key);
  }
  for (const TargetKey& target : targets) enroll(group, target, false);
  return {};
}

Result<void> TargetGroups::deregister_targets(TargetGroup& group, const std::vector<TargetName>& names) {
  std::vector<TargetKey> targets;
  for (const TargetName& name : names) {
    auto key = key_of(group, name);
    if (!key) return std::move(key).error();
    targets.push_back(std::move(*key));
  }
  for (const TargetKey& target : targets) drain(group, target);
  return {};
}

void TargetGroups::drain(TargetGroup& group, const TargetKey& target) {
  const auto found = group.targets.find(target);
  if (found == group.targets.end() || found->second.state == TargetState::draining) return;
  timeline_.cancel(found->second.timer);
  fact("target.draining", group, target);
  // One that was never healthy got no requests, and gets none now.
  const bool served = found->second.state == TargetState::healthy && !group.spec.load_balancer.empty();
  if (served) continued_.begin(group.arn, target, type_of_balancer(group.spec.load_balancer));
  const Duration delay = group.spec.deregistration_delay;
  if (delay == Duration{0} || group.spec.load_balancer.empty()) return remove(group, target, "deregistered");
  found->second.state = TargetState::draining;
  found->second.timer = timeline_.after(
      delay, [this, arn = group.arn, target] { remove(groups_.at(arn), target, "deregistered"); });
}

void TargetGroups::destroy(const std::string& arn) {
  TargetGroup& group = groups_.at(arn);
  while (!group.targets.empty()) {
    const TargetKey target = group.targets.begin()->first;
    remove(group, target, "deleted");
  }
  groups_.erase(arn);
}

void TargetGroups::remove(TargetGroup& group, const TargetKey& target, const char* how) {
  timeline_.cancel(group.targets.at(target).timer);
  group.targets.erase(target);
  fact("target.gone", group, target, how);
}

Result<std::vector<TargetStatus>> TargetGroups::health(const TargetGroup& group,
                                                       const std::vector<TargetName>& names) {
  std::vector<TargetStatus> all;
  for (const TargetName& name : names) {
    auto key = key_of(group, name);
    if (!key) return std::move(key).error();
    all.push_back(status_of(group, *key));
  }
  if (!names.empty()) return all;
  for (const auto& [target, registration] : group.targets) all.push_back(status_of(group, target));
  return all;
}

std::vector<TargetKey> TargetGroups::recipients(const TargetGroup& group) const {
  std::vector<TargetKey> all = continued_.of(group.arn);
  if (group.spec.load_balancer.empty()) return all;
  for (const auto& [target, registration] : group.targets) {
    if (registration.state == TargetState::healthy && !continued_.holds(group.arn, target))
      all.push_back(target);
  }
  return all;
}

void TargetGroups::instance_shutting_down(const Ec2Instance& instance) {
  lose(instance.id.str());
}

void TargetGroups::lose(const std::string& id) {
  for (const auto& [arn, group] : groups_) {
    if (group.spec.load_balancer.empty()) continue;
    for (auto at = group.targets.lower_bound({id, 0}); at != group.targets.end() && at->first.id == id;
         ++at) {
      if (at->second.state == TargetState::healthy) continued_.lost(arn, at->first, "it is registered");
    }
  }
  for (const auto& [pool, target] : continued_.still_sent_to(id)) {
    if (groups_.contains(pool)) continued_.lost(pool, target, "continued service");
  }
}

void TargetGroups::instance_terminated(const Ec2Instance& instance) {
  for (auto& [arn, group] : groups_) {
    if (group.spec.target_type != "instance") continue;
    std::vector<TargetKey> its;
    for (auto at = group.targets.lower_bound({instance.id.str(), 0});
         at != group.targets.end() && at->first.id == instance.id.str(); ++at) {
      its.push_back(at->first);
    }
    for (const TargetKey& target : its) remove(group, target, "instance terminated");
  }
  for (const auto& [pool, target] : continued_.still_sent_to(instance.id.str())) {
    if (groups_.contains(pool)) continued_.end(pool, target);
  }
}

void TargetGroups::fact(const char* what, const TargetGroup& group, const TargetKey& target,
                        std::string how) {
  const bool by_instance = group.spec.target_type == "instance";
  std::map<std::string, std::string> details{{by_instance ? "instance" : "ip", target.id},
                                             {"group", group.arn},
                                             {"port", std::to_string(target.port)}};
  if (!how.empty()) details["how"] = std::move(how);
  journal_.fact(what, target.id, std::move(details));
}

}  // namespace ferryman::sandbox
