// SPDX-License-Identifier: Apache-2.0
#include "termination/engine.h"

#include <array>

namespace ferryman::termination {

Engine::Engine(Clock& clock, Random& random, Log log, Policy policy, Ports ports)
    : policy_(std::move(policy)),
      context_(clock, random, log, policy_, metrics_),
      check_(context_, ports.queue, policy_.account, [this] { return catalog_.longest_wait(); }),
      sources_(clock, log),
      loops_(clock, log),
      work_(clock, log),
      calls_(clock, log),
      catalog_(context_, ports.cloud),
      heartbeats_(context_, ports.cloud, catalog_, calls_),
      held_(context_, ports.queue, calls_),
      pool_calls_(ports.balancers),
      rights_(context_),
      membership_(context_, pool_calls_, ports.cluster, rights_, loops_),
      departures_(context_, pool_calls_, rights_, loops_),
      crew_(context_, ports, catalog_, heartbeats_, held_, membership_, departures_, calls_, work_),
      registry_(crew_, work_),
      launches_(crew_, registry_, work_),
      dispatch_(crew_, registry_, launches_),
      status_poll_(context_, ports.cloud, ports.cluster, crew_.pause,
                   [this](const Event& event) { dispatch_.take(event, nullptr); }),
      waiting_hooks_(crew_, registry_, [this](const Event& event) { dispatch_.take(event, nullptr); }),
      ghosts_(context_, ports, crew_.facts, calls_),
      intake_(crew_, dispatch_),
      reconciler_(crew_, registry_) {}

void Engine::start() {
  loops_.spawn_loop("heartbeats", [this] { return heartbeats_.run(); });
  loops_.spawn_loop("load balancer index", [this] { return membership_.run(); });
  loops_.spawn_loop("held messages", [this] { return held_.run(); });
  loops_.spawn_loop("pause switch", [this] { return crew_.pause.run(); });
  sources_.spawn_loop("nodes", [this] { return dispatch_.watch_nodes(); });
  sources_.spawn_loop("status poll", [this] { return status_poll_.run(); });
  sources_.spawn_loop("waiting hooks", [this] { return waiting_hooks_.run(); });
  sources_.spawn_loop("ghosts", [this] { return ghosts_.run(); });
  sources_.spawn_loop("reconciler", [this] { return reconciler_.run(); });
  sources_.spawn_loop("queue check", [this] { return check_.run(); });
  for (int i = 0; i < policy_.receives_at_once; ++i) {
    sources_.spawn_loop("intake", [this, i] { return receive(i); });
  }
}

Task<void> Engine::receive(int poller) {
  co_await check_.passed();
  co_await intake_.poll(poller);
}

Task<void> Engine::stop(Deadline deadline) {
  constexpr Duration short_wait = std::chrono::milliseconds{100};
  constexpr Duration for_the_end = std::chrono::seconds{4};
  const Deadline durable_by(deadline.at() - for_the_end);
  const Deadline released_by(deadline.at() - for_the_end / 4);
  // What a receive brings at the last moment starts work: so this must be over before the rest is cancelled.
  sources_.cancel();
  co_await sources_.join(deadline);
  while (!registry_.all_durable() && !durable_by.passed(context_.clock))
    co_await context_.clock.sleep_for(short_wait);

  work_.cancel();
  loops_.cancel();
  co_await work_.join(deadline);
  registry_.abandon_all();
  launches_.abandon_all();
  held_.release_all(released_by);
  co_await calls_.join(released_by);
  calls_.cancel();
  const std::array<Scope*, 4> scopes = {&sources_, &loops_, &work_, &calls_};
  // A cancelled coroutine needs turns of the loop, not time; they must be had even after the deadline.
  for (Scope* scope : scopes) co_await scope->join(Deadline::after(context_.clock, for_the_end / 4));
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
  return sources_.failures() + loops_.failures() + work_.failures() + calls_.failures() +
         metrics_.terminations[TerminationResult::failed].value();
}

}  // namespace ferryman::termination
