// SPDX-License-Identifier: Apache-2.0
#include "unit/termination/bodies.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include "base/json.h"
#include "unit/termination/builders.h"

namespace ferryman::test {

namespace {

std::string event_body(const std::string& id, const std::string& source, const std::string& type,
                       WallTime time, json::object detail) {
  json::object body{{"version", "0"},
                    {"id", id},
                    {"source", source},
                    {"detail-type", type},
                    {"account", "123456789012"},
                    {"time", format_rfc3339(time)},
                    {"region", "us-west-2"}};
  body["detail"] = std::move(detail);
  return json::serialize(body);
}

}  // namespace

std::string spot_body(int n, WallTime time, const std::string& action) {
  return event_body(fmt::format("spot-{}", n), "aws.ec2", "EC2 Spot Instance Interruption Warning", time,
                    {{"instance-id", instance(n).str()}, {"instance-action", action}});
}

std::string rebalance_body(int n, WallTime time) {
  return event_body(fmt::format("rebalance-{}", n), "aws.ec2", "EC2 Instance Rebalance Recommendation", time,
                    {{"instance-id", instance(n).str()}});
}

std::string state_body(int n, WallTime time, const std::string& state) {
  return event_body(fmt::format("{}-{}", state, n), "aws.ec2", "EC2 Instance State-change Notification", time,
                    {{"instance-id", instance(n).str()}, {"state", state}});
}

std::string launch_body(int n, WallTime time, const std::string& origin) {
  return event_body(fmt::format("launch-{}", n), "aws.autoscaling", "EC2 Instance-launch Lifecycle Action",
                    time,
                    {{"LifecycleActionToken", fmt::format("launch-token-{}", n)},
                     {"AutoScalingGroupName", group},
                     {"LifecycleHookName", "launch-hook"},
                     {"EC2InstanceId", instance(n).str()},
                     {"LifecycleTransition", "autoscaling:EC2_INSTANCE_LAUNCHING"},
                     {"Origin", origin},
                     {"Destination", "AutoScalingGroup"}});
}

std::string health_body(const HealthNotice& notice) {
  json::array entities;
  for (const int n : notice.instances) entities.push_back(json::object{{"entityValue", instance(n).str()}});
  return event_body(fmt::format("health-{}-{}", notice.plan, notice.status), "aws.health", "AWS Health Event",
                    notice.time,
                    {{"eventArn", "arn:aws:health:us-west-2::event/EC2/" + notice.code + "/" + notice.plan},
                     {"service", "EC2"},
                     {"eventTypeCode", notice.code},
                     {"eventTypeCategory", "scheduledChange"},
                     {"startTime", format_rfc3339(notice.starts)},
                     {"endTime", notice.ends ? format_rfc3339(*notice.ends) : ""},
                     {"statusCode", notice.status},
                     {"eventRegion", "us-west-2"},
                     {"affectedEntities", std::move(entities)}});
}

}  // namespace ferryman::test
