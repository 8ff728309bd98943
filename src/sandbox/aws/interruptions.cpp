// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/interruptions.h"

#include <fmt/format.h>

namespace ferryman::sandbox {

const Ec2Instance* Interruptions::present(const InstanceId& id) const {
  const Ec2Instance* instance = instances_.find(id);
  const bool here = instance != nullptr && instance->state < InstanceState::shutting_down;
  return here ? instance : nullptr;
}

void Interruptions::announced(const InstanceId& id, const char* by, const std::string& action) {
  journal_.fact("instance.end_announced", id.str(), {{"by", by}, {"action", action}});
}

void Interruptions::take(const InstanceId& id, const std::string& action) {
  if (action == "terminate") {
    instances_.shut_down(id);
  } else {
    instances_.stop(id);
  }
}

bool Interruptions::spot(const InstanceId& id, const std::string& action) {
  const Ec2Instance* instance = present(id);
  if (instance == nullptr) return false;
  announced(id, "spot-interruption", action);
  events_.announce(
      [&](const EventStamp& stamp) { return spot_interruption_event(*instance, action, stamp, settings_); });
  // Hibernation begins with the notice: there is no warning time.
  // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/spot-instance-termination-notices.html
  const Duration left = action == "hibernate" ? Duration{0} : settings_.notice;
  timeline_.after(left, [this, id, action] { take(id, action); });
  return true;
}

bool Interruptions::rebalance(const InstanceId& id) {
  const Ec2Instance* instance = present(id);
  if (instance == nullptr) return false;
  announced(id, "rebalance-recommendation", "none");
  events_.announce([&](const EventStamp& stamp) { return rebalance_event(*instance, stamp, settings_); });
  return true;
}

bool Interruptions::capacity(const InstanceId& id) {
  const Ec2Instance* instance = present(id);
  if (instance == nullptr) return false;
  announced(id, "capacity-reservation-interruption", "terminate");
  const WallTime ends = timeline_.clock().wall() + settings_.notice;
  events_.announce([&](const EventStamp& stamp) {
    return capacity_interruption_event(*instance, ends, stamp, settings_);
  });
  timeline_.after(settings_.notice, [this, id] { take(id, "terminate"); });
  return true;
}

std::string Interruptions::health(HealthNotice notice) {
  if (notice.event_arn.empty()) {
    notice.event_arn = fmt::format("arn:aws:health:{0}::event/EC2/{1}/{1}_{2:017}", settings_.region,
                                   notice.code, random_.below(100'000'000'000'000'000));
  }
  for (const std::string& entity : notice.entities) {
    if (present(InstanceId(entity)) != nullptr)
      announced(InstanceId(entity), "scheduled-change", notice.code);
  }
  events_.announce([&](const EventStamp& stamp) { return health_event(notice, stamp, settings_); });
  return notice.event_arn;
}

}  // namespace ferryman::sandbox
