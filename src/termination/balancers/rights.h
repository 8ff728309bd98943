// SPDX-License-Identifier: Apache-2.0
// Rights: which actions of Elastic Load Balancing we may not call. A right that lacks is logged once, costs
// no call for 10 minutes, and holds nobody: the node's label is all that is left of the feature then.
#pragma once

#include <map>
#include <string>

#include "termination/context.h"

namespace ferryman::termination::balancers {

class Rights {
 public:
  explicit Rights(Context& context) : context_(context) {}

  [[nodiscard]] bool may(const std::string& action) const;
  /// True when the error says that the right lacks; wrong credentials are another matter.
  bool lacks(const std::string& action, const Error& error);

 private:
  Context& context_;
  std::map<std::string, SteadyTime> refused_until_;  // by action
};

}  // namespace ferryman::termination::balancers
