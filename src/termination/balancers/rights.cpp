// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/rights.h"

#include <utility>

namespace ferryman::termination::balancers {

bool Rights::may(const std::string& action, const std::string& resource) const {
  const auto refused = refusals_.find(action + " " + resource);
  return refused == refusals_.end() || context_.clock.now() >= refused->second.until;
}

bool Rights::lacks(const std::string& action, const std::string& resource, const Error& error) {
  constexpr Duration refused_for = std::chrono::minutes{10};
  constexpr int enough = 3;
  const bool denied = error.fault == Fault::denied &&
                      (error.code == "AccessDenied" || error.code == "AccessDeniedException" ||
                       error.code == "UnauthorizedOperation");
  if (!denied) return false;
  Refusals& refusals = refusals_[action + " " + resource];
  if (context_.clock.now() - std::exchange(refusals.last, context_.clock.now()) > refused_for)
    refusals.count = 0;
  if (++refusals.count < enough) return false;
  refusals.count = 0;
  refusals.until = context_.clock.now() + refused_for;
  context_.log.warn(
      "balancers.not_allowed",
      {{"action", "elasticloadbalancing:" + action},
       {"resource", resource.empty() ? "*" : resource},
       {"effect", "done without it for 10 minutes; nodes still get the label that takes them out"},
       {"cure", "allow the action in our IAM policy, or set --deregister=false"},
       {"error", error}});
  return true;
}

}  // namespace ferryman::termination::balancers
