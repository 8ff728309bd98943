// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/resource_types.h"

#include <algorithm>
#include <array>

namespace ferryman::sandbox {

namespace {

constexpr std::array types = {
    ResourceType{"", "v1", "configmaps", "configmap", "ConfigMap", true, "cm", ""},
    ResourceType{"", "v1", "endpoints", "endpoints", "Endpoints", true, "ep", ""},
    ResourceType{"", "v1", "events", "event", "Event", true, "ev", ""},
    ResourceType{"", "v1", "namespaces", "namespace", "Namespace", false, "ns", "status"},
    ResourceType{"", "v1", "nodes", "node", "Node", false, "no", "status"},
    ResourceType{"", "v1", "pods", "pod", "Pod", true, "po", "eviction status"},
    ResourceType{"", "v1", "services", "service", "Service", true, "svc", "status"},
    ResourceType{"apps", "v1", "daemonsets", "daemonset", "DaemonSet", true, "ds", "status"},
    ResourceType{"apps", "v1", "deployments", "deployment", "Deployment", true, "deploy", "status"},
    ResourceType{"apps", "v1", "replicasets", "replicaset", "ReplicaSet", true, "rs", "status"},
    ResourceType{"apps", "v1", "statefulsets", "statefulset", "StatefulSet", true, "sts", "status"},
    ResourceType{"batch", "v1", "jobs", "job", "Job", true, "", "status"},
    ResourceType{"coordination.k8s.io", "v1", "leases", "lease", "Lease", true, "", ""},
    ResourceType{"discovery.k8s.io", "v1", "endpointslices", "endpointslice", "EndpointSlice", true, "", ""},
    ResourceType{"policy", "v1", "poddisruptionbudgets", "poddisruptionbudget", "PodDisruptionBudget", true,
                 "pdb", "status"},
    ResourceType{"storage.k8s.io", "v1", "volumeattachments", "volumeattachment", "VolumeAttachment", false,
                 "", "status"},
};

}  // namespace

std::string ResourceType::api_version() const {
  return group.empty() ? std::string(version) : std::string(group) + "/" + std::string(version);
}

std::string ResourceType::qualified() const {
  return group.empty() ? std::string(resource) : std::string(resource) + "." + std::string(group);
}

std::span<const ResourceType> resource_types() {
  return types;
}

const ResourceType* find_resource(std::string_view group, std::string_view version,
                                  std::string_view resource) {
  const auto found = std::find_if(types.begin(), types.end(), [&](const ResourceType& type) {
    return type.group == group && type.version == version && type.resource == resource;
  });
  return found == types.end() ? nullptr : &*found;
}

}  // namespace ferryman::sandbox
