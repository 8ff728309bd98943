// SPDX-License-Identifier: Apache-2.0
// HookCatalog: the hooks of each group, asked once per group and ten minutes for all terminations together.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
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

  /// The action's hook as far as it is known now.
  [[nodiscard]] std::optional<LifecycleHook> known(const LifecycleAction& action) const;

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
};

}  // namespace ferryman::termination
