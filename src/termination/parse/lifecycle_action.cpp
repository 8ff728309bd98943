// SPDX-License-Identifier: Apache-2.0
#include "termination/parse/lifecycle_action.h"

#include <fmt/format.h>

#include <array>

#include "termination/parse/instance_event.h"

namespace ferryman::termination::parse {

namespace {

// Auto Scaling's own limit for names. A claim must fit into an annotation, so longer ones go no further.
constexpr std::size_t longest_name = 255;

/// Errors: invalid. A field that is no string counts as missing.
Result<std::string> name_at(const json::value& detail, std::string_view field, bool required) {
  const std::string_view name = string_at(detail, field);
  if (name.empty() && required) return Error(Fault::invalid, fmt::format("detail.{} is missing", field));
  if (name.size() > longest_name) {
    return Error(Fault::invalid,
                 fmt::format("detail.{} has {} bytes, more than {}", field, name.size(), longest_name));
  }
  return std::string(name);
}

Result<LifecycleAction> read_action(const json::value& detail) {
  LifecycleAction action;
  struct Field {
    std::string_view name;
    std::string& into;
    bool required;
  };
  const std::array fields = {Field{"AutoScalingGroupName", action.group, true},
                             Field{"LifecycleHookName", action.hook, true},
                             Field{"LifecycleActionToken", action.token, false},
                             Field{"LifecycleTransition", action.transition, false},
                             Field{"Origin", action.origin, false},
                             Field{"Destination", action.destination, false}};
  for (const Field& field : fields) {
    auto name = name_at(detail, field.name, field.required);
    if (!name) return std::move(name).error();
    field.into = std::move(*name);
  }
  return action;
}

}  // namespace

Result<Reading> read_lifecycle_action(const Envelope& envelope) {
  const EventKind kind =
      envelope.detail_type == launch_detail_type ? EventKind::asg_launch : EventKind::asg_terminate;
  auto event = instance_event(envelope, kind, "EC2InstanceId");
  if (!event) return std::move(event).error();
  auto action = read_action(envelope.detail);
  if (!action) return std::move(action).error();
  action->instance_id = event->instance_id;
  event->action = std::move(*action);
  event = if_told_apart(std::move(*event));
  if (!event) return std::move(event).error();
  return Reading({std::move(*event)});
}

}  // namespace ferryman::termination::parse
