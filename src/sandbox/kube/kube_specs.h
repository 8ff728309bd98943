// SPDX-License-Identifier: Apache-2.0
// What a scenario asks the sandbox's Kubernetes to hold: nodes, deployments, daemon sets, single pods.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "base/time.h"

namespace ferryman::sandbox {

class NodeSpec {
 public:
  NodeSpec() = default;
  NodeSpec(std::string name_in, InstanceId instance_id_in)
      : name(std::move(name_in)), instance_id(std::move(instance_id_in)) {}

  std::string name;
  InstanceId instance_id;
  std::string zone = "us-west-2a";
  std::string instance_type = "m5.large";
  std::string internal_ip;                    // empty: the next free one of 10.0.0.0/16
  std::map<std::string, std::string> labels;  // besides the usual ones
  Duration ready_after{0};                    // from registration to Ready
};

/// How the containers of a pod behave.
class PodBehaviour {
 public:
  PodBehaviour() = default;

  std::chrono::seconds grace{30};  // spec.terminationGracePeriodSeconds
  Duration end_time{
      std::chrono::seconds{1}};  // from SIGTERM to the end; longer than the grace: killed at its end
  Duration ready_after{0};       // from the binding to Ready
  std::int32_t priority = 0;
  std::string priority_class;  // whose value `priority` is; empty: none
  bool host_network = false;
  bool empty_dir = false;           // a volume that ends with the pod
  std::vector<std::string> claims;  // PersistentVolumeClaims that it mounts
  bool stuck = false;               // its containers never end: only a forced deletion removes it
  bool crash_looping = false;       // never Ready
};

/// A pod on its own. Nobody makes it again, even where it names an owner.
class PodSpec {
 public:
  PodSpec() = default;

  std::string pod_namespace = "default";
  std::string name;
  std::map<std::string, std::string> labels;
  PodBehaviour behaviour;
  std::string node_name;  // empty: the scheduler chooses
  std::map<std::string, std::string> annotations;
  std::string owner_kind;         // of a controller "NAME-owner" that does not exist; empty: none
  std::string phase = "Running";  // or "Succeeded", "Failed", "Pending"
};

class DeploymentSpec {
 public:
  DeploymentSpec() = default;
  DeploymentSpec(std::string name_in, int replicas_in) : name(std::move(name_in)), replicas(replicas_in) {}

  std::string deployment_namespace = "default";
  std::string name;
  int replicas = 1;
  PodBehaviour pods;
  std::optional<int> min_available;           // makes a PodDisruptionBudget of the deployment's name
  std::map<std::string, std::string> labels;  // of the pods, besides app=NAME
  std::map<std::string, std::string> annotations;
};

class DaemonSetSpec {
 public:
  DaemonSetSpec() = default;
  DaemonSetSpec(std::string namespace_in, std::string name_in)
      : set_namespace(std::move(namespace_in)), name(std::move(name_in)) {}

  std::string set_namespace = "kube-system";
  std::string name;
  PodBehaviour pods;
};

/// A claim with its volume, attached to a node for the pods that mount it there.
class VolumeSpec {
 public:
  VolumeSpec() = default;
  VolumeSpec(std::string claim_in, std::string node_name_in)
      : claim(std::move(claim_in)), node_name(std::move(node_name_in)) {}

  std::string claim_namespace = "default";
  std::string claim;
  std::string node_name;                     // empty: not attached
  Duration detach{std::chrono::seconds{5}};  // from the last pod's end to the attachment's
};

}  // namespace ferryman::sandbox
