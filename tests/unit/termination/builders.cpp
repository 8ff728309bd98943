// SPDX-License-Identifier: Apache-2.0
#include "unit/termination/builders.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <fstream>
#include <iterator>

#include "base/json.h"

namespace ferryman::test {

using termination::Event;
using termination::LifecycleAction;

InstanceId instance(int n) {
  return InstanceId(fmt::format("i-{:017x}", n));
}

std::string node_name(int n) {
  return fmt::format("node-{}", n);
}

Event terminate_event(int n, const std::string& hook) {
  LifecycleAction action;
  action.group = group;
  action.hook = hook;
  action.token = fmt::format("token-{}-{}", n, hook);
  action.transition = "autoscaling:EC2_INSTANCE_TERMINATING";
  action.instance_id = instance(n);
  Event event;
  event.instance_id = instance(n);
  event.event_id = fmt::format("event-{}-{}", n, hook);
  event.event_time = *parse_rfc3339("2026-03-01T12:00:00Z");
  event.action = std::move(action);
  return event;
}

std::string body_of(const Event& event) {
  json::object body{{"version", "0"},
                    {"id", event.event_id},
                    {"detail-type", "EC2 Instance-terminate Lifecycle Action"},
                    {"source", "aws.autoscaling"},
                    {"account", "123456789012"},
                    {"time", format_rfc3339(event.event_time)},
                    {"region", "us-west-2"}};
  body["detail"] = {{"LifecycleActionToken", event.action->token},
                    {"AutoScalingGroupName", event.action->group},
                    {"LifecycleHookName", event.action->hook},
                    {"EC2InstanceId", event.instance_id.str()},
                    {"LifecycleTransition", event.action->transition}};
  return json::serialize(body);
}

termination::Node node_of(int n) {
  termination::Node node;
  node.name = node_name(n);
  node.uid = Uid("uid-" + node.name);
  node.instance_id = instance(n);
  node.ready = true;
  return node;
}

std::string sample(const std::string& name) {
  std::ifstream file(std::string(FERRYMAN_TEST_DATA) + "/events/" + name + ".json", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace ferryman::test
