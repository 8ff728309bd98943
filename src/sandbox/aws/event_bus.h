// SPDX-License-Identifier: Apache-2.0
// EventBus: how queues hear of instances. EventBridge as far as the sandbox needs it: each rule sends the
// events of its kinds to one queue. And Auto Scaling's own notifications, to the queue that a hook names.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/aws/aws_settings.h"
#include "sandbox/aws/event_bodies.h"
#include "sandbox/aws/instances.h"
#include "sandbox/aws/queues.h"

namespace ferryman::sandbox {

class EventRule {
 public:
  EventRule() = default;

  std::string queue;
  bool lifecycle_actions = true;
  bool state_changes = false;
  bool interruptions = true;  // spot, rebalance, capacity, Health
};

class EventBus final : public InstanceObserver {
 public:
  EventBus(Queues& queues, const Clock& clock, Random& random, const AwsSettings& settings)
      : queues_(queues), clock_(clock), random_(random), settings_(settings) {}

  /// From now on; AWS delivers each event at least once, in no order, best effort.
  void add_rule(EventRule rule) { rules_.push_back(std::move(rule)); }
  /// Lifecycle actions to this queue.
  void add_rule(std::string queue);

  void publish(const LifecycleNotice& notice);
  /// The next lifecycle action is told to nobody.
  void lose_next() { ++to_lose_; }
  /// To the notice's target. False when that is no queue of ours.
  bool test(const LifecycleNotice& notice);

  /// To the rules that take interruptions. `make` writes the body for an event's stamp.
  void announce(const std::function<std::string(const EventStamp&)>& make);

  void instance_changed(const Ec2Instance& instance) override;

 private:
  [[nodiscard]] EventStamp stamp();
  [[nodiscard]] Queue* target_of(const LifecycleNotice& notice);

  Queues& queues_;
  const Clock& clock_;
  Random& random_;
  const AwsSettings& settings_;
  std::vector<EventRule> rules_;
  int to_lose_ = 0;
};

}  // namespace ferryman::sandbox
