// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/membership.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferryman::termination::balancers {

namespace {

constexpr std::size_t most_readers = 8;  // calls at once

constexpr const char* list_groups_action = "DescribeTargetGroups";
constexpr const char* read_group_action = "DescribeTargetHealth";
constexpr const char* list_classic_action = "DescribeLoadBalancers";

// Names of what can be read, beside the ARNs of groups.
constexpr const char* group_list = "groups";
constexpr const char* classic_list = "classic";

/// Whichever way it ends, those who wait learn of it.
template <class End>
class AtEnd {
 public:
  explicit AtEnd(End end) : end_(std::move(end)) {}
  AtEnd(const AtEnd&) = delete;
  AtEnd& operator=(const AtEnd&) = delete;
  ~AtEnd() { end_(); }

 private:
  End end_;
};

}  // namespace

Membership::Membership(Context& context, PoolCalls& calls, Cluster& cluster, Rights& rights, Scope& scans)
    : context_(context),
      calls_(calls),
      cluster_(cluster),
      rights_(rights),
      scans_(scans),
      narrowing_(context, calls, cluster, rights),
      changed_(context.clock) {}

bool Membership::lists_groups() const {
  return context_.policy.leave_target_groups && rights_.may(list_groups_action) &&
         rights_.may(read_group_action);
}

bool Membership::lists_classic() const {
  return context_.policy.leave_classic_balancers && rights_.may(list_classic_action);
}

bool Membership::has_addresses() const {
  return std::any_of(index_.groups.begin(), index_.groups.end(), [](const auto& entry) {
    return entry.second.included && entry.second.facts.target_type == "ip";
  });
}

/// Addresses change with every pod, so groups of them are read for those alone who may be in them.
bool Membership::concerns(const GroupEntry& group, const Sought& sought) const {
  if (!group.included) return false;
  if (group.facts.target_type != "ip") return group.likely || !sought.likely_only;
  if (sought.addresses.empty()) return false;
  return !narrowing_.bound(group.facts.arn) || narrowing_.bound_in(group.facts.arn, sought.namespaces);
}

Found Membership::found(const Sought& sought) const {
  Found found;
  const auto judge = [&](const Reading& reading, SteadyTime since, const std::string& what) {
    if (reading.good(since)) return;
    found.unread.push_back(what + ": " + (reading.trouble.empty() ? "no answer yet" : reading.trouble));
  };
  const auto take = [&](std::vector<Registration> registrations) {
    for (Registration& one : registrations) found.registrations.push_back(std::move(one));
  };
  if (lists_groups()) {
    judge(index_.list, sought.listed_since, "the list of target groups");
    for (const auto& [arn, group] : index_.groups) {
      if (!group.included) continue;
      if (concerns(group, sought)) judge(group.reading, sought.read_since, words_for(pool_of(group.facts)));
      take(index_.of_group(group, sought.instance_id));
      if (group.facts.target_type != "ip") continue;
      for (const std::string& address : sought.addresses) {
        std::vector<Registration> there = index_.of_group(group, InstanceId(address));
        for (Registration& one : there) {
          if (narrowing_.bound(arn)) one.standing = Standing::owned;
        }
        take(std::move(there));
      }
    }
  }
  if (lists_classic()) {
    judge(index_.classic_list, sought.listed_since, "the classic load balancers");
    take(index_.of_classic(sought.instance_id));
  }
  return found;
}

void Membership::want(Reading& reading, SteadyTime since, bool urgent) {
  reading.want(since, context_.clock.now());
  reading.urgent = reading.urgent || urgent;
  const std::size_t wanted = urgent ? most_readers : 2;
  if (reading.waits() && readers_ < wanted) {
    ++readers_;
    scans_.spawn("load balancers", read());
  }
}

Task<Found> Membership::of(Sought sought, Deadline deadline) {
  const SteadyTime asked = context_.clock.now();
  co_await wait_for_lists(sought, asked, deadline);
  co_await wait_for_groups(stale_groups(sought), sought.read_since, deadline);
  co_return found(sought);
}

Task<void> Membership::wait_for_lists(Sought sought, SteadyTime asked, Deadline deadline) {
  const SteadyTime since = sought.listed_since;
  for (;;) {
    const bool groups = lists_groups() && !index_.list.settled(since, asked);
    const bool classic = lists_classic() && !index_.classic_list.settled(since, asked);
    if (groups) want(index_.list, since, true);
    if (classic) want(index_.classic_list, since, true);
    if ((!groups && !classic) || deadline.passed(context_.clock)) co_return;
    co_await changed_.wait_until(deadline.at());
  }
}

std::vector<std::string> Membership::stale_groups(const Sought& sought) const {
  std::vector<std::string> arns;
  if (!lists_groups()) return arns;
  for (const auto& [arn, group] : index_.groups) {
    if (concerns(group, sought) && !group.reading.good(sought.read_since)) arns.push_back(arn);
  }
  return arns;
}

Task<void> Membership::wait_for_groups(std::vector<std::string> arns, SteadyTime since, Deadline deadline) {
  const SteadyTime asked = context_.clock.now();
  for (const std::string& arn : arns) {
    if (const auto group = index_.groups.find(arn); group != index_.groups.end())
      want(group->second.reading, since, true);
  }
  while (!arns.empty() && !deadline.passed(context_.clock) && lists_groups()) {
    const auto group = index_.groups.find(arns.back());
    if (group == index_.groups.end() || group->second.reading.settled(since, asked)) {
      arns.pop_back();
    } else {
      want(group->second.reading, since, true);
      co_await changed_.wait_until(deadline.at());
    }
  }
}

/// What somebody waits for goes first, and of that the lists, then the likely groups.
std::optional<std::string> Membership::next() const {
  std::optional<std::string> best;
  int best_rank = 0;
  const auto offer = [&](const Reading& reading, int rank, const std::string& what) {
    if (!reading.waits()) return;
    rank += reading.urgent ? 10 : 0;
    if (rank <= best_rank) return;
    best_rank = rank;
    best = what;
  };
  if (lists_classic()) offer(index_.classic_list, 4, classic_list);
  if (!lists_groups()) return best;
  offer(index_.list, 3, group_list);
  for (const auto& [arn, group] : index_.groups) offer(group.reading, group.likely ? 2 : 1, arn);
  return best;
}

Task<void> Membership::read() {
  const AtEnd end([this] {
    --readers_;
    changed_.notify_all();
  });
  for (auto what = next(); what; what = next()) co_await read_next(*what);
}

Task<void> Membership::read_next(std::string what) {
  const auto reading = [this, what]() -> Reading* {
    if (what == group_list) return &index_.list;
    if (what == classic_list) return &index_.classic_list;
    const auto group = index_.groups.find(what);
    return group == index_.groups.end() ? nullptr : &group->second.reading;
  };
  reading()->asking = context_.clock.now();
  const AtEnd end([&] {
    Reading* const read = reading();
    if (read != nullptr) {
      read->asking.reset();
      if (!read->waits()) read->urgent = false;
    }
    changed_.notify_all();
  });
  if (what == group_list) {
    co_await list_groups();
  } else if (what == classic_list) {
    co_await list_classic();
  } else {
    co_await read_group(what);
  }
}

Task<void> Membership::list_groups() {
  const SteadyTime asked = context_.clock.now();
  auto groups = co_await calls_.target_groups(context_.call_deadline());
  if (!groups) {
    note(index_.list, asked, list_groups_action, "target groups", groups.error());
    co_return;
  }
  rights_.has(list_groups_action);
  co_await narrowing_.learn(*groups);
  index_.set_groups(std::move(*groups));
  for (auto& [arn, group] : index_.groups) {
    group.included = narrowing_.includes(group.facts);
    if (!group.included) group.seats.clear();
  }
  index_.list.answered(asked);
}

Task<void> Membership::list_classic() {
  const SteadyTime asked = context_.clock.now();
  const auto balancers = co_await calls_.classic_balancers(context_.call_deadline());
  if (balancers) {
    rights_.has(list_classic_action);
    index_.set_classic(*balancers, asked);
  } else {
    note(index_.classic_list, asked, list_classic_action, "classic load balancers", balancers.error());
  }
}

Task<void> Membership::read_group(std::string arn) {
  const SteadyTime asked = context_.clock.now();
  const Pool pool = pool_of(index_.groups.at(arn).facts);
  auto seats = co_await calls_.seats(pool, context_.call_deadline());
  const auto found = index_.groups.find(arn);
  if (found == index_.groups.end()) co_return;
  GroupEntry& group = found->second;
  if (!seats && seats.error().fault == Fault::not_found) {
    index_.groups.erase(found);
  } else if (!seats) {
    note(group.reading, asked, read_group_action, words_for(pool), seats.error());
  } else {
    rights_.has(read_group_action);
    group.likely = seats->empty() || !cluster_.in_sync() ||
                   std::any_of(seats->begin(), seats->end(), [this](const Seat& seat) {
                     return cluster_.find_node(seat.target.instance_id) != nullptr;
                   });
    index_.set_seats(arn, std::move(*seats), asked);
  }
}

void Membership::note(Reading& reading, SteadyTime asked, const std::string& action, const std::string& what,
                      const Error& error) {
  const bool new_trouble = reading.trouble.empty();  // its words may change each time
  reading.failed(asked, error.text);
  if (rights_.lacks(action, {}, error)) return;
  context_.log.write(new_trouble ? Level::warn : Level::debug, "balancers.not_read",
                     {{"what", what},
                      {"error", error},
                      {"cure", "if there are no load balancers to leave: --deregister=false"}});
}

}  // namespace ferryman::termination::balancers
