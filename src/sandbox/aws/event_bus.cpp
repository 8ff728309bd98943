// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/event_bus.h"

#include <map>

#include "sandbox/aws/fresh_ids.h"

namespace ferryman::sandbox {

void EventBus::add_rule(std::string queue) {
  EventRule rule;
  rule.queue = std::move(queue);
  rules_.push_back(std::move(rule));
}

EventStamp EventBus::stamp() {
  return EventStamp(fresh_uuid(random_), clock_.wall());
}

Queue* EventBus::target_of(const LifecycleNotice& notice) {
  if (notice.target_arn.find(":sqs:") == std::string::npos) return nullptr;
  return queues_.find(notice.target_arn.substr(notice.target_arn.rfind(':') + 1));
}

void EventBus::publish(const LifecycleNotice& notice) {
  if (to_lose_ > 0) {
    --to_lose_;
    return;
  }
  const std::map<std::string, std::string> about{{"instance", notice.instance_id.str()},
                                                 {"group", notice.group},
                                                 {"hook", notice.hook},
                                                 {"token", notice.token}};
  const std::string body = lifecycle_event(notice, stamp(), settings_);
  for (const EventRule& rule : rules_) {
    Queue* queue = rule.lifecycle_actions ? queues_.find(rule.queue) : nullptr;
    if (queue != nullptr) queue->send(body, about);
  }
  Queue* target = target_of(notice);
  if (target != nullptr) target->send(direct_notification(notice, stamp(), settings_), about);
}

bool EventBus::test(const LifecycleNotice& notice) {
  Queue* target = target_of(notice);
  if (target == nullptr) return false;
  target->send(test_notification(notice, stamp(), settings_));
  return true;
}

void EventBus::announce(const std::function<std::string(const EventStamp&)>& make) {
  const std::string body = make(stamp());
  for (const EventRule& rule : rules_) {
    Queue* queue = rule.interruptions ? queues_.find(rule.queue) : nullptr;
    if (queue != nullptr) queue->send(body);
  }
}

void EventBus::instance_changed(const Ec2Instance& instance) {
  for (const EventRule& rule : rules_) {
    Queue* queue = rule.state_changes ? queues_.find(rule.queue) : nullptr;
    if (queue == nullptr) continue;
    queue->send(state_change_event(instance.id, name_of(instance.state), stamp(), settings_),
                {{"instance", instance.id.str()}});
  }
}

}  // namespace ferryman::sandbox
