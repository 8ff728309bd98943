// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/pace.h"

#include <algorithm>

namespace ferryman::termination::balancers {

Duration poll_pause(int polls) {
  return std::min<Duration>(std::chrono::seconds{2} * (polls + 1), std::chrono::seconds{15});
}

Duration patience_of(Duration delay) {
  constexpr int part = 6;
  return std::min<Duration>(delay / part, std::chrono::seconds{10});
}

Duration pause_after(const Error& error, Duration usual) {
  constexpr Duration longest = std::chrono::seconds{30};
  return std::max(usual, std::min<Duration>(error.retry_after, longest));
}

Duration continued_service(BalancerType type, const Policy& policy) {
  const bool quick = type == BalancerType::application || type == BalancerType::classic;
  return quick ? policy.continued_service : policy.continued_service_network;
}

}  // namespace ferryman::termination::balancers
