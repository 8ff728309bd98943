// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/queues.h"

namespace ferryman::sandbox {

Queue& Queues::create(const std::string& name) {
  auto& queue = queues_[name];
  if (queue == nullptr) queue = std::make_unique<Queue>(name, *this, timeline_, random_, journal_);
  return *queue;
}

Queue* Queues::find(std::string_view name) {
  const auto found = queues_.find(name);
  return found == queues_.end() ? nullptr : found->second.get();
}

void Queues::remove(const std::string& name) {
  const auto found = queues_.find(name);
  if (found == queues_.end()) return;
  found->second->purge();
  graveyard_.emplace_back(timeline_.clock().now(), std::move(found->second));
  queues_.erase(found);
}

std::optional<SteadyTime> Queues::removed(const std::string& name) const {
  std::optional<SteadyTime> last;
  for (const auto& [when, queue] : graveyard_) {
    if (queue->name() == name) last = when;
  }
  return last;
}

std::string Queues::arn_of(const std::string& name) const {
  return "arn:aws:sqs:" + settings_.region + ":" + settings_.account + ":" + name;
}

}  // namespace ferryman::sandbox
