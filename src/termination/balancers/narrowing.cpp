// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/narrowing.h"

#include <algorithm>
#include <utility>

namespace ferryman::termination::balancers {

namespace {

constexpr const char* tags_action = "DescribeTags";
constexpr Duration tags_hold = std::chrono::minutes{30};
constexpr Duration without_right = std::chrono::minutes{10};

bool holds(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

Task<void> Narrowing::learn(std::vector<TargetGroup> groups) {
  const bool waits_for_addresses = holds(context_.policy.target_group_types, "ip");
  if (context_.policy.target_group_bindings || waits_for_addresses) co_await learn_bindings();
  if (by_tags()) co_await learn_tags(groups);
}

/// Functions and balancers as targets are nobody's node, and neither are addresses that nobody asks for.
bool Narrowing::allows(const TargetGroup& group) const {
  const Policy& policy = context_.policy;
  if (!holds(policy.target_group_types, group.target_type)) return false;
  if (!policy.target_group_vpcs.empty() && !holds(policy.target_group_vpcs, group.vpc)) return false;
  if (group.target_type == "ip") return policy.deregister_ip_targets || bound(group.arn);
  return group.target_type == "instance";
}

bool Narrowing::includes(const TargetGroup& group) const {
  if (!allows(group)) return false;
  const bool by_bindings = context_.policy.target_group_bindings;
  if (!by_bindings && !by_tags()) return true;
  if (by_bindings && (!bindings_known_ || bound(group.arn))) return true;
  return by_tags() && tagged(group);
}

bool Narrowing::bound_in(const std::string& group_arn, const std::set<std::string>& namespaces) const {
  const auto found = bound_.find(group_arn);
  return found != bound_.end() && std::any_of(found->second.begin(), found->second.end(),
                                              [&](const auto& one) { return namespaces.contains(one); });
}

Task<void> Narrowing::learn_bindings() {
  if (context_.clock.now() < bindings_again_) co_return;
  const auto bindings = co_await cluster_.target_group_bindings(context_.call_deadline());
  if (bindings) {
    bound_.clear();
    for (const TargetGroupBinding& one : *bindings) bound_[one.group_arn].insert(one.binding_namespace);
    bindings_known_ = true;
    said_bindings_ = false;
    co_return;
  }
  const bool denied = bindings.error().fault == Fault::denied;
  if (denied) bindings_again_ = context_.clock.now() + without_right;
  context_.log.write(
      said_bindings_ ? Level::debug : Level::warn, "bindings.not_read",
      {{"error", bindings.error()},
       {"effect", bindings_known_
                      ? "those of before hold"
                      : "target groups are not narrowed by them, and pods' addresses are not waited for"},
       {"cure",
        "allow list of targetgroupbindings in elbv2.k8s.aws, as deploy/rbac.yaml does; or set "
        "--target-group-bindings=false and --target-group-type=instance"}});
  said_bindings_ = true;
}

std::vector<std::string> Narrowing::tags_to_read(const std::vector<TargetGroup>& groups) const {
  std::vector<std::string> arns;
  for (const TargetGroup& group : groups) {
    if (!allows(group)) continue;
    const auto known = verdicts_.find(group.arn);
    const bool holds_still = known != verdicts_.end() && context_.clock.now() < known->second.at + tags_hold;
    if (!holds_still) arns.push_back(group.arn);
  }
  return arns;
}

/// Some at a time, each with the time of a call: what could be read counts, however many there are.
Task<void> Narrowing::learn_tags(const std::vector<TargetGroup>& groups) {
  constexpr std::size_t at_a_time = 100;
  std::vector<std::string> arns = tags_to_read(groups);
  while (!arns.empty() && rights_.may(tags_action)) {
    const std::size_t left = arns.size() - std::min(at_a_time, arns.size());
    std::vector<std::string> some(arns.begin() + static_cast<std::ptrdiff_t>(left), arns.end());
    arns.resize(left);
    const auto tags = co_await calls_.tags(some, context_.call_deadline());
    if (!tags) {
      name_unread_tags(tags.error());
      break;
    }
    rights_.has(tags_action);
    said_tags_ = false;
    for (const std::string& arn : some) {
      const auto found = tags->find(arn);
      judge(arn, found == tags->end() ? TargetGroupTags() : found->second);
    }
  }
  judge_tags(groups);
}

void Narrowing::name_unread_tags(const Error& error) {
  (void)rights_.lacks(tags_action, {}, error);
  context_.log.write(std::exchange(said_tags_, true) ? Level::debug : Level::warn,
                     "target_group_tags.not_read",
                     {{"error", error},
                      {"effect", "groups whose tags are not known are looked at"},
                      {"cure", "allow elasticloadbalancing:DescribeTags, as deploy/iam-policy.json does"}});
}

void Narrowing::judge(const std::string& arn, const TargetGroupTags& tags) {
  bool ours = false;
  for (const auto& [key, value] : tags) {
    for (const KeyValue& wanted : context_.policy.target_group_tags)
      ours = ours || wanted.matches(key, value);
  }
  verdicts_[arn] = Verdict{ours, context_.clock.now()};
}

/// A tag that no group carries is mistyped more often than true.
void Narrowing::judge_tags(const std::vector<TargetGroup>& groups) {
  std::map<std::string, Verdict> still_there;
  bool any = false;
  for (const TargetGroup& group : groups) {
    const auto known = verdicts_.find(group.arn);
    if (known == verdicts_.end()) continue;
    any = any || known->second.ours;
    still_there.insert(*known);
  }
  verdicts_ = std::move(still_there);
  const bool none = !any && !verdicts_.empty();
  if (none && !none_tagged_)
    context_.log.warn(
        "target_groups.none_tagged",
        {{"groups", verdicts_.size()},
         {"effect", "all of them are looked at, until one carries the tag"},
         {"cure", "see --target-group-tag, or --deregister-from=classic-elb if there is none to leave"}});
  none_tagged_ = none;
}

bool Narrowing::tagged(const TargetGroup& group) const {
  if (none_tagged_) return true;
  const auto known = verdicts_.find(group.arn);
  return known == verdicts_.end() || known->second.ours;
}

}  // namespace ferryman::termination::balancers
