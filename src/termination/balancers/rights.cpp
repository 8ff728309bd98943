// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/rights.h"

namespace ferryman::termination::balancers {

bool Rights::may(const std::string& action) const {
  const auto refused = refused_until_.find(action);
  return refused == refused_until_.end() || context_.clock.now() >= refused->second;
}

bool Rights::lacks(const std::string& action, const Error& error) {
  constexpr Duration refused_for = std::chrono::minutes{10};
  const bool denied = error.fault == Fault::denied &&
                      (error.code == "AccessDenied" || error.code == "AccessDeniedException" ||
                       error.code == "UnauthorizedOperation");
  if (!denied) return false;
  const bool said_before = !refused_until_.try_emplace(action, SteadyTime{}).second;
  refused_until_[action] = context_.clock.now() + refused_for;
  context_.log.write(said_before ? Level::debug : Level::warn, "balancers.not_allowed",
                     {{"action", "elasticloadbalancing:" + action},
                      {"effect", "nodes only get the label that takes them out of load balancers"},
                      {"cure", "allow the action in our IAM policy"},
                      {"error", error}});
  return true;
}

}  // namespace ferryman::termination::balancers
