// SPDX-License-Identifier: Apache-2.0
#include "termination/parse/lifecycle_action.h"

#include <fmt/format.h>

#include <array>

#include "base/text.h"

namespace ferryman::termination::parse {

namespace {

// Auto Scaling's own limit for names. A claim must fit into an annotation, so longer ones go no further.
constexpr std::size_t longest_name = 255;
constexpr std::size_t longest_shown = 64;

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
                             Field{"LifecycleTransition", action.transition, false}};
  for (const Field& field : fields) {
    auto name = name_at(detail, field.name, field.required);
    if (!name) return std::move(name).error();
    field.into = std::move(*name);
  }
  return action;
}

}  // namespace

Result<std::vector<Event>> parse_terminate_action(const Envelope& envelope) {
  const std::string_view id = string_at(envelope.detail, "EC2InstanceId");
  const auto instance_id = parse_instance_id(id);
  if (!instance_id) {
    return Error(Fault::invalid,
                 fmt::format("detail.EC2InstanceId is no instance id: \"{}\"", shortened(id, longest_shown)));
  }
  auto action = read_action(envelope.detail);
  if (!action) return std::move(action).error();
  action->instance_id = *instance_id;

  Event event;
  event.kind = EventKind::asg_terminate;
  event.instance_id = *instance_id;
  event.event_id = envelope.id;
  event.event_time = envelope.time;
  event.action = std::move(*action);
  if (event.key().empty()) {
    return Error(Fault::invalid,
                 "neither detail.LifecycleActionToken nor id: it could not be told from others");
  }
  return std::vector<Event>{std::move(event)};
}

}  // namespace ferryman::termination::parse
