// SPDX-License-Identifier: Apache-2.0
#include "termination/ghosts.h"

#include <algorithm>
#include <optional>

#include "termination/ports/marks.h"

namespace ferryman::termination {

namespace {

/// The claim, if its work is over and it speaks of this instance.
std::optional<Claim> closed_claim(const Node& node) {
  if (node.claim.empty() || node.instance_id.empty()) return std::nullopt;
  auto claim = decode_claim(node.claim);
  const bool ours = claim && claim->closed && std::ranges::all_of(claim->events, [&](const Event& event) {
                      return event.instance_id == node.instance_id;
                    });
  if (!ours) return std::nullopt;
  return std::move(*claim);
}

/// While a Node is in it, nobody else works on it.
class Busy {
 public:
  Busy(std::set<Uid>& busy, Uid uid) : busy_(busy), uid_(std::move(uid)) { busy_.insert(uid_); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
  ~Busy() { busy_.erase(uid_); }

 private:
  std::set<Uid>& busy_;
  Uid uid_;
};

}  // namespace

Task<void> Ghosts::run() {
  constexpr Duration period = std::chrono::seconds{30};
  for (;;) {
    co_await context_.clock.sleep_for(context_.random.jittered(period, 0.1));
    const DrainPolicy& policy = context_.policy.drain;
    if ((policy.delete_node || policy.out_of_service) && ports_.cluster.in_sync()) look();
  }
}

/// A Ready Node has a kubelet: its instance is not gone. All questions to EC2 of one look share a call.
void Ghosts::look() {
  ports_.cluster.each_node([&](const Node& node) {
    if (node.ready || busy_.contains(node.uid)) return;
    if (auto claim = closed_claim(node)) calls_.spawn("ghosts", lay(node, std::move(*claim)));
  });
}

Task<void> Ghosts::lay(Node node, Claim claim) {
  constexpr Duration fresh = std::chrono::seconds{10};
  const Busy busy(busy_, node.uid);
  const auto seen = co_await facts_.look(node.instance_id, fresh);
  if (!seen) co_return;
  const bool off = seen->gone() || seen->state == "stopped";
  if (off && context_.policy.drain.out_of_service && !claim.out_of_service) co_await mark_off(node);
  if (!seen->gone() || !context_.policy.drain.delete_node) co_return;
  bool held = !claim.completed;
  if (held) held = co_await is_held(node.instance_id, claim);
  if (held) co_return;
  if (!co_await confirm(node)) co_return;
  co_await remove_pods(node);
  const auto removed = co_await remove(node);
  if (removed) {
    tell(node, claim);
  } else {
    complain(node, removed.error());
  }
}

/// The instance went off when the work on it was over: a spot notice's instance, say, that is stopped.
Task<void> Ghosts::mark_off(Node node) {
  auto current = co_await confirm(std::move(node));
  auto claim = current ? closed_claim(*current) : std::nullopt;
  if (!claim || claim->out_of_service) co_return;
  const bool theirs = std::ranges::any_of(
      current->taints, [](const Taint& taint) { return taint.key == marks::out_of_service_key; });
  if (theirs) co_return;
  claim->out_of_service = true;
  NodePatch patch(*current);
  patch.taints = current->taints;
  patch.taints->emplace_back(std::string(marks::out_of_service_key), std::string(marks::out_of_service_value),
                             "NoExecute");
  patch.annotations[std::string(marks::claim_annotation)] = encode(*claim);
  const auto written = co_await ports_.cluster.patch_node(std::move(patch), context_.call_deadline());
  if (written) context_.log.info("node.out_of_service", {{"node", current->name}});
}

/// True while a balancer names a target that an end which was cut short may have left, or cannot be asked.
Task<bool> Ghosts::is_held(InstanceId id, Claim claim) {
  for (const Deregistration& where : claim.deregistered) {
    const balancers::Pool pool(where.type, where.pool, balancers::name_in(where.pool));
    std::vector<Target> targets{Target(where.address.empty() ? id : InstanceId(where.address), where.port)};
    const auto standings = co_await pools_.standings(pool, std::move(targets), context_.call_deadline());
    if (!standings && standings.error().fault == Fault::not_found) continue;
    if (!standings) co_return true;
    const bool gone = std::ranges::all_of(
        *standings, [](const balancers::Seat& one) { return one.standing == balancers::Standing::gone; });
    if (!gone) co_return true;
  }
  co_return false;
}

/// No kubelet will ever confirm their end: grace 0. What cannot be removed is left to Kubernetes' own
/// collector, which takes the pods of Nodes that are no more.
Task<void> Ghosts::remove_pods(Node node) {
  const auto view = co_await ports_.cluster.view_pods(node.name, context_.call_deadline());
  if (!view) co_return;
  const std::vector<Pod> pods = (*view)->pods();
  for (const Pod& pod : pods) {
    const auto deleted =
        co_await ports_.cluster.delete_pod(pod.key, std::chrono::seconds{0}, context_.call_deadline());
    const std::string name = pod.key.pod_namespace + "/" + pod.key.name;
    if (deleted) {
      context_.metrics.ghosts_deleted.add();
      context_.log.info("ghost.deleted", {{"node", node.name}, {"pod", name}});
    } else {
      context_.log.debug("ghost.not_deleted",
                         {{"node", node.name}, {"pod", name}, {"error", deleted.error()}});
    }
  }
}

/// By a fresh read: the name may be another machine's by now, or the claim another's.
Task<Result<Node>> Ghosts::confirm(Node node) {
  FERRYMAN_TRY(current, co_await ports_.cluster.read_node(node.name, context_.call_deadline()));
  const bool same = current.uid == node.uid && current.instance_id == node.instance_id && !current.ready &&
                    closed_claim(current).has_value();
  if (!same) co_return Error(Fault::conflict, "the Node " + node.name + " is not the one that ended");
  co_return std::move(current);
}

/// Read again: removing the pods took its time.
Task<Result<void>> Ghosts::remove(Node node) {
  FERRYMAN_TRY(current, co_await confirm(std::move(node)));
  co_return co_await ports_.cluster.delete_node(std::move(current), context_.call_deadline());
}

void Ghosts::tell(const Node& node, const Claim& claim) {
  context_.metrics.nodes_deleted.add();
  context_.log.info("node.deleted", {{"node", node.name}, {"instance", node.instance_id}});
  Notice notice(NoticeKind::node_deleted, node.instance_id,
                "EC2 has ended " + node.instance_id.str() + ": its Node object was removed");
  notice.node = node.name;
  notice.node_uid = node.uid;
  notice.event_kind = name_of(claim.events.front().kind);
  notice.event_id = claim.events.front().event_id;
  notice.at = context_.clock.wall();
  ports_.notices.tell(notice);
}

void Ghosts::complain(const Node& node, const Error& error) {
  if (error.fault == Fault::conflict || error.fault == Fault::not_found) return;  // the next look decides
  const bool said = denied_;
  denied_ = lacks_right(error);
  context_.log.write(said ? Level::debug : Level::warn, "node.not_deleted",
                     {{"node", node.name},
                      {"error", error},
                      {"effect", "the Node object stays until the cloud controller removes it"},
                      {"cure", "allow delete on nodes, or switch --delete-node off"}});
}

}  // namespace ferryman::termination
