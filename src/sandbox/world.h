// SPDX-License-Identifier: Apache-2.0
// World: the sandbox's AWS and Kubernetes as one: Nodes follow instances (cluster_nodes.h). Serves both APIs,
// with faults on order in front of each.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "base/random.h"
#include "base/scope.h"
#include "sandbox/aws/aws_call_form.h"
#include "sandbox/aws/aws_handler.h"
#include "sandbox/cluster_nodes.h"
#include "sandbox/faults.h"
#include "sandbox/kube/kube_handler.h"
#include "sandbox/kube/kube_world.h"
#include "sandbox/kube_call_form.h"
#include "sandbox/pod_targets.h"

namespace ferryman::sandbox {

class WorldSettings {
 public:
  WorldSettings() = default;

  AwsSettings aws;
  std::string cluster = "sandbox";  // instances with the tag kubernetes.io/cluster/<cluster> become Nodes
  NodeTimes nodes;
  bool check_signatures = true;                  // AWS
  AccessRights aws_rights;                       // of every caller
  bool check_tokens = true;                      // Kubernetes
  std::optional<json::array> kubernetes_rights;  // PolicyRules of the token's user, else an administrator
  std::uint64_t seed = 1;
};

class World final {
 public:
  /// The world's own doings run in the scope, which may outlive it.
  World(Clock& clock, Scope& scope, WorldSettings settings = {});
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// A member of the group and its Node, Ready since before the story began.
  InstanceId start_node(Group& group) { return nodes_.start(group); }

  /// What the tag of this cluster's instances is called.
  [[nodiscard]] const std::string& cluster_tag() const { return nodes_.tag(); }

  [[nodiscard]] net::HttpHandler& aws_endpoint() { return aws_endpoint_; }
  [[nodiscard]] net::HttpHandler& kubernetes_endpoint() { return kubernetes_endpoint_; }

  /// What clients sign with, and the bearer token for Kubernetes.
  [[nodiscard]] const AccessKey& access_key() const { return access_key_; }
  [[nodiscard]] const Secret& token() const { return token_; }

  [[nodiscard]] Clock& clock() { return clock_; }
  [[nodiscard]] Journal& journal() { return journal_; }
  [[nodiscard]] AwsWorld& aws() { return aws_; }
  [[nodiscard]] ClusterNodes& nodes() { return nodes_; }
  [[nodiscard]] PodTargets& pod_targets() { return pod_targets_; }
  [[nodiscard]] KubeWorld& kubernetes() { return kubernetes_; }
  [[nodiscard]] KubeHandler& api_server() { return api_server_; }
  /// Another bearer token for Kubernetes, of a user who may do what the rules allow.
  Secret add_token(const std::string& user, json::array rules);
  [[nodiscard]] AccessKeys& keys() { return keys_; }
  [[nodiscard]] Faults& faults() { return faults_; }

 private:
  Clock& clock_;
  WorldSettings settings_;
  Random random_;
  Journal journal_;
  Timeline timeline_;
  AwsWorld aws_;
  AccessKeys keys_;
  AwsHandler aws_handler_;
  KubeWorld kubernetes_;
  ClusterNodes nodes_;
  PodTargets pod_targets_;
  KubeHandler api_server_;
  Faults faults_;
  AwsCallForm aws_form_;
  KubeCallForm kube_form_;
  FaultyHandler aws_endpoint_;
  FaultyHandler kubernetes_endpoint_;
  AccessKey access_key_;
  Secret token_;
};

}  // namespace ferryman::sandbox
