// SPDX-License-Identifier: Apache-2.0
#include "termination/ownership.h"

#include <algorithm>
#include <array>

namespace ferryman::termination {

namespace {

constexpr Duration fresh_for = std::chrono::minutes{5};
constexpr Duration absence_fresh_for = std::chrono::seconds{10};
constexpr int patience = 6;  // releases: an owner answers sooner

}  // namespace

std::string_view name_of(Owner owner) {
  constexpr std::array<std::string_view, 7> names = {"ours",      "another-system", "foreign", "not-managed",
                                                     "undecided", "nobody",         "unknown"};
  return names.at(static_cast<std::size_t>(owner));
}

MessageOutcome outcome_for(Owner owner) {
  switch (owner) {
    case Owner::another_system:
    case Owner::not_managed:
      return MessageOutcome::not_managed;
    case Owner::undecided:
      return MessageOutcome::undecided;
    case Owner::nobody:
      return MessageOutcome::past_its_life;
    case Owner::unknown:
      return MessageOutcome::not_in_sync;
    case Owner::ours:
    case Owner::foreign:
      break;
  }
  return MessageOutcome::foreign;
}

bool Ownership::has_discriminator() const {
  return context_.policy.managed_tag || !context_.policy.cluster_name.empty();
}

/// Nobody else reads this queue, so a lifecycle hook whose events are sent to it is ours. EC2's own events
/// cannot be filtered, and say nothing by where they arrive.
bool Ownership::alone(const Event& event) const {
  return context_.policy.queue_mode == QueueMode::exclusive && !has_discriminator() && event.action;
}

/// A rule that is not limited to groups brings other clusters' hooks too. Their instances' tags tell,
/// compared with those of one that has a Node here.
Task<bool> Ownership::is_of_another_cluster(const Sighting& seen) {
  if (seen.cluster.empty()) co_return false;
  if (own_cluster_.empty()) {
    InstanceId one;
    cluster_.each_node([&](const Node& node) {
      if (one.empty()) one = node.instance_id;
    });
    if (one.empty()) co_return false;
    const auto own = co_await facts_.look(one, fresh_for);
    if (own) own_cluster_ = own->cluster;
  }
  co_return !own_cluster_.empty() && own_cluster_ != seen.cluster;
}

/// Empty: its Node alone does not decide.
std::optional<Owner> Ownership::by_node(const Event& event) const {
  const Node* node = cluster_.find_node(event.instance_id);
  if (node == nullptr) return cluster_.in_sync() ? std::nullopt : std::optional(Owner::unknown);
  const auto& skipped = context_.policy.skip_labels;
  const bool skip = std::any_of(skipped.begin(), skipped.end(), [&](const KeyValue& rule) {
    const auto label = node->labels.find(rule.key);
    return label != node->labels.end() && rule.matches(label->first, label->second);
  });
  if (skip) return Owner::another_system;
  return context_.policy.require_tag ? std::nullopt : std::optional(Owner::ours);
}

std::string Ownership::group_of(const Event& event) const {
  if (event.action) return event.action->group;
  const Sighting* seen = facts_.remembered(event.instance_id, Duration::max());
  return seen == nullptr ? std::string() : seen->group;
}

/// The instance's own tags come first; its group is asked only where they leave something open.
bool Ownership::needs_group(const Event& event, const Sighting& seen) const {
  if (group_of(event).empty()) return false;
  const bool open_owner =
      has_discriminator() && !seen.evidence.ours && cluster_.find_node(event.instance_id) == nullptr;
  return open_owner || !seen.evidence.required;
}

Owner Ownership::judge(const Event& event, const Sighting& seen, int releases) const {
  TagEvidence evidence = seen.evidence;
  if (const Tags* tags = facts_.remembered_tags(group_of(event)); tags != nullptr) {
    const TagEvidence by_group = weigh(*tags, context_.policy);
    evidence.ours = evidence.ours || by_group.ours;
    evidence.required = evidence.required || by_group.required;
  }
  const bool has_node = cluster_.find_node(event.instance_id) != nullptr;
  const bool ours = has_node || evidence.ours || alone(event);
  if (ours && evidence.required) return Owner::ours;
  if (seen.gone() && releases >= patience) return Owner::nobody;
  if (ours) return Owner::not_managed;
  const bool told = has_discriminator() || context_.policy.queue_mode == QueueMode::exclusive;
  return told ? Owner::foreign : Owner::undecided;
}

std::optional<Owner> Ownership::known(const Event& event, int releases) const {
  if (const auto owner = by_node(event)) return owner;
  const bool nothing_to_ask =
      !has_discriminator() && !context_.policy.require_tag && context_.policy.queue_mode == QueueMode::shared;
  if (nothing_to_ask && releases < patience) return Owner::undecided;
  const Sighting* seen = facts_.remembered(event.instance_id, fresh_for);
  if (seen == nullptr) return std::nullopt;
  if (seen->absent_since && facts_.remembered(event.instance_id, absence_fresh_for) == nullptr)
    return std::nullopt;
  if (needs_group(event, *seen) && facts_.remembered_tags(group_of(event)) == nullptr) return std::nullopt;
  if (alone(event)) return std::nullopt;  // another instance's tags are needed too
  return judge(event, *seen, releases);
}

/// Without the right we say nothing about instances without a Node; with a failing call nothing for now.
Owner Ownership::not_asked(const Error& error) {
  const bool denied = error.fault == Fault::denied;
  context_.log.write(
      denied && !denied_ ? Level::warn : Level::debug, "ownership.not_asked",
      {{"error", error},
       {"cure", denied ? "grant ec2:DescribeInstances and autoscaling:DescribeTags; until then only "
                         "instances with a Node are ours"
                       : "none: it is asked again"}});
  denied_ = denied_ || denied;
  return denied ? Owner::undecided : Owner::unknown;
}

Task<Owner> Ownership::decide(Event event, int releases) {
  if (const auto owner = known(event, releases)) co_return *owner;
  const Sighting* old = facts_.remembered(event.instance_id, fresh_for);
  const bool was_absent = old != nullptr && old->absent_since;
  const Duration fresh = was_absent ? absence_fresh_for : fresh_for;
  const auto seen = co_await facts_.look(event.instance_id, fresh);
  if (!seen) co_return not_asked(seen.error());
  if (needs_group(event, *seen)) {
    const auto tags = co_await facts_.tags_of(group_of(event));
    if (!tags) co_return not_asked(tags.error());
  }
  bool of_another = alone(event);
  if (of_another) of_another = co_await is_of_another_cluster(*seen);
  if (of_another) co_return Owner::foreign;
  // The Node may have come, or the cache fallen out of sync, while we asked.
  if (const auto owner = by_node(event)) co_return *owner;
  co_return judge(event, *seen, releases);
}

}  // namespace ferryman::termination
