// SPDX-License-Identifier: Apache-2.0
#include "sandbox/cluster_nodes.h"

#include <utility>

namespace ferryman::sandbox {

namespace {

/// Whether the `node`th node is in the `pool`th of `pools`, when each is in `wanted` of them: evenly spread,
/// and all pools equally full.
bool in_pool(std::size_t node, std::size_t pool, std::size_t pools, int wanted) {
  const auto share = static_cast<std::size_t>(wanted);
  if (share == 0 || share >= pools) return true;
  const std::size_t place = (pool + node) % pools;
  return place * share / pools != (place + 1) * share / pools;
}

}  // namespace

ClusterNodes::ClusterNodes(AwsWorld& aws, KubeWorld& kubernetes, Timeline& timeline, std::string tag,
                           NodeTimes times)
    : aws_(aws), kubernetes_(kubernetes), timeline_(timeline), tag_(std::move(tag)), times_(times) {
  aws_.instances().observe(*this);
}

InstanceId ClusterNodes::launch(Group& group) {
  LaunchSpec spec;
  spec.running = true;
  spec.tags[tag_] = "owned";
  return aws_.groups().launch(group, spec);
}

InstanceId ClusterNodes::start(Group& group) {
  starting_ = true;
  InstanceId id = launch(group);
  starting_ = false;
  return id;
}

InstanceId ClusterNodes::start_late(Group& group, std::optional<Duration> join) {
  late_ = join;
  InstanceId id = launch(group);
  late_.reset();
  return id;
}

void ClusterNodes::instance_running(const Ec2Instance& instance) {
  if (!ours(instance)) return;
  if (starting_) return join(instance.id, Duration{0});
  if (late_ && !*late_) return;
  const Duration delay = late_ ? **late_ : times_.join;
  const Duration ready = late_ ? Duration{0} : times_.ready;
  timeline_.after(delay, [this, id = instance.id, ready] { join(id, ready); });
}

void ClusterNodes::join(const InstanceId& id, Duration ready_after) {
  const Ec2Instance* instance = aws_.instances().find(id);
  if (instance == nullptr || instance->state != InstanceState::running) return;
  if (kubernetes_.find_node(id)) {
    // It was here before: its kubelet finds its Node, and balancers have it as it was left there.
    kubernetes_.node_started(id, ready_after);
    return;
  }
  NodeSpec node(instance->private_dns_name, id);
  node.zone = instance->zone;
  node.instance_type = "m6i.large";
  node.internal_ip = instance->private_ip;
  node.ready_after = ready_after;
  kubernetes_.add_node(node);
  // Those of the beginning serve already.
  enroll(id, starting_);
}

// A cluster's controllers do so for each new node. That they also take out nodes which end, and put back what
// others took out, is not played.
void ClusterNodes::enroll(const InstanceId& id, bool healthy) {
  std::size_t pool = 0;
  auto& groups = aws_.target_groups().all();
  for (auto& [arn, group] : groups) {
    if (!in_pool(enrolled_, pool++, groups.size(), times_.target_groups)) continue;
    for (const std::uint16_t port : group.spec.node_ports)
      aws_.target_groups().enroll(group, {id.str(), port}, healthy);
  }
  pool = 0;
  auto& balancers = aws_.classic_balancers().all();
  for (auto& [name, balancer] : balancers) {
    if (balancer.spec.all_nodes && in_pool(enrolled_, pool++, balancers.size(), times_.classic_elbs))
      aws_.classic_balancers().enroll(balancer, id, healthy);
  }
  ++enrolled_;
}

void ClusterNodes::instance_rebooted(const Ec2Instance& instance) {
  if (!ours(instance)) return;
  kubernetes_.node_stopped(instance.id);
  timeline_.after(times_.reboot, [this, id = instance.id] {
    const Ec2Instance* now = aws_.instances().find(id);
    if (now != nullptr && now->state == InstanceState::running) kubernetes_.node_started(id, Duration{0});
  });
}

void ClusterNodes::instance_stopping(const Ec2Instance& instance) {
  kubernetes_.node_stopped(instance.id);
}

void ClusterNodes::instance_stopped(const Ec2Instance& instance) {
  kubernetes_.node_shut_down(instance.id);
}

void ClusterNodes::instance_shutting_down(const Ec2Instance& instance) {
  kubernetes_.node_stopped(instance.id);
}

void ClusterNodes::instance_terminated(const Ec2Instance& instance) {
  timeline_.after(times_.removal, [this, id = instance.id] { kubernetes_.remove_node(id); });
}

}  // namespace ferryman::sandbox
