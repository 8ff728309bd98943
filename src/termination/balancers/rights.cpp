// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/rights.h"

namespace ferryman::termination::balancers {

namespace {

std::string effect_of(const std::string& action) {
  if (action == "DescribeTargetGroupAttributes" || action == "DescribeLoadBalancerAttributes")
    return "for 10 minutes it is not known how long targets drain: they are asked for until they are let go";
  if (action == "DescribeTags") return "for 10 minutes all target groups are looked at";
  return "done without it for 10 minutes; nodes still get the label that takes them out";
}

}  // namespace

bool Rights::may(const std::string& action, const std::string& resource) const {
  const auto refused = refusals_.find(key_of(action, resource));
  return refused == refusals_.end() || context_.clock.now() >= refused->second.until;
}

bool Rights::lacks(const std::string& action, const std::string& resource, const Error& error) {
  constexpr Duration refused_for = std::chrono::minutes{10};
  constexpr int enough = 3;
  const bool denied = error.fault == Fault::denied &&
                      (error.code == "AccessDenied" || error.code == "AccessDeniedException" ||
                       error.code == "UnauthorizedOperation");
  if (!denied) return false;
  Refusals& refusals = refusals_[key_of(action, resource)];
  if (++refusals.count < enough) return false;
  refusals.count = 0;
  refusals.until = context_.clock.now() + refused_for;
  context_.log.warn("balancers.not_allowed",
                    {{"action", "elasticloadbalancing:" + action},
                     {"resource", resource.empty() ? "*" : resource},
                     {"effect", effect_of(action)},
                     {"cure", "allow the action in our IAM policy, or set --deregister=false"},
                     {"error", error}});
  return true;
}

}  // namespace ferryman::termination::balancers
