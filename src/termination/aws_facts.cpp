// SPDX-License-Identifier: Apache-2.0
#include "termination/aws_facts.h"

#include <algorithm>
#include <array>

namespace ferryman::termination {

namespace {

constexpr std::size_t most_instances = 200;  // values of a filter
constexpr std::size_t most_groups = 200;
constexpr std::size_t most_members = 50;  // of DescribeAutoScalingInstances
constexpr std::size_t most_remembered = 20'000;
constexpr std::size_t most_groups_remembered = 2'000;
constexpr Duration tags_fresh_for = std::chrono::minutes{10};
constexpr Duration doubt = std::chrono::seconds{10};
/// https://docs.aws.amazon.com/autoscaling/ec2/userguide/ec2-auto-scaling-tagging.html
constexpr std::string_view group_tag = "aws:autoscaling:groupName";
constexpr std::string_view cluster_tag = "kubernetes.io/cluster/";
constexpr std::string_view eks_tag = "eks:cluster-name";
constexpr std::string_view aws_eks_tag = "aws:eks:cluster-name";

bool carries(const Tags& tags, const KeyValue& wanted) {
  return std::any_of(tags.begin(), tags.end(),
                     [&](const auto& tag) { return wanted.matches(tag.first, tag.second); });
}

}  // namespace

std::string group_in(const Tags& tags) {
  for (const auto& [key, value] : tags) {
    if (key == group_tag) return value;
  }
  return {};
}

std::string cluster_of(const Tags& tags) {
  for (const auto& [key, value] : tags) {
    if (key.starts_with(cluster_tag)) return key.substr(cluster_tag.size());
    if (key == eks_tag || key == aws_eks_tag) return value;
  }
  return {};
}

TagEvidence weigh(const Tags& tags, const Policy& policy) {
  TagEvidence evidence;
  evidence.required = !policy.require_tag || carries(tags, *policy.require_tag);
  evidence.ours = policy.managed_tag && carries(tags, *policy.managed_tag);
  const std::string& name = policy.cluster_name;
  if (name.empty()) return evidence;
  const std::array wanted = {KeyValue(std::string(cluster_tag) + name, std::nullopt),
                             KeyValue(std::string(eks_tag), name), KeyValue(std::string(aws_eks_tag), name)};
  for (const KeyValue& tag : wanted) evidence.ours = evidence.ours || carries(tags, tag);
  return evidence;
}

bool Sighting::gone() const {
  return state == "terminated" || (absent_since && at - *absent_since >= doubt);
}

AwsFacts::AwsFacts(Context& context, Cloud& cloud, Scope& calls)
    : context_(context),
      cloud_(cloud),
      instances_(context, calls, "instances.ask", most_instances,
                 [this](std::vector<InstanceId> ids) { return ask_instances(std::move(ids)); }),
      group_tags_(context, calls, "group_tags.ask", most_groups,
                  [this](std::vector<std::string> groups) { return ask_tags(std::move(groups)); }),
      states_(context, calls, "group_members.ask", most_members,
              [this](std::vector<InstanceId> ids) { return ask_states(std::move(ids)); }) {}

Task<Result<std::map<InstanceId, Instance>>> AwsFacts::ask_instances(std::vector<InstanceId> ids) {
  FERRYMAN_TRY(instances, co_await cloud_.instances(std::move(ids), context_.call_deadline()));
  std::map<InstanceId, Instance> found;
  for (Instance& instance : instances) found[instance.instance_id] = std::move(instance);
  co_return found;
}

Task<Result<std::map<std::string, Tags>>> AwsFacts::ask_tags(std::vector<std::string> groups) {
  FERRYMAN_TRY(answers, co_await cloud_.group_tags(std::move(groups), context_.call_deadline()));
  std::map<std::string, Tags> found;
  for (GroupTags& answer : answers) found[answer.group] = std::move(answer.tags);
  co_return found;
}

Task<Result<std::map<InstanceId, std::string>>> AwsFacts::ask_states(std::vector<InstanceId> ids) {
  FERRYMAN_TRY(members, co_await cloud_.group_members(std::move(ids), context_.call_deadline()));
  std::map<InstanceId, std::string> found;
  for (GroupMember& member : members) found[member.instance_id] = std::move(member.lifecycle_state);
  co_return found;
}

const Sighting& AwsFacts::remember(const InstanceId& id, const std::optional<Instance>& seen) {
  const auto [entry, fresh] = sightings_.try_emplace(id);
  if (fresh) {
    sightings_order_.push_back(id);
    if (sightings_order_.size() > most_remembered) {
      sightings_.erase(sightings_order_.front());
      sightings_order_.pop_front();
    }
  }
  Sighting& sighting = entry->second;
  sighting.at = context_.clock.now();
  if (!seen) {
    sighting.absent_since = sighting.absent_since.value_or(sighting.at);
    sighting.state.clear();
    return sighting;
  }
  sighting.absent_since.reset();
  sighting.state = seen->state;
  sighting.evidence = weigh(seen->tags, context_.policy);
  sighting.cluster = cluster_of(seen->tags);
  sighting.group = group_in(seen->tags);
  return sighting;
}

const Sighting* AwsFacts::remembered(const InstanceId& id, Duration at_most_old) const {
  const auto known = sightings_.find(id);
  const bool fresh = known != sightings_.end() && context_.clock.now() - known->second.at <= at_most_old;
  return fresh ? &known->second : nullptr;
}

Task<Result<Sighting>> AwsFacts::look(InstanceId id, Duration at_most_old) {
  if (const Sighting* known = remembered(id, at_most_old)) co_return *known;
  FERRYMAN_TRY(seen, co_await instances_.get(id));
  // Many waited for the same answer; the first of them noted it.
  if (const Sighting* known = remembered(id, Duration{0})) co_return *known;
  co_return remember(id, seen);
}

const Tags* AwsFacts::remembered_tags(const std::string& group) const {
  const auto known = groups_.find(group);
  const bool fresh = known != groups_.end() && context_.clock.now() - known->second.at <= tags_fresh_for;
  return fresh ? &known->second.tags : nullptr;
}

Task<Result<Tags>> AwsFacts::tags_of(std::string group) {
  if (const Tags* known = remembered_tags(group)) co_return *known;
  FERRYMAN_TRY(tags, co_await group_tags_.get(group));
  if (groups_.size() >= most_groups_remembered) groups_.clear();
  GroupEntry& entry = groups_[group];
  entry.at = context_.clock.now();
  entry.tags = tags.value_or(Tags());
  co_return entry.tags;
}

Task<Result<std::string>> AwsFacts::lifecycle_state(InstanceId id) {
  FERRYMAN_TRY(state, co_await states_.get(std::move(id)));
  co_return state.value_or(std::string());
}

}  // namespace ferryman::termination
