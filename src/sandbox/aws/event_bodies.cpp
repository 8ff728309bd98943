// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/event_bodies.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include "base/json.h"

namespace ferryman::sandbox {

namespace {

/// What an event is about: all but its envelope's constants.
class Subject {
 public:
  std::string_view detail_type;
  std::string_view source;
  std::string resource;
  json::object detail;
};

std::string event(const Subject& subject, const EventStamp& stamp, const AwsSettings& settings) {
  const json::value body{{"version", "0"},
                         {"id", stamp.id},
                         {"detail-type", subject.detail_type},
                         {"source", subject.source},
                         {"account", settings.account},
                         {"time", format_rfc3339(stamp.time)},
                         {"region", settings.region},
                         {"resources", json::array{subject.resource}},
                         {"detail", subject.detail}};
  return json::serialize(body);
}

bool is_terminating(const LifecycleNotice& notice) {
  return notice.transition == "autoscaling:EC2_INSTANCE_TERMINATING";
}

void add_ends(json::object& body, const LifecycleNotice& notice) {
  body["Origin"] = is_terminating(notice) ? "AutoScalingGroup" : "EC2";
  body["Destination"] = is_terminating(notice) ? "EC2" : "AutoScalingGroup";
}

json::object notification(const LifecycleNotice& notice, const EventStamp& stamp,
                          const AwsSettings& settings) {
  return {{"AccountId", settings.account},
          {"RequestId", stamp.id},
          {"AutoScalingGroupARN", notice.group_arn},
          {"AutoScalingGroupName", notice.group},
          {"Service", "AWS Auto Scaling"}};
}

}  // namespace

std::string lifecycle_event(const LifecycleNotice& notice, const EventStamp& stamp,
                            const AwsSettings& settings) {
  json::object detail{{"LifecycleActionToken", notice.token},
                      {"AutoScalingGroupName", notice.group},
                      {"LifecycleHookName", notice.hook},
                      {"EC2InstanceId", notice.instance_id.str()},
                      {"LifecycleTransition", notice.transition}};
  if (!notice.metadata.empty()) detail["NotificationMetadata"] = notice.metadata;
  add_ends(detail, notice);
  const std::string_view kind = is_terminating(notice) ? "EC2 Instance-terminate Lifecycle Action"
                                                       : "EC2 Instance-launch Lifecycle Action";
  return event({kind, "aws.autoscaling", notice.group_arn, std::move(detail)}, stamp, settings);
}

std::string state_change_event(const InstanceId& id, std::string_view state, const EventStamp& stamp,
                               const AwsSettings& settings) {
  const std::string arn =
      fmt::format("arn:aws:ec2:{}:{}:instance/{}", settings.region, settings.account, id.str());
  return event({"EC2 Instance State-change Notification",
                "aws.ec2",
                arn,
                {{"instance-id", id.str()}, {"state", state}}},
               stamp, settings);
}

std::string direct_notification(const LifecycleNotice& notice, const EventStamp& stamp,
                                const AwsSettings& settings) {
  json::object body = notification(notice, stamp, settings);
  body["LifecycleHookName"] = notice.hook;
  body["LifecycleTransition"] = notice.transition;
  body["LifecycleActionToken"] = notice.token;
  body["EC2InstanceId"] = notice.instance_id.str();
  if (!notice.metadata.empty()) body["NotificationMetadata"] = notice.metadata;
  body["Time"] = format_rfc3339_millis(stamp.time);
  add_ends(body, notice);
  return json::serialize(body);
}

std::string test_notification(const LifecycleNotice& notice, const EventStamp& stamp,
                              const AwsSettings& settings) {
  json::object body = notification(notice, stamp, settings);
  body["Event"] = "autoscaling:TEST_NOTIFICATION";
  body["Time"] = format_rfc3339_millis(stamp.time);
  return json::serialize(body);
}

}  // namespace ferryman::sandbox
