// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/membership.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferryman::termination::balancers {

namespace {

constexpr std::size_t readers = 8;  // calls at once

constexpr const char* list_groups_action = "DescribeTargetGroups";
constexpr const char* read_group_action = "DescribeTargetHealth";
constexpr const char* read_classic_action = "DescribeLoadBalancers";

}  // namespace

/// One scan: what it has to read, and who reads. It belongs to nobody who waits for it.
class Membership::Pass {
 public:
  Pass(Clock& clock, SteadyTime since_in) : since(since_in), changed(clock) {}

  SteadyTime since;  // what was read before is read anew
  std::vector<Pool> to_read;
  std::size_t next = 0;
  std::size_t running = 0;
  bool over = false;
  Signal changed;
};

Membership::Membership(Context& context, PoolCalls& calls, Rights& rights, Scope& scans)
    : context_(context), calls_(calls), rights_(rights), scans_(scans) {}

bool Membership::all_good(SteadyTime since) const {
  const bool groups =
      !rights_.may(list_groups_action) || !rights_.may(read_group_action) ||
      (good(list_, since) && std::all_of(groups_.begin(), groups_.end(), [&](const auto& entry) {
         return good(entry.second.reading, since);
       }));
  return groups && (!rights_.may(read_classic_action) || good(classic_, since));
}

/// A scan that runs already may be too old for us in parts; then one of our own follows, and it is the last.
Task<Found> Membership::of(InstanceId instance_id, SteadyTime since, Deadline deadline) {
  bool own = false;
  while (!own && !all_good(since) && !deadline.passed(context_.clock)) {
    if (pass_ == nullptr || pass_->over) {
      own = true;
      pass_ = std::make_shared<Pass>(context_.clock, since);
      scans_.spawn("load balancers", run(pass_));
    }
    const std::shared_ptr<Pass> pass = pass_;
    while (!pass->over && !deadline.passed(context_.clock)) co_await pass->changed.wait_until(deadline.at());
  }
  co_return found(instance_id, since);
}

Found Membership::found(const InstanceId& instance_id, SteadyTime since) const {
  Found found;
  const auto take = [&](const std::vector<Registration>& registrations) {
    for (const Registration& one : registrations) {
      if (one.target.instance_id == instance_id) found.registrations.push_back(one);
    }
  };
  const auto judge = [&](const Reading& reading, const std::string& what) {
    if (good(reading, since)) return;
    found.unread.push_back(what + ": " + (reading.trouble.empty() ? "no answer yet" : reading.trouble));
  };
  if (rights_.may(list_groups_action) && rights_.may(read_group_action)) {
    judge(list_, "the list of target groups");
    for (const auto& [pool, group] : groups_) {
      judge(group.reading, words_for(pool));
      take(group.registrations);
    }
  }
  if (rights_.may(read_classic_action)) {
    judge(classic_, "the classic load balancers");
    for (const auto& [pool, registrations] : classic_pools_) take(registrations);
  }
  return found;
}

bool Membership::scanning() const {
  return pass_ != nullptr && !pass_->over;
}

std::vector<Pool> Membership::classic_pools() const {
  std::vector<Pool> pools;
  for (const auto& [pool, registrations] : classic_pools_) pools.push_back(pool);
  return pools;
}

/// Whichever way a scan or a reader ends, those who wait for it learn of it.
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

Task<void> Membership::run(std::shared_ptr<Pass> pass) {
  const AtEnd end([&] {
    pass->over = true;
    pass->changed.notify_all();
  });
  if (rights_.may(read_classic_action) && !good(classic_, pass->since)) co_await read_classic();
  if (rights_.may(list_groups_action) && !good(list_, pass->since)) co_await list_groups();
  for (const auto& [pool, group] : groups_) {
    if (!good(group.reading, pass->since)) pass->to_read.push_back(pool);
  }
  const std::size_t wanted = std::min(readers, pass->to_read.size());
  pass->running = wanted;
  for (std::size_t i = 0; i < wanted; ++i) scans_.spawn("target groups", read_groups(pass));
  constexpr Duration look_again = std::chrono::minutes{1};
  while (pass->running > 0) co_await pass->changed.wait_until(context_.clock.now() + look_again);
}

Task<void> Membership::read_groups(std::shared_ptr<Pass> pass) {
  const AtEnd end([&] {
    --pass->running;
    pass->changed.notify_all();
  });
  while (pass->next < pass->to_read.size() && rights_.may(read_group_action)) {
    const Pool pool = pass->to_read[pass->next++];
    co_await read_group(pool);
  }
}

Task<void> Membership::list_groups() {
  const SteadyTime asked = context_.clock.now();
  auto pools = co_await calls_.target_groups(context_.call_deadline());
  if (!pools) {
    note(list_, list_groups_action, "target groups", pools.error());
    co_return;
  }
  list_.answered(asked);
  std::map<Pool, Group> known;
  for (Pool& pool : *pools) {
    Group group;
    if (const auto old = groups_.find(pool); old != groups_.end()) group = std::move(old->second);
    known.emplace(std::move(pool), std::move(group));
  }
  groups_ = std::move(known);
}

Task<void> Membership::read_classic() {
  const SteadyTime asked = context_.clock.now();
  auto pools = co_await calls_.classic_registrations(context_.call_deadline());
  if (!pools) {
    note(classic_, read_classic_action, "classic load balancers", pools.error());
    co_return;
  }
  classic_.answered(asked);
  classic_pools_ = std::move(*pools);
}

Task<void> Membership::read_group(Pool pool) {
  const SteadyTime asked = context_.clock.now();
  auto registrations = co_await calls_.registrations(pool, context_.call_deadline());
  const auto found = groups_.find(pool);
  if (found == groups_.end()) co_return;
  Group& group = found->second;
  if (!registrations && registrations.error().fault == Fault::not_found) {
    groups_.erase(found);
  } else if (!registrations) {
    note(group.reading, read_group_action, words_for(pool), registrations.error());
  } else {
    group.reading.answered(asked);
    group.registrations = std::move(*registrations);
  }
}

void Membership::note(Reading& reading, const std::string& action, const std::string& what,
                      const Error& error) {
  const bool new_trouble = reading.trouble != error.text;
  reading.trouble = error.text;
  if (rights_.lacks(action, {}, error)) return;
  context_.log.write(new_trouble ? Level::warn : Level::debug, "balancers.not_read",
                     {{"what", what},
                      {"error", error},
                      {"cure", "if there are no load balancers to leave: --deregister=false"}});
}

}  // namespace ferryman::termination::balancers
