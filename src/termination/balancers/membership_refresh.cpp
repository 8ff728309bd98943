// SPDX-License-Identifier: Apache-2.0
// Membership: what keeps the index warm while nobody asks.
#include <algorithm>

#include "termination/balancers/membership.h"
#include "termination/balancers/pace.h"

namespace ferryman::termination::balancers {

namespace {

constexpr Duration refresh_period = std::chrono::minutes{10};
constexpr Duration least_pause = std::chrono::seconds{1};  // between calls that nobody waits for

}  // namespace

Task<void> Membership::run() {
  if (!context_.policy.deregister) co_return;
  co_await warm();
  judge_times();
  for (;;) {
    const auto included = std::count_if(index_.groups.begin(), index_.groups.end(),
                                        [](const auto& entry) { return entry.second.included; });
    co_await context_.clock.sleep_for(std::max(least_pause, refresh_period / (included + 2)));
    refresh_oldest(refresh_period);
  }
}

/// Whoever ends now is in front: its wants are urgent, these are not.
Task<void> Membership::warm() {
  const SteadyTime asked = context_.clock.now();
  constexpr Duration longest = std::chrono::minutes{15};
  const Deadline deadline = Deadline::after(context_.clock, longest);
  if (lists_groups()) want(index_.list, asked, false);
  if (lists_classic()) want(index_.classic_list, asked, false);
  while (readers_ > 0 && !deadline.passed(context_.clock)) co_await changed_.wait_until(deadline.at());
  for (auto& [arn, group] : index_.groups) {
    if (group.included && group.facts.target_type != "ip") want(group.reading, asked, false);
  }
  while (readers_ > 0 && !deadline.passed(context_.clock)) co_await changed_.wait_until(deadline.at());
  context_.log.info("balancers.known", {{"target_groups", index_.groups.size()},
                                        {"classic", index_.classic.size()},
                                        {"after", context_.clock.now() - asked}});
}

/// An end that is cut short each time is told of before the first one.
void Membership::judge_times() const {
  std::vector<Pool> pools;
  for (const auto& [arn, group] : index_.groups) {
    if (group.included && group.likely && !group.seats.empty()) pools.push_back(pool_of(group.facts));
  }
  for (const auto& [name, entry] : index_.classic) pools.push_back(classic_pool(name));
  for (const Pool& pool : pools) {
    const Duration lasts = continued_service(pool.type, context_.policy);
    if (lasts < context_.policy.max_termination_time) continue;
    context_.log.warn("continued_service.too_long",
                      {{"of", words_for(pool)},
                       {"continued_service", lasts},
                       {"max_termination_time", context_.policy.max_termination_time},
                       {"effect", "each end of a node that is in it is cut short"},
                       {"cure",
                        "raise --max-termination-time; or lower --continued-service or "
                        "--continued-service-network, if its load balancer stops sending earlier"}});
    return;
  }
}

void Membership::refresh_oldest(Duration period) {
  constexpr Duration in_trouble = std::chrono::minutes{1};
  const SteadyTime now = context_.clock.now();
  Reading* oldest = nullptr;
  const auto offer = [&](Reading& reading) {
    const bool due =
        !reading.tried || *reading.tried + (reading.trouble.empty() ? period : in_trouble) <= now;
    if (due && (oldest == nullptr || reading.tried < oldest->tried)) oldest = &reading;
  };
  if (lists_classic()) offer(index_.classic_list);
  if (lists_groups()) {
    offer(index_.list);
    for (auto& [arn, group] : index_.groups) {
      if (group.included && group.facts.target_type != "ip") offer(group.reading);
    }
  }
  if (oldest != nullptr) want(*oldest, now, false);
}

}  // namespace ferryman::termination::balancers
