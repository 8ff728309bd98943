// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/event_bus.h"

#include <boost/json/serialize.hpp>

#include "base/json.h"
#include "sandbox/aws/fresh_ids.h"

namespace ferryman::sandbox {

std::string lifecycle_event(const LifecycleNotice& notice, const std::string& id, WallTime time,
                            const AwsSettings& settings) {
  const bool terminating = notice.transition == "autoscaling:EC2_INSTANCE_TERMINATING";
  json::object detail{{"LifecycleActionToken", notice.token},
                      {"AutoScalingGroupName", notice.group},
                      {"LifecycleHookName", notice.hook},
                      {"EC2InstanceId", notice.instance_id.str()},
                      {"LifecycleTransition", notice.transition}};
  if (!notice.metadata.empty()) detail["NotificationMetadata"] = notice.metadata;
  detail["Origin"] = terminating ? "AutoScalingGroup" : "EC2";
  detail["Destination"] = terminating ? "EC2" : "AutoScalingGroup";
  const std::string_view kind =
      terminating ? "EC2 Instance-terminate Lifecycle Action" : "EC2 Instance-launch Lifecycle Action";
  const json::value event{{"version", "0"},
                          {"id", id},
                          {"detail-type", kind},
                          {"source", "aws.autoscaling"},
                          {"account", settings.account},
                          {"time", format_rfc3339(time)},
                          {"region", settings.region},
                          {"resources", json::array{notice.group_arn}},
                          {"detail", detail}};
  return json::serialize(event);
}

void EventBus::publish(const LifecycleNotice& notice) {
  const std::string body = lifecycle_event(notice, fresh_uuid(random_), clock_.wall(), settings_);
  for (const std::string& rule : rules_) {
    Queue* queue = queues_.find(rule);
    if (queue == nullptr) continue;
    queue->send(body, {{"instance", notice.instance_id.str()},
                       {"group", notice.group},
                       {"hook", notice.hook},
                       {"token", notice.token}});
  }
}

}  // namespace ferryman::sandbox
