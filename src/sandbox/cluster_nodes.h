// SPDX-License-Identifier: Apache-2.0
// ClusterNodes: one cluster's Nodes follow its instances, which carry its tag. One that runs joins, and is
// registered with the load balancers that want all nodes; one that stops or reboots falls silent and comes
// back under another boot id; the Node of a terminated one is removed.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "sandbox/aws/aws_world.h"
#include "sandbox/kube/kube_world.h"

namespace ferryman::sandbox {

class NodeTimes {
 public:
  NodeTimes() = default;

  Duration join = std::chrono::seconds{20};     // running to registered, and to a known Node's new start
  Duration ready = std::chrono::seconds{10};    // registered to Ready
  Duration reboot = std::chrono::seconds{25};   // silent to started again
  Duration removal = std::chrono::seconds{10};  // terminated to the Node's removal

  // In how many of those that want all nodes each is registered; 0: in each of them.
  int target_groups = 0;
  int classic_elbs = 0;
};

class ClusterNodes final : public InstanceObserver {
 public:
  /// Both worlds and the timeline must outlive it. `tag`: the key that the cluster's instances carry.
  ClusterNodes(AwsWorld& aws, KubeWorld& kubernetes, Timeline& timeline, std::string tag, NodeTimes times);
  ClusterNodes(const ClusterNodes&) = delete;
  ClusterNodes& operator=(const ClusterNodes&) = delete;

  /// A member of the group and its Node, Ready since before the story began.
  InstanceId start(Group& group);
  /// A member that runs from now on, and whose Node joins so long after; empty: it never joins.
  InstanceId start_late(Group& group, std::optional<Duration> join);

  [[nodiscard]] const std::string& tag() const { return tag_; }

 private:
  void instance_running(const Ec2Instance& instance) override;
  void instance_rebooted(const Ec2Instance& instance) override;
  void instance_stopping(const Ec2Instance& instance) override;
  void instance_stopped(const Ec2Instance& instance) override;
  void instance_shutting_down(const Ec2Instance& instance) override;
  void instance_terminated(const Ec2Instance& instance) override;

  InstanceId launch(Group& group);
  [[nodiscard]] bool ours(const Ec2Instance& instance) const { return instance.tags.contains(tag_); }
  void join(const InstanceId& id, Duration ready_after);
  void enroll(const InstanceId& id, bool healthy);

  AwsWorld& aws_;
  KubeWorld& kubernetes_;
  Timeline& timeline_;
  std::string tag_;
  NodeTimes times_;
  std::size_t enrolled_ = 0;                     // nodes, so far
  bool starting_ = false;                        // what runs now is Ready since before the story began
  std::optional<std::optional<Duration>> late_;  // what runs now joins so late, or never
};

}  // namespace ferryman::sandbox
