// SPDX-License-Identifier: Apache-2.0
// Reading: when something that one call tells was last told, and whether somebody waits for it to be told
// anew.
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "base/time.h"

namespace ferryman::termination::balancers {

class Reading {
 public:
  Reading() = default;

  /// Told at or after `since`. Times are those of the questions.
  [[nodiscard]] bool good(SteadyTime since) const { return at && *at >= since; }
  /// Good, or a question put at or after `asked` failed.
  [[nodiscard]] bool settled(SteadyTime since, SteadyTime asked) const {
    return good(since) || (tried && *tried >= asked);
  }
  /// Nobody asks, and an answer to a question put now is wanted.
  [[nodiscard]] bool waits() const { return wanted && !asking && (!tried || *tried < *wanted); }

  /// A question that is under way will do if it was put at or after `since`; else one from now on is needed.
  void want(SteadyTime since, SteadyTime now) {
    const SteadyTime from = asking && *asking >= since ? *asking : now;
    wanted = std::max(wanted.value_or(from), from);
  }
  void answered(SteadyTime asked) {
    at = tried = asked;
    trouble.clear();
  }
  void failed(SteadyTime asked, std::string why) {
    tried = asked;
    trouble = std::move(why);
  }

  std::optional<SteadyTime> at;      // of the last good answer
  std::optional<SteadyTime> tried;   // of the last answer
  std::optional<SteadyTime> wanted;  // an answer not older than this is wanted
  std::optional<SteadyTime> asking;  // a question is under way since then
  bool urgent = false;               // by somebody who waits; else to keep the index fresh
  std::string trouble;               // of the last answer; empty when it was good
};

}  // namespace ferryman::termination::balancers
