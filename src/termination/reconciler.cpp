// SPDX-License-Identifier: Apache-2.0
#include "termination/reconciler.h"

#include <algorithm>

namespace ferryman::termination {

namespace {

constexpr Duration longest_period = std::chrono::seconds{60};

}  // namespace

Task<void> Reconciler::run() {
  for (;;) {
    while (!crew_.ports.cluster.in_sync()) {
      co_await crew_.ports.cluster.nodes_changed().wait_until(context_.clock.now() + std::chrono::seconds{1});
    }
    const bool all_taken = co_await take_over(orphans());
    co_await pause(all_taken);
  }
}

/// In short naps, since a termination that starts meanwhile may bring a short hook.
Task<void> Reconciler::pause(bool all_taken) {
  constexpr Duration nap = std::chrono::seconds{3};
  const SteadyTime from = context_.clock.now();
  const Duration longest = context_.random.jittered(longest_period, 0.1);
  for (;;) {
    const Duration period = all_taken ? std::min(longest, crew_.catalog.shortest_timeout() / 3) : nap;
    const SteadyTime due = from + std::max(period, nap);
    if (context_.clock.now() >= due) co_return;
    co_await context_.clock.sleep_until(std::min(due, context_.clock.now() + nap));
  }
}

void Reconciler::complain_once(const Node& node, std::string_view event, const std::string& reason) {
  if (!complained_.insert(node.uid.str() + node.claim).second) return;
  context_.log.warn(event, {{"node", node.name}, {"instance", node.instance_id}, {"reason", reason}});
}

std::vector<Reconciler::Orphan> Reconciler::orphans() {
  std::vector<Orphan> found;
  for (const Node& node : crew_.ports.cluster.claimed_nodes()) {
    auto claim = decode_claim(node.claim);
    if (!claim) {
      complain_once(node, "claim.unreadable", claim.error().text);
      continue;
    }
    const bool same_instance =
        std::all_of(claim->events.begin(), claim->events.end(),
                    [&](const Event& event) { return event.instance_id == node.instance_id; });
    if (!same_instance) {
      complain_once(node, "claim.ignored", "it speaks of another instance than the Node's providerID");
      continue;
    }
    if (claim->closed || registry_.running(node.instance_id) || registry_.handled_before(*claim)) continue;
    found.push_back({node, std::move(*claim)});
  }
  return found;
}

/// A claim is a hint: an instance that Auto Scaling has in service is not ending, whatever an annotation
/// says.
Task<bool> Reconciler::take_over(std::vector<Orphan> orphans) {
  if (orphans.empty()) co_return true;
  std::vector<InstanceId> ids;
  for (const Orphan& orphan : orphans) ids.push_back(orphan.node.instance_id);
  const auto members = co_await crew_.ports.cloud.group_members(std::move(ids), context_.call_deadline());
  if (!members) {
    context_.log.warn("claims.not_checked", {{"claims", orphans.size()}, {"error", members.error()}});
    co_return false;
  }
  for (Orphan& orphan : orphans) {
    const bool in_service = std::any_of(members->begin(), members->end(), [&](const GroupMember& member) {
      return member.instance_id == orphan.node.instance_id && member.lifecycle_state == "InService";
    });
    if (in_service) {
      complain_once(orphan.node, "claim.ignored", "Auto Scaling has the instance in service");
    } else if (!registry_.running(orphan.node.instance_id)) {
      registry_.resume(orphan.node.instance_id, std::move(orphan.claim));
    }
  }
  co_return true;
}

}  // namespace ferryman::termination
