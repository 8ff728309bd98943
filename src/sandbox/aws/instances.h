// SPDX-License-Identifier: Apache-2.0
// Instances: EC2's part of the world. An instance goes pending, running, shutting-down, terminated, and is
// forgotten after a while; or stopping, stopped, and pending again under the same id. Facts:
// instance.launched (with its tags), then "instance." and the state at each state; instance.rebooted.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/random.h"
#include "sandbox/aws/aws_settings.h"
#include "sandbox/journal.h"
#include "sandbox/timeline.h"

namespace ferryman::sandbox {

/// From shutting_down on there is no way back.
enum class InstanceState : std::uint8_t { pending, running, stopping, stopped, shutting_down, terminated };

/// EC2's own words and numbers: "shutting-down", 32.
std::string_view name_of(InstanceState state);
int code_of(InstanceState state);

class Ec2Instance {
 public:
  Ec2Instance() = default;

  InstanceId id;
  std::string zone;  // "us-west-2a"
  std::string private_ip;
  std::string private_dns_name;  // "ip-10-0-0-7.us-west-2.compute.internal"
  InstanceState state = InstanceState::pending;
  WallTime launched;
  std::map<std::string, std::string> tags;
  int starts = 1;  // how often it was started, the launch included
};

/// Follows the instances; called on the event loop, after the fact is journaled.
class InstanceObserver {
 public:
  virtual ~InstanceObserver() = default;

  /// At every state.
  virtual void instance_changed(const Ec2Instance& /*instance*/) {}
  virtual void instance_launched(const Ec2Instance& /*instance*/) {}
  virtual void instance_running(const Ec2Instance& /*instance*/) {}
  virtual void instance_rebooted(const Ec2Instance& /*instance*/) {}
  virtual void instance_stopping(const Ec2Instance& /*instance*/) {}
  virtual void instance_stopped(const Ec2Instance& /*instance*/) {}
  virtual void instance_shutting_down(const Ec2Instance& /*instance*/) {}
  virtual void instance_terminated(const Ec2Instance& /*instance*/) {}
};

class LaunchSpec {
 public:
  LaunchSpec() = default;

  InstanceId id;         // empty: a fresh one
  std::string zone;      // empty: a, b and c in turn
  bool running = false;  // there since before the story began: no boot time
  std::map<std::string, std::string> tags;
};

class Instances {
 public:
  Instances(Timeline& timeline, Random& random, Journal& journal, const AwsSettings& settings)
      : timeline_(timeline), random_(random), journal_(journal), settings_(settings) {}

  InstanceId launch(const LaunchSpec& spec);
  /// False when EC2 knows no such instance or it is ending already.
  bool shut_down(const InstanceId& id);
  /// False unless it runs or boots.
  bool stop(const InstanceId& id);
  /// Under the same id and addresses. False unless it is stopped.
  bool start(const InstanceId& id);
  /// EC2 shows nothing of it; the observers hear of it. False unless it runs.
  bool reboot(const InstanceId& id);

  /// Null: unknown, or forgotten since.
  [[nodiscard]] const Ec2Instance* find(const InstanceId& id) const;
  [[nodiscard]] const std::map<InstanceId, Ec2Instance>& all() const { return instances_; }

  /// Observers are called in the order they came, and must outlive this.
  void observe(InstanceObserver& observer) { observers_.push_back(&observer); }

 private:
  void enter(const InstanceId& id, InstanceState state);
  void boot(const InstanceId& id);
  [[nodiscard]] bool is(const InstanceId& id, InstanceState state) const;
  void tell(const Ec2Instance& instance);

  Timeline& timeline_;
  Random& random_;
  Journal& journal_;
  const AwsSettings& settings_;
  std::map<InstanceId, Ec2Instance> instances_;
  std::vector<InstanceObserver*> observers_;
  std::uint32_t launched_ = 0;
};

}  // namespace ferryman::sandbox
