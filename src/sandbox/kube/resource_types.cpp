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
    ResourceType{"", "v1", "persistentvolumeclaims", "persistentvolumeclaim", "PersistentVolumeClaim", true,
                 "pvc", "status"},
    ResourceType{"", "v1", "persistentvolumes", "persistentvolume", "PersistentVolume", false, "pv",
                 "status"},
    ResourceType{"", "v1", "pods", "pod", "Pod", true, "po", "eviction status", "", true},
    ResourceType{"", "v1", "secrets", "secret", "Secret", true, "", ""},
    ResourceType{"", "v1", "serviceaccounts", "serviceaccount", "ServiceAccount", true, "sa", "token"},
    ResourceType{"", "v1", "services", "service", "Service", true, "svc", "status", "", true},
    ResourceType{"apps", "v1", "daemonsets", "daemonset", "DaemonSet", true, "ds", "status", "apps.DaemonSet",
                 true},
    ResourceType{"apps", "v1", "deployments", "deployment", "Deployment", true, "deploy", "status",
                 "apps.Deployment", true},
    ResourceType{"apps", "v1", "replicasets", "replicaset", "ReplicaSet", true, "rs", "status",
                 "apps.ReplicaSet", true},
    ResourceType{"apps", "v1", "statefulsets", "statefulset", "StatefulSet", true, "sts", "status",
                 "apps.StatefulSet", true},
    ResourceType{"authentication.k8s.io", "v1", "selfsubjectreviews", "selfsubjectreview",
                 "SelfSubjectReview", false, "", "", "authentication.SelfSubjectReview", false, false},
    ResourceType{"authorization.k8s.io", "v1", "localsubjectaccessreviews", "localsubjectaccessreview",
                 "LocalSubjectAccessReview", true, "", "", "authorization.LocalSubjectAccessReview", false,
                 false},
    ResourceType{"authorization.k8s.io", "v1", "selfsubjectaccessreviews", "selfsubjectaccessreview",
                 "SelfSubjectAccessReview", false, "", "", "authorization.SelfSubjectAccessReview", false,
                 false},
    ResourceType{"authorization.k8s.io", "v1", "selfsubjectrulesreviews", "selfsubjectrulesreview",
                 "SelfSubjectRulesReview", false, "", "", "authorization.SelfSubjectRulesReview", false,
                 false},
    ResourceType{"authorization.k8s.io", "v1", "subjectaccessreviews", "subjectaccessreview",
                 "SubjectAccessReview", false, "", "", "authorization.SubjectAccessReview", false, false},
    ResourceType{"batch", "v1", "cronjobs", "cronjob", "CronJob", true, "cj", "status", "batch.CronJob",
                 true},
    ResourceType{"batch", "v1", "jobs", "job", "Job", true, "", "status", "batch.Job", true},
    ResourceType{"coordination.k8s.io", "v1", "leases", "lease", "Lease", true, "", "", "coordination.Lease"},
    ResourceType{"discovery.k8s.io", "v1", "endpointslices", "endpointslice", "EndpointSlice", true, "", "",
                 "discovery.EndpointSlice"},
    ResourceType{"elbv2.k8s.aws", "v1beta1", "targetgroupbindings", "targetgroupbinding",
                 "TargetGroupBinding", true, "", "status", "o"},
    ResourceType{"events.k8s.io", "v1", "events", "event", "Event", true, "ev", "", "events.Event"},
    ResourceType{"policy", "v1", "poddisruptionbudgets", "poddisruptionbudget", "PodDisruptionBudget", true,
                 "pdb", "status", "policy.PodDisruptionBudget"},
    ResourceType{"rbac.authorization.k8s.io", "v1", "clusterrolebindings", "clusterrolebinding",
                 "ClusterRoleBinding", false, "", "", "rbac.ClusterRoleBinding"},
    ResourceType{"rbac.authorization.k8s.io", "v1", "clusterroles", "clusterrole", "ClusterRole", false, "",
                 "", "rbac.ClusterRole"},
    ResourceType{"rbac.authorization.k8s.io", "v1", "rolebindings", "rolebinding", "RoleBinding", true, "",
                 "", "rbac.RoleBinding"},
    ResourceType{"rbac.authorization.k8s.io", "v1", "roles", "role", "Role", true, "", "", "rbac.Role"},
    ResourceType{"scheduling.k8s.io", "v1", "priorityclasses", "priorityclass", "PriorityClass", false, "pc",
                 "", "scheduling.PriorityClass"},
    ResourceType{"storage.k8s.io", "v1", "volumeattachments", "volumeattachment", "VolumeAttachment", false,
                 "", "status", "storage.VolumeAttachment"},
};

}  // namespace

std::string ResourceType::api_version() const {
  return group.empty() ? std::string(version) : std::string(group) + "/" + std::string(version);
}

std::string ResourceType::qualified() const {
  return group.empty() ? std::string(resource) : std::string(resource) + "." + std::string(group);
}

bool ResourceType::has_subresource(std::string_view name) const {
  std::string_view left = subresources;
  while (!left.empty()) {
    const std::string_view one = left.substr(0, left.find(' '));
    if (one == name) return true;
    left.remove_prefix(std::min(one.size() + 1, left.size()));
  }
  return false;
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
