// SPDX-License-Identifier: Apache-2.0
// PoolIndex: what is known of the account's target groups and classic balancers, and who is in which. Plain
// data; Membership keeps it fresh.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "termination/balancers/pool.h"
#include "termination/balancers/reading.h"

namespace ferryman::termination::balancers {

/// A target group. Its seats are sorted: an account can have hundreds of thousands.
class GroupEntry {
 public:
  GroupEntry() = default;

  TargetGroup facts;
  Reading reading;
  std::vector<Seat> seats;
  bool included = true;  // its targets are looked at
  bool likely = true;    // it holds nodes of this cluster, or nobody, or is not read yet
};

class ClassicEntry {
 public:
  ClassicEntry() = default;

  std::vector<InstanceId> instances;      // sorted
  std::map<InstanceId, SteadyTime> left;  // who was there before, and since when it is not listed
};

class PoolIndex {
 public:
  PoolIndex() = default;

  /// The account's groups as listed; what is known of those that are still there stays.
  void set_groups(std::vector<TargetGroup> groups);
  void set_seats(const std::string& arn, std::vector<Seat> seats, SteadyTime asked);
  void set_classic(const std::vector<ClassicBalancer>& balancers, SteadyTime asked);

  /// Where this id, an instance's or an address, is registered or drains.
  [[nodiscard]] std::vector<Registration> of_group(const GroupEntry& group, const InstanceId& id) const;
  [[nodiscard]] std::vector<Registration> of_classic(const InstanceId& id) const;
  /// Classic balancers that had the instance and list it no more: they may drain it still.
  [[nodiscard]] std::vector<Pool> left_classic(const InstanceId& id) const;

  [[nodiscard]] std::ptrdiff_t likely_groups() const;

  std::map<std::string, GroupEntry> groups;     // by ARN
  std::map<std::string, ClassicEntry> classic;  // by name
  Reading list;                                 // of the groups
  Reading classic_list;
  std::optional<SteadyTime> classic_known_since;
};

Pool pool_of(const TargetGroup& group);
Pool classic_pool(const std::string& name);

}  // namespace ferryman::termination::balancers
