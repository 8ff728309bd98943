// SPDX-License-Identifier: Apache-2.0
// The bodies of the messages that AWS sends about instances: EventBridge's events, and Auto Scaling's own
// notifications, which have no envelope. Compact, in the member order that AWS uses.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/time.h"
#include "sandbox/aws/aws_settings.h"
#include "sandbox/aws/instances.h"

namespace ferryman::sandbox {

/// One lifecycle action of a group, as its notifications tell it.
class LifecycleNotice {
 public:
  LifecycleNotice() = default;

  std::string group;
  std::string group_arn;
  std::string hook;
  std::string token;
  std::string transition;  // "autoscaling:EC2_INSTANCE_TERMINATING"
  std::string origin =
      "AutoScalingGroup";           // where the instance comes from: "EC2", "AutoScalingGroup", "WarmPool"
  std::string destination = "EC2";  // and where it goes
  std::string metadata;             // left out when empty
  InstanceId instance_id;
  std::string target_arn;  // the hook's own target; empty: EventBridge alone hears of it
};

/// What an event says of itself.
class EventStamp {
 public:
  EventStamp() = default;
  EventStamp(std::string id_in, WallTime time_in) : id(std::move(id_in)), time(time_in) {}

  std::string id;
  WallTime time;
};

/// EventBridge: "EC2 Instance-terminate Lifecycle Action" and its launch sibling.
std::string lifecycle_event(const LifecycleNotice& notice, const EventStamp& stamp,
                            const AwsSettings& settings);

/// EventBridge: "EC2 Instance State-change Notification"; `state` in EC2's words.
std::string state_change_event(const InstanceId& id, std::string_view state, const EventStamp& stamp,
                               const AwsSettings& settings);

/// "EC2 Spot Instance Interruption Warning"; `action`: "terminate", "stop" or "hibernate".
std::string spot_interruption_event(const Ec2Instance& instance, std::string_view action,
                                    const EventStamp& stamp, const AwsSettings& settings);

/// "EC2 Instance Rebalance Recommendation".
std::string rebalance_event(const Ec2Instance& instance, const EventStamp& stamp,
                            const AwsSettings& settings);

/// "EC2 Capacity Reservation Instance Interruption Warning": taken away at `ends`.
std::string capacity_interruption_event(const Ec2Instance& instance, WallTime ends, const EventStamp& stamp,
                                        const AwsSettings& settings);

/// What AWS Health says of a change that AWS plans for instances.
class HealthNotice {
 public:
  HealthNotice() = default;

  std::vector<std::string> entities;  // instance ids, or what else the event affects
  std::string code = "AWS_EC2_INSTANCE_RETIREMENT_SCHEDULED";
  std::string event_arn;  // the same for all notices of one plan
  WallTime start;
  std::optional<WallTime> end;      // empty: Health leaves the text empty
  std::string status = "upcoming";  // "open", "closed"
  std::string copy_region;          // the backup region that gets a copy; empty: this is no copy
};

/// "AWS Health Event" of the category scheduledChange.
std::string health_event(const HealthNotice& notice, const EventStamp& stamp, const AwsSettings& settings);

/// What Auto Scaling sends to a hook's own target.
std::string direct_notification(const LifecycleNotice& notice, const EventStamp& stamp,
                                const AwsSettings& settings);

/// What it sends there once, when the hook is made.
std::string test_notification(const LifecycleNotice& notice, const EventStamp& stamp,
                              const AwsSettings& settings);

}  // namespace ferryman::sandbox
