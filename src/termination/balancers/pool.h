// SPDX-License-Identifier: Apache-2.0
// Pool: what an instance is taken out of, a target group or a classic load balancer; and how it stands there.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "base/time.h"
#include "termination/ports/balancers.h"

namespace ferryman::termination::balancers {

class Pool {
 public:
  Pool() = default;
  Pool(BalancerType type_in, std::string id_in, std::string name_in)
      : type(type_in), id(std::move(id_in)), name(std::move(name_in)) {}
  friend bool operator==(const Pool& a, const Pool& b) { return a.id == b.id; }
  friend auto operator<=>(const Pool& a, const Pool& b) { return a.id <=> b.id; }

  [[nodiscard]] bool classic() const { return type == BalancerType::classic; }

  BalancerType type = BalancerType::unknown;
  std::string id;    // ARN of a target group; name of a classic balancer, which holds no colon
  std::string name;  // for people
};

enum class Standing : std::uint8_t {
  member,    // registered, whatever its health
  draining,  // deregistered; the balancer still holds connections to it
  gone,      // not registered (any more): let go
  unseen,    // to be looked at: an earlier run may have deregistered it
  owned,     // its owner takes it out, a controller: it is waited for, and never deregistered by us
};

/// One target as its pool knows it. Targets of classic balancers have port 0.
class Seat {
 public:
  Seat() = default;
  Seat(Target target_in, Standing standing_in, bool healthy_in)
      : target(std::move(target_in)), standing(standing_in), healthy(healthy_in) {}

  Target target;
  Standing standing = Standing::member;
  bool healthy = false;
};

/// A seat, and in which pool.
class Registration {
 public:
  Registration() = default;
  Registration(Pool pool_in, Target target_in, Standing standing_in)
      : pool(std::move(pool_in)), target(std::move(target_in)), standing(standing_in) {}

  Pool pool;
  Target target;
  Standing standing = Standing::member;
  SteadyTime seen{};  // when the pool was asked
};

/// "web" in "arn:aws:elasticloadbalancing:…:targetgroup/web/73e2d6bc24d8a067"; else the id itself.
std::string name_in(const std::string& pool_id);

/// The actions by which a pool is left, as IAM calls them.
std::string deregister_action(const Pool& pool);
std::string health_action(const Pool& pool);
std::string delay_action(const Pool& pool);

/// Takes the upper half out: a bad item spoils a call for all, so what is refused is asked in halves.
template <class T>
std::vector<T> take_upper_half(std::vector<T>& items) {
  const auto middle = items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2);
  std::vector<T> upper(middle, items.end());
  items.erase(middle, items.end());
  return upper;
}

/// EC2 does not know the target, or it is not registered (any more): nothing is sent to it.
bool names_unknown_target(const Error& error);

/// "target group web" or "classic load balancer web", for log and report.
std::string words_for(const Pool& pool);

}  // namespace ferryman::termination::balancers
