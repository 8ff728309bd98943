// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/pool_index.h"

#include <algorithm>

namespace ferryman::termination::balancers {

namespace {

// No classic balancer drains for longer.
// https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/config-conn-drain.html
constexpr Duration longest_draining = std::chrono::hours{1};

}  // namespace

Pool pool_of(const TargetGroup& group) {
  return {group.type, group.arn, group.name};
}

Pool classic_pool(const std::string& name) {
  return {BalancerType::classic, name, name};
}

void PoolIndex::set_groups(std::vector<TargetGroup> listed) {
  std::map<std::string, GroupEntry> now;
  for (TargetGroup& group : listed) {
    GroupEntry entry;
    if (const auto known = groups.find(group.arn); known != groups.end()) entry = std::move(known->second);
    std::string arn = group.arn;
    entry.facts = std::move(group);
    now.emplace(std::move(arn), std::move(entry));
  }
  groups = std::move(now);
}

void PoolIndex::set_seats(const std::string& arn, std::vector<Seat> seats, SteadyTime asked) {
  const auto group = groups.find(arn);
  if (group == groups.end()) return;
  std::sort(seats.begin(), seats.end(), [](const Seat& a, const Seat& b) { return a.target < b.target; });
  seats.shrink_to_fit();
  group->second.seats = std::move(seats);
  group->second.reading.answered(asked);
}

void PoolIndex::set_classic(const std::vector<ClassicBalancer>& balancers, SteadyTime asked) {
  std::map<std::string, ClassicEntry> now;
  for (const ClassicBalancer& balancer : balancers) {
    ClassicEntry& entry = now[balancer.name];
    entry.instances = balancer.instances;
    std::sort(entry.instances.begin(), entry.instances.end());
    const auto known = classic.find(balancer.name);
    if (known == classic.end()) continue;
    entry.left = std::move(known->second.left);
    for (const InstanceId& id : known->second.instances) entry.left.try_emplace(id, asked);
    std::erase_if(entry.left, [&](const auto& one) {
      const bool back = std::binary_search(entry.instances.begin(), entry.instances.end(), one.first);
      return back || one.second + longest_draining < asked;
    });
  }
  classic = std::move(now);
  if (!classic_known_since) classic_known_since = asked;
  classic_list.answered(asked);
}

std::vector<Registration> PoolIndex::of_group(const GroupEntry& group, const InstanceId& id) const {
  std::vector<Registration> found;
  auto seat = std::lower_bound(
      group.seats.begin(), group.seats.end(), id,
      [](const Seat& one, const InstanceId& wanted) { return one.target.instance_id < wanted; });
  for (; seat != group.seats.end() && seat->target.instance_id == id; ++seat) {
    if (seat->standing == Standing::gone) continue;
    Registration& one = found.emplace_back(pool_of(group.facts), seat->target, seat->standing);
    one.seen = group.reading.at.value_or(SteadyTime());
  }
  return found;
}

std::ptrdiff_t PoolIndex::likely_groups() const {
  return std::count_if(groups.begin(), groups.end(), [](const auto& entry) {
    return entry.second.included && entry.second.likely && entry.second.facts.target_type != "ip";
  });
}

std::vector<Registration> PoolIndex::of_classic(const InstanceId& id) const {
  std::vector<Registration> found;
  for (const auto& [name, entry] : classic) {
    if (!std::binary_search(entry.instances.begin(), entry.instances.end(), id)) continue;
    Registration& one = found.emplace_back(classic_pool(name), Target(id, 0), Standing::member);
    one.seen = classic_list.at.value_or(SteadyTime());
  }
  return found;
}

std::vector<Pool> PoolIndex::left_classic(const InstanceId& id) const {
  std::vector<Pool> pools;
  for (const auto& [name, entry] : classic) {
    if (entry.left.contains(id)) pools.push_back(classic_pool(name));
  }
  return pools;
}

}  // namespace ferryman::termination::balancers
