// SPDX-License-Identifier: Apache-2.0
// LocalServices: which Services bring traffic to a node only for its own pods (externalTrafficPolicy: Local).
// Asked once per half minute for all terminations together.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "termination/context.h"

namespace ferryman::termination {

class LocalServices {
 public:
  LocalServices(Context& context, Cluster& cluster)
      : context_(context), cluster_(cluster), answered_(context.clock) {}

  /// The last good answer, however old, when there is no new one; none at all without the right to list
  /// Services, which is logged once: pods behind them then go like any other.
  Task<std::vector<LocalService>> get(Deadline deadline);

 private:
  [[nodiscard]] bool is_due() const;
  void note(const Error& error);

  Context& context_;
  Cluster& cluster_;
  std::vector<LocalService> services_;
  SteadyTime ask_again_{};
  bool asking_ = false;
  bool said_ = false;
  Signal answered_;
};

}  // namespace ferryman::termination
