// SPDX-License-Identifier: Apache-2.0
#include "termination/our_actions.h"

#include <algorithm>

namespace ferryman::termination {

Task<void> OurActions::learn_hooks(Deadline deadline) {
  std::vector<LifecycleAction> actions;  // more events may join meanwhile
  for (const Event& event : events_) {
    if (event.action) actions.push_back(*event.action);
  }
  for (const LifecycleAction& action : actions) co_await catalog_.learn(action, deadline);
  heartbeats_.hooks_known();
}

std::vector<LifecycleHook> OurActions::known_hooks() const {
  std::vector<LifecycleHook> hooks;
  for (const Event& event : events_) {
    if (!event.action) continue;
    if (auto hook = catalog_.known(*event.action)) hooks.push_back(std::move(*hook));
  }
  return hooks;
}

void OurActions::keep_alive(const Event& event) {
  if (!event.action || !is_our_hook(context_.policy, event.action->hook)) return;
  catalog_.note_heard(*event.action);
  heartbeats_.add(*event.action, event.event_time);
}

std::vector<LifecycleAction> OurActions::all() const {
  std::vector<LifecycleAction> actions;
  for (const Event& event : events_) {
    if (!event.action || !is_our_hook(context_.policy, event.action->hook)) continue;
    // Two messages may tell of one hook, or one of a hook that was found waiting.
    const auto same = std::ranges::find_if(actions, [&](const LifecycleAction& known) {
      return known.hook == event.action->hook && known.group == event.action->group;
    });
    if (same == actions.end()) {
      actions.push_back(*event.action);
    } else if (same->token.empty()) {
      *same = *event.action;
    }
  }
  return actions;
}

Task<bool> OurActions::complete(steps::CompleteStep& step, CompletionResult result, const Plan& plan) {
  bool none_lost = true;
  for (std::size_t next = 0; next < all().size(); ++next) {
    const LifecycleAction action = all().at(next);
    if (!heartbeats_.over(action)) {
      const steps::Completion end = co_await step.run(action, result, Deadline(plan.lost_at));
      none_lost = none_lost && end != steps::Completion::lost;
    }
    heartbeats_.remove(action);
  }
  co_return none_lost;
}

void OurActions::abandon() {
  for (const LifecycleAction& action : all()) heartbeats_.remove(action);
}

}  // namespace ferryman::termination
