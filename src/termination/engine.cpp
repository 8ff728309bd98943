// SPDX-License-Identifier: Apache-2.0
#include "termination/engine.h"

#include <array>

namespace ferryman::termination {

Engine::Engine(Clock& clock, Random& random, Log log, Policy policy, Ports ports)
    : policy_(std::move(policy)),
      context_(clock, random, log, policy_, metrics_),
      intake_scope_(clock, log),
      loops_(clock, log),
      work_(clock, log),
      calls_(clock, log),
      catalog_(context_, ports.cloud),
      heartbeats_(context_, ports.cloud, catalog_, calls_),
      held_(context_, ports.queue, calls_),
      crew_(context_, ports, catalog_, heartbeats_, held_, calls_),
      registry_(crew_, work_),
      intake_(crew_, registry_),
      reconciler_(crew_, registry_) {}

void Engine::start() {
  loops_.spawn("heartbeats", heartbeats_.run());
  loops_.spawn("held messages", held_.run());
  loops_.spawn("reconciler", reconciler_.run());
  for (int i = 0; i < policy_.receives_at_once; ++i) intake_scope_.spawn("intake", intake_.poll(i));
}

Task<void> Engine::stop(Deadline deadline) {
  constexpr Duration short_wait = std::chrono::milliseconds{100};
  constexpr Duration for_the_end = std::chrono::seconds{4};
  const Deadline durable_by(deadline.at() - for_the_end);
  intake_scope_.cancel();
  while (!registry_.all_durable() && !durable_by.passed(context_.clock))
    co_await context_.clock.sleep_for(short_wait);

  work_.cancel();
  loops_.cancel();
  co_await work_.join(deadline);
  registry_.abandon_all();
  co_await held_.release_all(deadline);
  co_await calls_.join(deadline.at_most(context_.clock, for_the_end / 2));
  calls_.cancel();
  const std::array<Scope*, 4> scopes = {&intake_scope_, &loops_, &work_, &calls_};
  for (Scope* scope : scopes) co_await scope->join(deadline);
  context_.log.info("engine.stopped");
}

const Metrics& Engine::metrics() {
  std::array<int, phases> counts{};
  for (const TerminationStatus& status : registry_.status())
    ++counts.at(static_cast<std::size_t>(status.phase));
  for (std::size_t i = 0; i < phases; ++i) metrics_.in_phase[static_cast<Phase>(i)].set(counts.at(i));
  return metrics_;
}

std::uint64_t Engine::failures() const {
  return intake_scope_.failures() + loops_.failures() + work_.failures() + calls_.failures();
}

}  // namespace ferryman::termination
