// SPDX-License-Identifier: Apache-2.0
#include "termination/parse/lifecycle_action.h"

#include <fmt/format.h>

namespace ferryman::termination::parse {

Result<std::vector<Event>> parse_terminate_action(const Envelope& envelope) {
  const json::value& detail = envelope.detail;
  const auto instance_id = parse_instance_id(string_at(detail, "EC2InstanceId"));
  if (!instance_id) {
    return Error(Fault::invalid, fmt::format("detail.EC2InstanceId is no instance id: \"{}\"",
                                             string_at(detail, "EC2InstanceId")));
  }
  LifecycleAction action;
  action.group = string_at(detail, "AutoScalingGroupName");
  action.hook = string_at(detail, "LifecycleHookName");
  action.token = string_at(detail, "LifecycleActionToken");
  action.transition = string_at(detail, "LifecycleTransition");
  action.instance_id = *instance_id;
  if (action.group.empty()) return Error(Fault::invalid, "detail.AutoScalingGroupName is missing");
  if (action.hook.empty()) return Error(Fault::invalid, "detail.LifecycleHookName is missing");

  Event event;
  event.kind = EventKind::asg_terminate;
  event.instance_id = *instance_id;
  event.event_id = envelope.id;
  event.event_time = envelope.time;
  event.action = std::move(action);
  return std::vector<Event>{std::move(event)};
}

}  // namespace ferryman::termination::parse
