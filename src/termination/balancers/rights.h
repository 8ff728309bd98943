// SPDX-License-Identifier: Apache-2.0
// Rights: which actions of Elastic Load Balancing we may not call, on which resource. A right that lacks is
// logged once, costs no call for 10 minutes, and holds nobody: the node's label is all that is left of the
// feature then. A role that was just attached refuses what it allows a moment later, so the third refusal
// in a row counts.
#pragma once

#include <map>
#include <string>

#include "termination/context.h"

namespace ferryman::termination::balancers {

class Rights {
 public:
  explicit Rights(Context& context) : context_(context) {}

  /// `resource`: a pool's id, or empty for what is asked of the whole account.
  [[nodiscard]] bool may(const std::string& action, const std::string& resource = {}) const;
  /// True when the error says that the right lacks; wrong credentials are another matter.
  bool lacks(const std::string& action, const std::string& resource, const Error& error);
  /// A call succeeded: what was refused before is forgotten.
  void has(const std::string& action, const std::string& resource = {}) {
    refusals_.erase(key_of(action, resource));
  }

 private:
  static std::string key_of(const std::string& action, const std::string& resource) {
    return action + " " + resource;
  }

  struct Refusals {
    int count = 0;
    SteadyTime until{};
  };

  Context& context_;
  std::map<std::string, Refusals> refusals_;  // by action and resource
};

}  // namespace ferryman::termination::balancers
