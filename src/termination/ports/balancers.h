// SPDX-License-Identifier: Apache-2.0
// Balancers: what the product asks of Elastic Load Balancing, version 2 (target groups) and classic. Adapter:
// aws/balancers. It fetches and writes; it decides nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/ids.h"
#include "base/result.h"
#include "base/task.h"

namespace ferryman::termination {

enum class BalancerType : std::uint8_t { application, network, gateway, classic, unknown };

class TargetGroup {
 public:
  TargetGroup() = default;

  std::string arn;
  std::string name;
  std::string target_type;  // "instance", "ip", "lambda", "alb"
  std::string protocol;     // "HTTP", "HTTPS", "TCP", "TLS", "UDP", "TCP_UDP", "GENEVE"
  std::string vpc;          // its id; empty for functions
  /// By the protocol: HTTP and HTTPS are application, GENEVE is gateway, the others are network.
  BalancerType type = BalancerType::unknown;
};

/// A target group's tags.
using TargetGroupTags = std::map<std::string, std::string>;

/// One registration. The same instance on two ports is two targets. In groups of target type "ip" the id is
/// an address.
class Target {
 public:
  Target() = default;
  Target(InstanceId instance_in, std::uint16_t port_in)
      : instance_id(std::move(instance_in)), port(port_in) {}
  friend auto operator<=>(const Target&, const Target&) = default;

  InstanceId instance_id;
  std::uint16_t port = 0;
};

class TargetHealth {
 public:
  TargetHealth() = default;

  Target target;
  std::string state;   // "initial", "healthy", "unhealthy", "unused", "draining", "unavailable"
  std::string reason;  // "Target.NotRegistered", "Target.DeregistrationInProgress", …
};

class ClassicBalancer {
 public:
  ClassicBalancer() = default;

  std::string name;
  std::vector<InstanceId> instances;
};

class ClassicHealth {
 public:
  ClassicHealth() = default;

  InstanceId instance_id;
  std::string state;        // "InService", "OutOfService", "Unknown"
  std::string description;  // "Instance is not currently registered with the LoadBalancer."
};

class Balancers {
 public:
  virtual ~Balancers() = default;

  /// All target groups of the account and region, all pages.
  virtual Task<Result<std::vector<TargetGroup>>> target_groups(Deadline deadline) = 0;

  /// The tags of at most 20 target groups, by ARN. not_found: one of them is gone.
  virtual Task<Result<std::map<std::string, TargetGroupTags>>> target_group_tags(
      std::vector<std::string> group_arns, Deadline deadline) = 0;

  /// All targets of the group; or, when `targets` is not empty, only those: one that is not registered comes
  /// back as "unused" with the reason "Target.NotRegistered". not_found: no such group (any more).
  virtual Task<Result<std::vector<TargetHealth>>> target_health(std::string group_arn,
                                                                std::vector<Target> targets,
                                                                Deadline deadline) = 0;

  /// DescribeTargetGroupAttributes: deregistration_delay.timeout_seconds, 0–3600. not_found: no such group.
  virtual Task<Result<std::chrono::seconds>> deregistration_delay(std::string group_arn,
                                                                  Deadline deadline) = 0;

  /// At most 200 targets. invalid with code "InvalidTarget": one of them is bad, none was deregistered.
  /// not_found: no such group (any more). What is not registered is no error.
  virtual Task<Result<void>> deregister(std::string group_arn, std::vector<Target> targets,
                                        Deadline deadline) = 0;

  /// At most 200 targets; registers each (instance, port) again.
  virtual Task<Result<void>> register_again(std::string group_arn, std::vector<Target> targets,
                                            Deadline deadline) = 0;

  /// All classic balancers with their instances, all pages.
  virtual Task<Result<std::vector<ClassicBalancer>>> classic_balancers(Deadline deadline) = 0;

  /// Of at most 200 instances; none named: of all. An instance that is not registered: invalid with code
  /// "InvalidInstance".
  virtual Task<Result<std::vector<ClassicHealth>>> classic_health(std::string name,
                                                                  std::vector<InstanceId> instances,
                                                                  Deadline deadline) = 0;

  /// ConnectionDraining: its timeout when enabled, else 0 s.
  virtual Task<Result<std::chrono::seconds>> classic_draining(std::string name, Deadline deadline) = 0;

  /// Errors as classic_health; not_found: no such balancer (any more).
  virtual Task<Result<void>> classic_deregister(std::string name, std::vector<InstanceId> instances,
                                                Deadline deadline) = 0;
  virtual Task<Result<void>> classic_register(std::string name, std::vector<InstanceId> instances,
                                              Deadline deadline) = 0;
};

}  // namespace ferryman::termination
