// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/event_bodies.h"

#include <fmt/chrono.h>
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
  json::value resources;
  json::object detail;
  std::string region = {};  // empty: the one of the settings
};

std::string event(const Subject& subject, const EventStamp& stamp, const AwsSettings& settings) {
  const json::value body{{"version", "0"},
                         {"id", stamp.id},
                         {"detail-type", subject.detail_type},
                         {"source", subject.source},
                         {"account", settings.account},
                         {"time", format_rfc3339(stamp.time)},
                         {"region", subject.region.empty() ? settings.region : subject.region},
                         {"resources", subject.resources},
                         {"detail", subject.detail}};
  return json::serialize(body);
}

/// As spot and rebalance events have it: with the zone in the region's place, and no account.
std::string zonal_arn(const Ec2Instance& instance) {
  return fmt::format("arn:aws:ec2:{}:instance/{}", instance.zone, instance.id.str());
}

/// "Sun, 1 Mar 2026 13:00:00 GMT", as Health writes its times.
std::string http_date(WallTime time) {
  const auto whole = std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch());
  const std::tm parts = fmt::gmtime(static_cast<std::time_t>(whole.count()));
  return fmt::format("{:%a}, {} {:%b %Y %H:%M:%S} GMT", parts, parts.tm_mday, parts);
}

bool is_terminating(const LifecycleNotice& notice) {
  return notice.transition == "autoscaling:EC2_INSTANCE_TERMINATING";
}

void add_ends(json::object& body, const LifecycleNotice& notice) {
  body["Origin"] = notice.origin;
  body["Destination"] = notice.destination;
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
  return event({kind, "aws.autoscaling", json::array{notice.group_arn}, std::move(detail)}, stamp, settings);
}

std::string state_change_event(const InstanceId& id, std::string_view state, const EventStamp& stamp,
                               const AwsSettings& settings) {
  const std::string arn =
      fmt::format("arn:aws:ec2:{}:{}:instance/{}", settings.region, settings.account, id.str());
  return event({"EC2 Instance State-change Notification",
                "aws.ec2",
                json::array{arn},
                {{"instance-id", id.str()}, {"state", state}}},
               stamp, settings);
}

std::string spot_interruption_event(const Ec2Instance& instance, std::string_view action,
                                    const EventStamp& stamp, const AwsSettings& settings) {
  return event({"EC2 Spot Instance Interruption Warning",
                "aws.ec2",
                json::array{zonal_arn(instance)},
                {{"instance-id", instance.id.str()}, {"instance-action", action}}},
               stamp, settings);
}

std::string rebalance_event(const Ec2Instance& instance, const EventStamp& stamp,
                            const AwsSettings& settings) {
  return event({"EC2 Instance Rebalance Recommendation",
                "aws.ec2",
                json::array{zonal_arn(instance)},
                {{"instance-id", instance.id.str()}}},
               stamp, settings);
}

// `resources` is one string here, where every other event has a list.
std::string capacity_interruption_event(const Ec2Instance& instance, WallTime ends, const EventStamp& stamp,
                                        const AwsSettings& settings) {
  const std::string arn =
      fmt::format("arn:aws:ec2:{}:{}:instance/{}", settings.region, settings.account, instance.id.str());
  return event({"EC2 Capacity Reservation Instance Interruption Warning",
                "aws.ec2",
                json::value(arn),
                {{"instance-id", instance.id.str()},
                 {"instance-action", "terminate"},
                 {"instance-termination-time", format_rfc3339(ends)},
                 {"azId", "usw2-az1"}}},
               stamp, settings);
}

std::string health_event(const HealthNotice& notice, const EventStamp& stamp, const AwsSettings& settings) {
  const std::string updated = http_date(stamp.time);
  json::array resources;
  json::array entities;
  for (const std::string& entity : notice.entities) {
    resources.emplace_back(entity);
    entities.push_back(
        json::object{{"entityValue", entity}, {"lastUpdatedTime", updated}, {"status", "PENDING"}});
  }
  json::object detail{{"eventArn", notice.event_arn},
                      {"service", "EC2"},
                      {"eventTypeCode", notice.code},
                      {"eventTypeCategory", "scheduledChange"},
                      {"eventScopeCode", "ACCOUNT_SPECIFIC"},
                      {"communicationId", stamp.id + "-1"},
                      {"startTime", http_date(notice.start)},
                      {"endTime", notice.end ? http_date(*notice.end) : std::string()},
                      {"lastUpdatedTime", updated},
                      {"statusCode", notice.status},
                      {"eventRegion", settings.region},
                      {"eventDescription",
                       json::array{json::object{{"language", "en_US"}, {"latestDescription", notice.code}}}},
                      {"affectedEntities", std::move(entities)},
                      {"affectedAccount", settings.account},
                      {"page", "1"},
                      {"totalPages", "1"}};
  if (!notice.copy_region.empty()) detail["backupEvent"] = "true";
  return event(
      {"AWS Health Event", "aws.health", std::move(resources), std::move(detail), notice.copy_region}, stamp,
      settings);
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
