// SPDX-License-Identifier: Apache-2.0
// An API server's events as the EventWriter port shows them: kept by namespace and name, with faults on
// order.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "termination/ports/event_writer.h"

namespace ferryman::test {

class FakeEventWriter final : public termination::EventWriter {
 public:
  explicit FakeEventWriter(Clock& clock) : clock_(clock) {}

  Task<Result<void>> create(termination::ClusterEvent event, Deadline deadline) override {
    ++creates;
    return answer("create", std::move(event), deadline);
  }
  Task<Result<void>> repeat(termination::ClusterEvent event, Deadline deadline) override {
    ++repeats;
    return answer("patch", std::move(event), deadline);
  }

  /// Those that are about this object, in the order of their names.
  [[nodiscard]] std::vector<termination::ClusterEvent> about(const std::string& name) const {
    std::vector<termination::ClusterEvent> found;
    for (const auto& [key, event] : events) {
      if (event.about.name == name) found.push_back(event);
    }
    return found;
  }
  void forget_all() { events.clear(); }

  std::map<std::string, termination::ClusterEvent> events;  // by name
  std::size_t creates = 0;                                  // calls
  std::size_t repeats = 0;
  bool hangs = false;
  /// What is answered instead; by the call's verb and the event.
  std::function<std::optional<Error>(const std::string&, const termination::ClusterEvent&)> fault;

 private:
  Task<Result<void>> answer(std::string verb, termination::ClusterEvent event, Deadline deadline) {
    constexpr Duration latency = std::chrono::milliseconds{5};
    const SteadyTime answered = hangs ? deadline.at() : clock_.now() + latency;
    co_await clock_.sleep_until(answered);
    if (hangs) co_return Error(Fault::deadline, "no answer");
    if (fault) {
      if (auto error = fault(verb, event)) co_return std::move(*error);
    }
    if (verb == "patch" && !events.contains(event.name)) co_return Error(Fault::not_found, "no such event");
    events.insert_or_assign(event.name, event);
    co_return Result<void>();
  }

  Clock& clock_;
};

}  // namespace ferryman::test
