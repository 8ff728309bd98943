// SPDX-License-Identifier: Apache-2.0
// TargetGroups: what Elastic Load Balancing version 2 sends traffic to. A registration is an id and a port; a
// new one is `initial`, then `healthy`; a deregistered one is `draining` for the group's delay, then gone. A
// terminated instance drops out at once. Who gets new requests is another matter (continued_service.h).
// Errors carry the service's code. Facts: target.registered, target.draining, target.gone, with instance (or
// ip), group (its ARN) and port.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/aws/continued_service.h"
#include "sandbox/aws/instances.h"
#include "sandbox/aws/target_key.h"
#include "sandbox/journal.h"
#include "sandbox/timeline.h"

namespace ferryman::sandbox {

class TargetGroupSpec {
 public:
  TargetGroupSpec() = default;

  std::string name;
  std::string target_type = "instance";  // or "ip"
  std::string protocol = "HTTP";
  std::uint16_t port = 80;
  std::chrono::seconds deregistration_delay{300};
  std::string load_balancer;              // its ARN; empty: no balancer uses the group
  std::vector<std::uint16_t> node_ports;  // every node of the cluster is registered under each of these
  std::string pods_of_app;  // of type "ip": the pods with this label app are its targets; may be empty
  std::map<std::string, std::string> tags;
};

/// As a call names one; without a port the group's is meant.
class TargetName {
 public:
  std::string id;
  std::optional<std::uint16_t> port;
};

enum class TargetState : std::uint8_t { initial, healthy, draining };

class Registration {
 public:
  TargetState state = TargetState::initial;
  Timeline::Ticket timer = 0;  // to the next state
};

class TargetGroup {
 public:
  TargetGroup() = default;

  TargetGroupSpec spec;
  std::string arn;
  std::map<TargetKey, Registration> targets;
};

class TargetStatus {
 public:
  TargetKey target;
  std::string state;        // "draining"
  std::string reason;       // "Target.DeregistrationInProgress"; empty for healthy ones
  std::string description;  // in words
};

class TargetGroups final : public InstanceObserver {
 public:
  TargetGroups(Instances& instances, ContinuedService& continued, Timeline& timeline, Random& random,
               Journal& journal, const AwsSettings& settings);

  TargetGroup& create(const TargetGroupSpec& spec);
  /// Deleted, with all its registrations.
  void destroy(const std::string& arn);

  /// Registered; healthy at once (since before the story began) or after a while.
  void enroll(TargetGroup& group, const TargetKey& target, bool healthy);

  /// All or none. Errors: "ValidationError", "InvalidTarget".
  Result<void> register_targets(TargetGroup& group, const std::vector<TargetName>& names);
  Result<void> deregister_targets(TargetGroup& group, const std::vector<TargetName>& names);

  /// Of all registrations, or of those that are named. Errors: the same.
  Result<std::vector<TargetStatus>> health(const TargetGroup& group, const std::vector<TargetName>& names);

  /// To whom the group's balancer sends new requests now: healthy targets, and some that have left. None: it
  /// answers 503 itself.
  [[nodiscard]] std::vector<TargetKey> recipients(const TargetGroup& group) const;

  /// Nobody answers at this instance or address any more: traffic.lost for each balancer that sends to it.
  void lose(const std::string& id);

  /// Null when there is none.
  [[nodiscard]] TargetGroup* find(const std::string& arn);
  [[nodiscard]] std::map<std::string, TargetGroup>& all() { return groups_; }

  void instance_shutting_down(const Ec2Instance& instance) override;
  void instance_terminated(const Ec2Instance& instance) override;

 private:
  Result<TargetKey> key_of(const TargetGroup& group, const TargetName& name);
  void drain(TargetGroup& group, const TargetKey& target);
  void remove(TargetGroup& group, const TargetKey& target, const char* how);
  void fact(const char* what, const TargetGroup& group, const TargetKey& target, std::string how = {});

  Instances& instances_;
  ContinuedService& continued_;
  Timeline& timeline_;
  Random& random_;
  Journal& journal_;
  const AwsSettings& settings_;
  std::map<std::string, TargetGroup> groups_;  // by ARN
};

}  // namespace ferryman::sandbox
