// SPDX-License-Identifier: Apache-2.0
// Membership: in which target groups and classic balancers an instance is. All terminations share one scan of
// the account's load balancers: about one call per target group and wave, however many nodes end.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/scope.h"
#include "termination/balancers/pool_calls.h"
#include "termination/balancers/rights.h"
#include "termination/context.h"

namespace ferryman::termination::balancers {

class Found {
 public:
  Found() = default;

  std::vector<Registration> registrations;
  std::vector<std::string> unread;  // "target group web: why"; empty: the registrations are all there are
};

class Membership {
 public:
  /// Scans run in `scans`, whose owner cancels and joins it.
  Membership(Context& context, PoolCalls& calls, Rights& rights, Scope& scans);

  /// From what was read after `since`; what is older is read anew first, until the deadline. Without the
  /// right to read nothing is found.
  Task<Found> of(InstanceId instance_id, SteadyTime since, Deadline deadline);

  /// A scan is under way: what is not read yet may come any moment.
  [[nodiscard]] bool scanning() const;
  /// The account has this target group, as last listed.
  [[nodiscard]] bool has_group(const std::string& id) const {
    return groups_.contains(Pool(BalancerType::unknown, id, {}));
  }
  /// As last read.
  [[nodiscard]] std::vector<Pool> classic_pools() const;

 private:
  class Pass;

  /// One thing that is read by one call: a group's targets, the list of groups, the classic balancers.
  struct Reading {
    std::optional<SteadyTime> at;  // of the last good answer
    std::string trouble;           // of the last answer; empty when it was good

    void answered(SteadyTime asked) {
      at = asked;
      trouble.clear();
    }
  };
  struct Group {
    Reading reading;
    std::vector<Registration> registrations;
  };

  static bool good(const Reading& reading, SteadyTime since) { return reading.at && *reading.at >= since; }
  [[nodiscard]] bool all_good(SteadyTime since) const;
  [[nodiscard]] Found found(const InstanceId& instance_id, SteadyTime since) const;
  Task<void> run(std::shared_ptr<Pass> pass);
  Task<void> read_groups(std::shared_ptr<Pass> pass);
  Task<void> list_groups();
  Task<void> read_classic();
  Task<void> read_group(Pool pool);
  void note(Reading& reading, const std::string& action, const std::string& what, const Error& error);

  Context& context_;
  PoolCalls& calls_;
  Rights& rights_;
  Scope& scans_;
  std::shared_ptr<Pass> pass_;
  Reading list_;
  std::map<Pool, Group> groups_;
  Reading classic_;
  std::map<Pool, std::vector<Registration>> classic_pools_;
};

}  // namespace ferryman::termination::balancers
