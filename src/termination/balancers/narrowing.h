// SPDX-License-Identifier: Apache-2.0
// Narrowing: which target groups of the account are looked at, by the settings: by target type and VPC, and,
// when asked, those alone that a TargetGroupBinding of this cluster or a tag says are the cluster's. What
// cannot be read narrows nothing: a request must not be lost for a call saved.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "termination/balancers/pool_calls.h"
#include "termination/balancers/rights.h"
#include "termination/context.h"

namespace ferryman::termination::balancers {

class Narrowing {
 public:
  /// All outlive this.
  Narrowing(Context& context, PoolCalls& calls, Cluster& cluster, Rights& rights)
      : context_(context), calls_(calls), cluster_(cluster), rights_(rights) {}

  /// Reads what the settings need to judge these groups, which are all of the account: bindings anew, tags
  /// once in half an hour.
  Task<void> learn(std::vector<TargetGroup> groups);

  /// Its targets are looked at.
  [[nodiscard]] bool includes(const TargetGroup& group) const;
  /// A controller of this cluster keeps its targets.
  [[nodiscard]] bool bound(const std::string& group_arn) const { return bound_.contains(group_arn); }
  /// The same, for a Service in one of these namespaces.
  [[nodiscard]] bool bound_in(const std::string& group_arn, const std::set<std::string>& namespaces) const;

 private:
  /// What a group's tags say.
  struct Verdict {
    bool ours = false;
    SteadyTime at{};
  };

  [[nodiscard]] bool by_tags() const { return !context_.policy.target_group_tags.empty(); }
  [[nodiscard]] bool allows(const TargetGroup& group) const;
  [[nodiscard]] bool tagged(const TargetGroup& group) const;
  [[nodiscard]] std::vector<std::string> tags_to_read(const std::vector<TargetGroup>& groups) const;
  Task<void> learn_bindings();
  Task<void> learn_tags(const std::vector<TargetGroup>& groups);
  void name_unread_tags(const Error& error);
  void judge(const std::string& arn, const TargetGroupTags& tags);
  void judge_tags(const std::vector<TargetGroup>& groups);

  Context& context_;
  PoolCalls& calls_;
  Cluster& cluster_;
  Rights& rights_;
  bool bindings_known_ = false;
  SteadyTime bindings_again_{};                         // not asked before
  std::map<std::string, std::set<std::string>> bound_;  // ARN, and the namespaces of its bindings
  std::map<std::string, Verdict> verdicts_;             // by ARN
  bool none_tagged_ = false;
  bool said_bindings_ = false;
  bool said_tags_ = false;
};

}  // namespace ferryman::termination::balancers
