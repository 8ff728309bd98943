// SPDX-License-Identifier: Apache-2.0
#include "termination/registry.h"

#include <algorithm>
#include <exception>

namespace ferryman::termination {

namespace {

constexpr std::size_t most_remembered = 10'000;
constexpr std::size_t most_shown = 50;

}  // namespace

std::shared_ptr<Termination> Registry::start(const InstanceId& instance_id) {
  auto termination = std::make_shared<Termination>(crew_, instance_id);
  running_[instance_id] = termination;
  crew_.context.metrics.terminations_started.add();
  work_.spawn("termination " + instance_id.str(), run(termination));
  return termination;
}

void Registry::take(const Event& event, const HeldMessagePtr& message) {
  if (handled_before(event)) {
    crew_.held.settle(message, MessageOutcome::repeated);
    return;
  }
  const auto found = running_.find(event.instance_id);
  if (found != running_.end() && !found->second->accepts_events()) {
    crew_.held.settle(message, MessageOutcome::interrupted);
    return;
  }
  if (found == running_.end()) {
    begin(event, message);
  } else {
    found->second->join(event, message);
  }
}

std::optional<Claim> Registry::claim_on_node(const InstanceId& instance_id) const {
  const Node* node = crew_.ports.cluster.find_node(instance_id);
  if (node == nullptr || node->claim.empty()) return std::nullopt;
  auto claim = decode_claim(node->claim);
  if (!claim || claim->events.front().instance_id != instance_id) return std::nullopt;
  return std::move(*claim);
}

/// An event may come before the reconciler has seen what an earlier run left: what that run took over from
/// messages that are gone by now must not be overwritten.
void Registry::begin(const Event& event, const HeldMessagePtr& message) {
  auto left = claim_on_node(event.instance_id);
  const auto same_event = [&](const Event& known) { return known.key() == event.key(); };
  if (left && left->closed && std::any_of(left->events.begin(), left->events.end(), same_event)) {
    crew_.held.settle(message, MessageOutcome::repeated);
    return;
  }
  const bool open = left && !left->closed && left->deadline > crew_.context.clock.wall();
  if (open && !handled_before(*left)) {
    resume(event.instance_id, std::move(*left));
  } else {
    start(event.instance_id);
  }
  running_.at(event.instance_id)->join(event, message);
  count();
}

void Registry::resume(const InstanceId& instance_id, Claim claim) {
  crew_.context.log.info("termination.resumed", {{"instance", instance_id}, {"events", claim.events.size()}});
  crew_.context.metrics.terminations_resumed.add();
  start(instance_id)->resume(std::move(claim));
  count();
}

bool Registry::handled_before(const Claim& claim) const {
  return std::all_of(claim.events.begin(), claim.events.end(),
                     [&](const Event& event) { return handled_before(event); });
}

Task<void> Registry::run(std::shared_ptr<Termination> termination) {
  TerminationResult result = TerminationResult::failed;
  std::exception_ptr failure;
  try {
    result = co_await termination->run();
  } catch (...) {
    failure = std::current_exception();
  }
  if (failure) {
    const std::string text = failure_text(failure);
    if (text.empty()) std::rethrow_exception(failure);  // a cancellation
    crew_.context.log.error("termination.failed",
                            {{"instance", termination->instance_id()}, {"error", text}});
  }
  finish(*termination, result);
}

void Registry::finish(const Termination& termination, TerminationResult result) {
  crew_.context.metrics.terminations[result].add();
  FinishedTermination over;
  over.status = termination.status();
  over.result = result;
  over.ended = crew_.context.clock.wall();
  recent_.push_front(std::move(over));
  if (recent_.size() > most_shown) recent_.pop_back();

  const auto self = running_.extract(termination.instance_id());
  if (result == TerminationResult::failed) {
    if (!self.empty()) self.mapped()->abandon(MessageOutcome::interrupted);
  } else {
    for (const Event& event : termination.events()) {
      if (!finished_.insert(memory_key(event)).second) continue;
      finished_order_.push_back(memory_key(event));
      if (finished_order_.size() > most_remembered) {
        finished_.erase(finished_order_.front());
        finished_order_.pop_front();
      }
    }
  }
  count();
}

bool Registry::all_durable() const {
  return std::all_of(running_.begin(), running_.end(),
                     [](const auto& entry) { return entry.second->phase() > Phase::cordon; });
}

void Registry::abandon_all() {
  for (const auto& [id, termination] : std::exchange(running_, {}))
    termination->abandon(MessageOutcome::interrupted);
}

void Registry::count() {
  crew_.context.metrics.running.set(static_cast<double>(running_.size()));
}

std::vector<TerminationStatus> Registry::status() const {
  std::vector<TerminationStatus> all;
  all.reserve(running_.size());
  for (const auto& [id, termination] : running_) all.push_back(termination->status());
  return all;
}

}  // namespace ferryman::termination
