// SPDX-License-Identifier: Apache-2.0
// Membership: in which target groups and classic balancers an instance is. One index for all terminations,
// warm before the first of them and kept fresh at one call a second at most; on demand only what is not known
// well enough is read, once for all who want it (docs/adr/0015-load-balancer-index.md).
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/scope.h"
#include "termination/balancers/narrowing.h"
#include "termination/balancers/pool_index.h"

namespace ferryman::termination::balancers {

/// What a termination wants to know, and how old the answers may be.
class Sought {
 public:
  Sought() = default;
  explicit Sought(InstanceId id) : instance_id(std::move(id)) {}

  InstanceId instance_id;
  SteadyTime listed_since{};  // which groups and classic balancers there are
  SteadyTime read_since{};    // who is in a group
  bool likely_only = false;   // only groups that hold nodes of this cluster, or nobody
  /// Of its node and its pods; looked up in the groups that bindings of these namespaces keep, or that nobody
  /// keeps when the settings say so.
  std::vector<std::string> addresses;
  std::set<std::string> namespaces;
};

class Found {
 public:
  Found() = default;

  std::vector<Registration> registrations;
  std::vector<std::string> unread;  // "target group web: why"; empty: the registrations are all there are
};

class Membership {
 public:
  /// All outlive this. Calls run in `scans`, whose owner cancels and joins it.
  Membership(Context& context, PoolCalls& calls, Cluster& cluster, Rights& rights, Scope& scans);

  /// Warms the index, then keeps it fresh until cancelled. When nodes do not leave balancers it ends at once.
  Task<void> run();

  /// What the index says now, without a call.
  [[nodiscard]] Found known(const Sought& sought) const { return found(sought); }
  /// Reads first what is too old; gives what there is at the deadline. What may not be read is not there.
  Task<Found> of(Sought sought, Deadline deadline);

  /// Somebody reads: what is not known yet may come any moment.
  [[nodiscard]] bool reading() const { return readers_ > 0; }
  [[nodiscard]] const PoolIndex& index() const { return index_; }
  [[nodiscard]] Cluster& cluster() const { return cluster_; }
  /// Groups keep addresses that completion may have to wait for.
  [[nodiscard]] bool has_addresses() const;

 private:
  class Job;

  [[nodiscard]] bool lists_groups() const;
  [[nodiscard]] bool lists_classic() const;
  [[nodiscard]] bool concerns(const GroupEntry& group, const Sought& sought) const;
  [[nodiscard]] Found found(const Sought& sought) const;
  [[nodiscard]] std::vector<std::string> stale_groups(const Sought& sought) const;
  Task<void> wait_for_lists(Sought sought, SteadyTime asked, Deadline deadline);
  Task<void> wait_for_groups(std::vector<std::string> arns, SteadyTime since, Deadline deadline);
  void want(Reading& reading, SteadyTime since, bool urgent);
  void refresh_oldest(Duration period);
  Task<void> warm();
  void judge_times() const;
  Task<void> read();
  Task<void> read_next(std::string what);
  [[nodiscard]] std::optional<std::string> next() const;
  Task<void> list_groups();
  Task<void> list_classic();
  Task<void> read_group(std::string arn);
  void note(Reading& reading, SteadyTime asked, const std::string& action, const std::string& what,
            const Error& error);

  Context& context_;
  PoolCalls& calls_;
  Cluster& cluster_;
  Rights& rights_;
  Scope& scans_;
  Narrowing narrowing_;
  PoolIndex index_;
  Signal changed_;
  std::size_t readers_ = 0;
};

}  // namespace ferryman::termination::balancers
