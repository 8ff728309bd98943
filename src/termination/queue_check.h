// SPDX-License-Identifier: Apache-2.0
// QueueCheck: what about our queue can harm us, said before the first receive, each time with its cure. What
// would lose messages for certain is refused.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "termination/context.h"

namespace ferryman::termination {

/// Something about the queue that a person should change.
class QueueFlaw {
 public:
  QueueFlaw() = default;

  std::string attribute;  // as SQS calls it
  std::string value;
  std::string why;
  std::string cure;
};

class QueueVerdict {
 public:
  QueueVerdict() = default;

  std::vector<QueueFlaw> warnings;
  std::optional<std::string> refusal;  // names the setting, the value and the cure
};

/// `longest_hook`: the longest that one of our hooks can wait, when that is known.
QueueVerdict judge_queue(const QueueFacts& facts, const Policy& policy,
                         std::optional<Duration> longest_hook = {});

class QueueCheck {
 public:
  /// `account` is filled in when it is empty and the queue tells it. `longest_hook`: of those known so far.
  QueueCheck(Context& context, MessageQueue& queue, std::string& account,
             std::function<Duration()> longest_hook)
      : context_(context),
        queue_(queue),
        account_(account),
        longest_hook_(std::move(longest_hook)),
        changed_(context.clock) {}

  /// Asks until the queue has answered, or says that we may not ask. Then it compares with hooks that become
  /// known, until cancelled.
  Task<void> run();

  /// Ends when the first answer is there, after one call's time at the latest; never when the queue is
  /// refused.
  Task<void> passed();

  /// Ends when the queue is refused; gives why. Otherwise it runs until cancelled.
  Task<std::string> refused();

 private:
  Task<bool> ask(int attempt);
  void warn(const QueueVerdict& verdict);
  void complain(const Error& error);

  Context& context_;
  MessageQueue& queue_;
  std::string& account_;
  std::function<Duration()> longest_hook_;
  QueueFacts facts_;
  std::set<std::string> told_;  // attributes
  bool asked_ = false;
  std::optional<std::string> refusal_;
  std::optional<Fault> complained_;
  Signal changed_;
};

}  // namespace ferryman::termination
