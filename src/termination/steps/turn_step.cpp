// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/turn_step.h"

#include <algorithm>

#include "termination/decision.h"

namespace ferryman::termination::steps {

TurnStep::TurnStep(Context& context, Cluster& cluster, VoluntaryLimit& limit, const PauseSwitch& pause,
                   ClaimStep& claim, InstanceId instance_id, Log log)
    : context_(context),
      cluster_(cluster),
      limit_(limit),
      pause_(pause),
      claim_(claim),
      instance_id_(std::move(instance_id)),
      log_(std::move(log)),
      changed_(context.clock) {}

SteadyTime TurnStep::begins(const Node& node) const {
  WallTime due = WallTime::max();
  for (const Event& event : claim_.claim().events) {
    if (const auto at = due_at(event, context_.policy)) due = std::min(due, *at);
  }
  const WallTime now = context_.clock.wall();
  // Nothing is planned more than a year ahead: beyond that the clocks' arithmetic would overflow.
  constexpr Duration year = std::chrono::hours{24 * 365};
  due = std::min(std::max(due, node.created + context_.policy.voluntary_min_age), now + year);
  return context_.moment().steady_of(due);
}

/// AWS ends it soon, whoever else is out.
bool TurnStep::is_pressing() const {
  const WallTime soon = context_.clock.wall() + context_.policy.max_termination_time;
  const auto& events = claim_.claim().events;
  return std::any_of(events.begin(), events.end(),
                     [&](const Event& event) { return event.change && event.change->starts < soon; });
}

bool TurnStep::has_come() {
  const Claim& claim = claim_.claim();
  const Node* node = cluster_.find_node(instance_id_);
  if (node == nullptr || !claim.voluntary() || claim.begun()) return true;
  if (pause_.on() || begins(*node) > context_.clock.now()) return false;
  return is_pressing() || limit_.admit(*node);
}

Task<void> TurnStep::wait(const std::function<bool()>& given_up) {
  constexpr Duration look_again = std::chrono::seconds{5};
  constexpr Duration longest_wait = std::chrono::hours{1};
  constexpr Duration longest_write = std::chrono::seconds{5};
  bool told = false;
  while (!given_up() && !has_come()) {
    if (claim_.has_unwritten()) {
      const ClaimWrite written = co_await claim_.persist(Deadline::after(context_.clock, longest_write));
      if (written == ClaimWrite::durable) continue;  // more may have joined meanwhile
    }
    const Node* node = cluster_.find_node(instance_id_);
    if (node == nullptr) co_return;
    const SteadyTime now = context_.clock.now();
    const SteadyTime begin = begins(*node);
    if (!std::exchange(told, true)) {
      log_.info("termination.planned",
                {{"node", node->name},
                 {"begins", format_rfc3339(context_.moment().wall_of(begin))},
                 {"waits_for", begin > now ? "its time" : "its turn: --voluntary-share"}});
    }
    const bool later = begin > now && !claim_.has_unwritten();
    const SteadyTime look_at = later ? std::min(begin, now + longest_wait) : now + look_again;
    co_await changed_.wait_until(look_at);
  }
}

}  // namespace ferryman::termination::steps
