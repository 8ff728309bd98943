// SPDX-License-Identifier: Apache-2.0
// EventBus: EventBridge as far as the sandbox needs it: each rule sends every event to one queue.
// Other kinds of events (spot, rebalance, state change, scheduled change) come here.
#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "sandbox/aws/aws_settings.h"
#include "sandbox/aws/queues.h"

namespace ferryman::sandbox {

/// One lifecycle action of a group, as its notification tells it.
class LifecycleNotice {
 public:
  LifecycleNotice() = default;

  std::string group;
  std::string group_arn;
  std::string hook;
  std::string token;
  std::string transition;  // "autoscaling:EC2_INSTANCE_TERMINATING"
  std::string metadata;    // left out of the event when empty
  InstanceId instance_id;
};

class EventBus {
 public:
  EventBus(Queues& queues, const Clock& clock, Random& random, const AwsSettings& settings)
      : queues_(queues), clock_(clock), random_(random), settings_(settings) {}

  /// Events go to this queue from now on; AWS delivers each at least once, in no order, best effort.
  void add_rule(std::string queue) { rules_.push_back(std::move(queue)); }

  void publish(const LifecycleNotice& notice);

 private:
  Queues& queues_;
  const Clock& clock_;
  Random& random_;
  const AwsSettings& settings_;
  std::vector<std::string> rules_;
};

/// The body of the queue message, compact, in the member order that EventBridge uses.
std::string lifecycle_event(const LifecycleNotice& notice, const std::string& id, WallTime time,
                            const AwsSettings& settings);

}  // namespace ferryman::sandbox
