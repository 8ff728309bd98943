// SPDX-License-Identifier: Apache-2.0
#include "termination/reconciler.h"

#include <algorithm>

#include "termination/useful_life.h"

namespace ferryman::termination {

namespace {

constexpr Duration longest_period = std::chrono::seconds{60};

/// Until when what a voluntary end waited for may still come.
WallTime over_at(const Claim& claim, const Policy& policy) {
  WallTime over = claim.closed.value_or(claim.started) + policy.voluntary_undo_after;
  for (const Event& event : claim.events) {
    if (event.change) over = std::max(over, end_of_life(event));
  }
  return over;
}

}  // namespace

std::string why_back(const Orphan& orphan, const Policy& policy, WallTime now) {
  const Claim& claim = orphan.claim;
  // A node whose hook still waits may be rebooted by an operator: Auto Scaling is asked then.
  const bool over = claim.closed || !claim.by_auto_scaling();
  if (!over || !orphan.node.ready || !claim.begun()) return {};
  const bool restarted = has_started_anew(orphan.node, claim);
  if (restarted) return "the node has started anew";
  if (claim.closed && claim.voluntary() && now > over_at(claim, policy)) return "nothing came of it";
  return {};
}

Task<void> Reconciler::run() {
  for (;;) {
    while (!crew_.ports.cluster.in_sync()) {
      co_await crew_.ports.cluster.nodes_changed().wait_until(context_.clock.now() + std::chrono::seconds{1});
    }
    std::vector<Orphan> found = orphans();
    take_back_what_is_back(found);
    const bool all_taken = co_await reconcile(std::move(found));
    co_await pause(all_taken);
  }
}

/// In short naps, since a termination that starts meanwhile may bring a short hook. What needs no call is
/// looked at after each.
Task<void> Reconciler::pause(bool all_taken) {
  constexpr Duration nap = std::chrono::seconds{3};
  const SteadyTime from = context_.clock.now();
  const Duration longest = context_.random.jittered(longest_period, 0.1);
  for (;;) {
    const Duration period = all_taken ? std::min(longest, crew_.catalog.shortest_timeout() / 3) : nap;
    const SteadyTime due = from + std::max(period, nap);
    if (context_.clock.now() >= due) co_return;
    co_await context_.clock.sleep_until(std::min(due, context_.clock.now() + nap));
    std::vector<Orphan> found = orphans();
    take_back_what_is_back(found);
  }
}

void Reconciler::complain_once(const Node& node, std::string_view event, const std::string& reason) {
  if (!complained_.add(node.uid.str() + node.claim)) return;
  context_.log.warn(event, {{"node", node.name}, {"instance", node.instance_id}, {"reason", reason}});
}

bool Reconciler::is_its_own(const Node& node, const Result<Claim>& claim) {
  if (!claim) {
    complain_once(node, "claim.unreadable", claim.error().text);
    return false;
  }
  const bool same = std::all_of(claim->events.begin(), claim->events.end(),
                                [&](const Event& event) { return event.instance_id == node.instance_id; });
  if (!same) complain_once(node, "claim.ignored", "it speaks of another instance than the Node's providerID");
  return same;
}

std::vector<Orphan> Reconciler::orphans() {
  std::vector<Orphan> found;
  for (const Node& node : crew_.ports.cluster.claimed_nodes()) {
    auto claim = decode_claim(node.claim);
    if (!is_its_own(node, claim)) continue;
    if (!registry_.running(node.instance_id)) {
      found.emplace_back(node, std::move(*claim));
    } else if (!claim->closed) {
      // Being worked on: a reboot that was the reason may be over by now.
      const Orphan worked_on(node, std::move(*claim));
      const std::string why = why_back(worked_on, context_.policy, context_.clock.wall());
      if (!why.empty()) registry_.give_up(node.instance_id, why);
    }
  }
  return found;
}

void Reconciler::take_back_what_is_back(std::vector<Orphan>& orphans) {
  std::erase_if(orphans, [&](Orphan& orphan) {
    std::string why = why_back(orphan, context_.policy, context_.clock.wall());
    if (why.empty()) return false;
    registry_.take_back(orphan.node.instance_id, std::move(orphan.claim), std::move(why));
    return true;
  });
}

/// A claim is a hint: an instance that Auto Scaling has in service is not ending by its hand, whatever an
/// annotation says. One that came out of a warm pool is in service too.
void Reconciler::settle(Orphan orphan, bool in_service) {
  const InstanceId id = orphan.node.instance_id;
  if (registry_.running(id)) return;
  const bool back = in_service && orphan.claim.by_auto_scaling();
  const bool deadline_over = orphan.claim.closed || orphan.claim.deadline < context_.clock.wall();
  if (back && deadline_over && orphan.node.ready) {
    registry_.take_back(id, std::move(orphan.claim), "Auto Scaling has the instance in service again");
  } else if (back && !orphan.claim.closed) {
    complain_once(orphan.node, "claim.ignored", "Auto Scaling has the instance in service");
  } else if (!orphan.claim.closed && !registry_.handled_before(orphan.claim)) {
    registry_.resume(id, std::move(orphan.claim));
  }
}

Task<bool> Reconciler::reconcile(std::vector<Orphan> orphans) {
  std::vector<InstanceId> ids;
  for (const Orphan& orphan : orphans) {
    if (orphan.claim.by_auto_scaling()) ids.push_back(orphan.node.instance_id);
  }
  std::vector<GroupMember> members;
  if (!ids.empty()) {
    auto answer = co_await crew_.ports.cloud.group_members(std::move(ids), context_.call_deadline());
    if (!answer) {
      context_.log.warn("claims.not_checked", {{"claims", orphans.size()}, {"error", answer.error()}});
      co_return false;
    }
    members = std::move(*answer);
  }
  for (Orphan& orphan : orphans) {
    const bool in_service = std::any_of(members.begin(), members.end(), [&](const GroupMember& member) {
      return member.instance_id == orphan.node.instance_id && member.lifecycle_state == "InService";
    });
    settle(std::move(orphan), in_service);
  }
  co_return true;
}

}  // namespace ferryman::termination
