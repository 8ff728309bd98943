// SPDX-License-Identifier: Apache-2.0
#include "termination/hook_catalog.h"

#include <algorithm>

namespace ferryman::termination {

namespace {

constexpr Duration fresh_for = std::chrono::minutes{10};

/// A cancelled asker must not leave the others waiting for an answer that nobody asks for.
class Asking {
 public:
  Asking(bool& flag, Signal& answered) : flag_(flag), answered_(answered) { flag_ = true; }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;
  ~Asking() {
    flag_ = false;
    answered_.notify_all();
  }

 private:
  bool& flag_;
  Signal& answered_;
};

}  // namespace

Task<Result<std::vector<LifecycleHook>>> HookCatalog::hooks(std::string group, Deadline deadline) {
  auto& slot = groups_[group];
  if (slot == nullptr) slot = std::make_unique<Entry>(context_.clock);
  Entry& entry = *slot;
  while (entry.asking) {
    if (deadline.passed(context_.clock))
      co_return Error(Fault::deadline, "waiting for the hooks of " + group);
    co_await entry.answered.wait_until(deadline.at());
  }
  if (entry.fetched && context_.clock.now() - *entry.fetched < fresh_for) co_return entry.hooks;

  const Asking asking(entry.asking, entry.answered);
  auto answer = co_await cloud_.hooks(group, deadline);
  if (!answer) {
    const Error failed = answer.error().within("asking for the hooks of group " + group);
    context_.log.warn("hooks.unknown", {{"group", group}, {"error", failed}});
    // Hooks seldom change: an old answer is nearer to the truth than none.
    if (entry.fetched) co_return entry.hooks;
    co_return failed;
  }
  entry.hooks = std::move(*answer);
  entry.fetched = context_.clock.now();
  co_return entry.hooks;
}

Duration HookCatalog::shortest_timeout() const {
  Duration shortest = std::chrono::hours{1};
  for (const auto& [group, entry] : groups_) {
    for (const LifecycleHook& hook : entry->hooks)
      shortest = std::min<Duration>(shortest, hook.heartbeat_timeout);
  }
  return shortest;
}

std::optional<LifecycleHook> HookCatalog::known(const LifecycleAction& action) const {
  const auto entry = groups_.find(action.group);
  if (entry == groups_.end()) return std::nullopt;
  for (const LifecycleHook& hook : entry->second->hooks) {
    if (hook.name == action.hook) return hook;
  }
  return std::nullopt;
}

}  // namespace ferryman::termination
