// SPDX-License-Identifier: Apache-2.0
// ClassicBalancers: Classic Load Balancers and their instances. A new one is out of service for a while; a
// deregistered one stays InService ("deregistration currently in progress") for as long as connections drain.
// Terminated instances drop out. Errors carry the service's code. Facts: target.registered, target.draining,
// target.gone, with instance, group (the balancer's name) and port.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/aws/instances.h"
#include "sandbox/aws/target_groups.h"

namespace ferryman::sandbox {

class ClassicBalancerSpec {
 public:
  ClassicBalancerSpec() = default;

  std::string name;
  std::uint16_t instance_port = 80;
  bool connection_draining = true;
  std::chrono::seconds draining_timeout{300};
  bool all_nodes = false;  // every node of the cluster is registered
  std::map<std::string, std::string> tags;
};

class ClassicBalancer {
 public:
  ClassicBalancer() = default;

  ClassicBalancerSpec spec;
  std::string dns_name;
  WallTime created;
  std::map<InstanceId, Registration> instances;
};

class InstanceHealth {
 public:
  InstanceId id;
  std::string state;        // "InService", "OutOfService"
  std::string reason_code;  // "ELB", "Instance", "N/A"
  std::string description;
};

class ClassicBalancers final : public InstanceObserver {
 public:
  ClassicBalancers(Instances& instances, ContinuedService& continued, Timeline& timeline, Random& random,
                   Journal& journal, const AwsSettings& settings);

  ClassicBalancer& create(const ClassicBalancerSpec& spec);

  /// Registered; in service at once (since before the story began) or after a while.
  void enroll(ClassicBalancer& balancer, const InstanceId& id, bool in_service);

  /// All or none. Error: "InvalidInstance".
  Result<void> register_instances(ClassicBalancer& balancer, const std::vector<InstanceId>& ids);
  Result<void> deregister_instances(ClassicBalancer& balancer, const std::vector<InstanceId>& ids);

  /// Of all that are registered, or of those that are named, registered or not; terminated ones are left out.
  /// Error: "InvalidInstance".
  Result<std::vector<InstanceHealth>> health(const ClassicBalancer& balancer,
                                             const std::vector<InstanceId>& ids);

  /// To whom it sends new requests now: those in service, and some that have left. None: it answers 503
  /// itself.
  [[nodiscard]] std::vector<TargetKey> recipients(const ClassicBalancer& balancer) const;

  /// Null when there is none.
  [[nodiscard]] ClassicBalancer* find(const std::string& name);
  [[nodiscard]] std::map<std::string, ClassicBalancer>& all() { return balancers_; }

  void instance_shutting_down(const Ec2Instance& instance) override;
  void instance_terminated(const Ec2Instance& instance) override;

 private:
  Result<void> check_known(const std::vector<InstanceId>& ids);
  void drain(ClassicBalancer& balancer, const InstanceId& id);
  void remove(ClassicBalancer& balancer, const InstanceId& id, const char* how);
  void fact(const char* what, const ClassicBalancer& balancer, const InstanceId& id, std::string how = {});

  Instances& instances_;
  ContinuedService& continued_;
  Timeline& timeline_;
  Random& random_;
  Journal& journal_;
  const AwsSettings& settings_;
  std::map<std::string, ClassicBalancer> balancers_;  // by name
};

}  // namespace ferryman::sandbox
