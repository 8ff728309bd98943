// SPDX-License-Identifier: Apache-2.0
#include "termination/hook_catalog.h"

#include <algorithm>

#include "base/turn.h"

namespace ferryman::termination {

namespace {

constexpr Duration fresh_for = std::chrono::minutes{10};
constexpr Duration asked_just_now = std::chrono::seconds{5};

}  // namespace

/// One that the answers do not know may have been made since.
Task<void> HookCatalog::learn(LifecycleAction action, Deadline deadline) {
  const auto found = groups_.find(action.group);
  if (found != groups_.end() && !known(action)) {
    std::optional<SteadyTime>& fetched = found->second->fetched;
    const SteadyTime now = context_.clock.now();
    if (fetched && now - *fetched > asked_just_now) fetched = now - fresh_for;
  }
  (void)co_await hooks(action.group, deadline);
}

Task<Result<std::vector<LifecycleHook>>> HookCatalog::hooks(std::string group, Deadline deadline) {
  auto& slot = groups_[group];
  if (slot == nullptr) slot = std::make_unique<Entry>(context_.clock);
  Entry& entry = *slot;
  const std::uint64_t answers_before = entry.answers;
  while (entry.asking) {
    if (deadline.passed(context_.clock)) {
      co_return Error(Fault::deadline, "waiting for the hooks of " + group);
    }
    co_await entry.answered.wait_until(deadline.at());
  }
  const bool answered_meanwhile = entry.answers != answers_before;
  const bool fresh = entry.fetched && context_.clock.now() - *entry.fetched < fresh_for;
  if (answered_meanwhile || fresh) co_return last_answer(entry);

  const Turn turn(entry.asking, entry.answered);
  note(entry, group, co_await cloud_.hooks(group, deadline));
  co_return last_answer(entry);
}

void HookCatalog::note(Entry& entry, const std::string& group, Result<std::vector<LifecycleHook>> answer) {
  ++entry.answers;
  if (answer) {
    entry.hooks = std::move(*answer);
    entry.fetched = context_.clock.now();
    entry.failure.reset();
    return;
  }
  const Error failed = answer.error().within("asking for the hooks of group " + group);
  const bool said_already = entry.failure && entry.failure->text == failed.text;
  context_.log.write(said_already ? Level::debug : Level::warn, "hooks.unknown",
                     {{"group", group}, {"error", failed}});
  entry.failure = failed;
}

Result<std::vector<LifecycleHook>> HookCatalog::last_answer(const Entry& entry) {
  if (entry.fetched || !entry.failure) return entry.hooks;
  return *entry.failure;
}

Duration HookCatalog::shortest_timeout() const {
  Duration shortest = std::chrono::hours{1};
  for (const auto& [group, entry] : groups_) {
    for (const LifecycleHook& hook : entry->hooks)
      shortest = std::min<Duration>(shortest, hook.heartbeat_timeout);
  }
  return shortest;
}

Duration HookCatalog::longest_wait() const {
  Duration longest{0};
  for (const auto& [group, entry] : groups_) {
    for (const LifecycleHook& hook : entry->hooks) longest = std::max<Duration>(longest, hook.global_timeout);
  }
  return longest;
}

const std::vector<LifecycleHook>& HookCatalog::of(const std::string& group) const {
  static const std::vector<LifecycleHook> none;
  const auto entry = groups_.find(group);
  return entry == groups_.end() ? none : entry->second->hooks;
}

bool HookCatalog::knows(const std::string& group) const {
  const auto entry = groups_.find(group);
  return entry != groups_.end() && entry->second->fetched.has_value();
}

std::optional<LifecycleHook> HookCatalog::known(const LifecycleAction& action) const {
  for (const LifecycleHook& hook : of(action.group)) {
    if (hook.name == action.hook) return hook;
  }
  return std::nullopt;
}

}  // namespace ferryman::termination
