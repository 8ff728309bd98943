// SPDX-License-Identifier: Apache-2.0
// HookCatalog: the hooks of each group, asked once per group and ten minutes for all terminations together.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "termination/context.h"

namespace ferryman::termination {

class HookCatalog {
 public:
  HookCatalog(Context& context, Cloud& cloud) : context_(context), cloud_(cloud) {}

  /// Many may ask at once: one call is made, all wait for it. Errors are not remembered;
  /// after one an old answer serves.
  Task<Result<std::vector<LifecycleHook>>> hooks(std::string group, Deadline deadline);

  /// The same for one action, whose hook may be newer than the answers.
  Task<void> learn(LifecycleAction action, Deadline deadline);

  /// The action's hook as far as it is known now.
  [[nodiscard]] std::optional<LifecycleHook> known(const LifecycleAction& action) const;

  /// The group's hooks as far as they are known now.
  [[nodiscard]] const std::vector<LifecycleHook>& of(const std::string& group) const;
  [[nodiscard]] bool knows(const std::string& group) const;

  /// A message told of this hook: it is ours to complete.
  void note_heard(const LifecycleAction& action) { heard_.emplace(action.group, action.hook); }
  [[nodiscard]] bool heard(const std::string& group, const std::string& hook) const {
    return heard_.contains({group, hook});
  }

  /// Of all hooks known now; an hour when none is.
  [[nodiscard]] Duration shortest_timeout() const;
  /// How long the hook of all known now can wait that waits longest, however often it is kept alive; 0: none.
  [[nodiscard]] Duration longest_wait() const;

 private:
  struct Entry {
    explicit Entry(Clock& clock) : answered(clock) {}

    std::vector<LifecycleHook> hooks;
    std::optional<SteadyTime> fetched;
    bool asking = false;
    std::uint64_t answers = 0;     // good and bad ones
    std::optional<Error> failure;  // of the last answer
    Signal answered;
  };

  /// The last answer; an old good one is nearer to the truth than none, for hooks seldom change.
  static Result<std::vector<LifecycleHook>> last_answer(const Entry& entry);
  void note(Entry& entry, const std::string& group, Result<std::vector<LifecycleHook>> answer);

  Context& context_;
  Cloud& cloud_;
  std::map<std::string, std::unique_ptr<Entry>> groups_;
  std::set<std::pair<std::string, std::string>> heard_;  // group and hook
};

}  // namespace ferryman::termination
