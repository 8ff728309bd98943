// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/namespaces.h"

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/pod_objects.h"
#include "sandbox/kube/resource_types.h"

namespace ferryman::sandbox {

Namespaces::Namespaces(ClusterState& state, Kubelets& kubelets) : state_(state), kubelets_(kubelets) {
  state_.objects.listen([this](std::string_view resource, const Change& change) {
    if (resource != "pods" || change.kind != Change::Kind::deleted) return;
    std::string space = key_of(*change.object).space;
    if (!ends(space)) return;
    // A listener changes nothing itself.
    state_.timeline.after(Duration{0}, [this, name = std::move(space)] { finish_if_empty(name); });
  });
}

bool Namespaces::ends(const std::string& name) const {
  const ObjectPtr space = state_.objects.find("namespaces", {"", name});
  return space != nullptr && !text_at(*space, "metadata.deletionTimestamp").empty();
}

std::vector<ObjectKey> Namespaces::pods_of(const std::string& name) const {
  std::vector<ObjectKey> keys;
  for (const ObjectPtr& pod : state_.objects.list("pods")) {
    ObjectKey key = key_of(*pod);
    if (key.space == name) keys.push_back(std::move(key));
  }
  return keys;
}

void Namespaces::end(const std::string& name, Duration pods_after) {
  const ObjectPtr now = state_.objects.find("namespaces", {"", name});
  if (now == nullptr || ends(name)) return;
  json::value space = *now;
  make_at(space, "metadata.deletionTimestamp") = format_rfc3339(state_.clock.wall());
  make_at(space, "status.phase") = "Terminating";
  state_.objects.update("namespaces", {"", name}, std::move(space));
  state_.timeline.after(pods_after, [this, name] { delete_pods(name); });
}

void Namespaces::delete_pods(const std::string& name) {
  if (!ends(name)) return;
  for (const ObjectKey& key : pods_of(name)) {
    const ObjectPtr pod = state_.objects.find("pods", key);
    if (pod != nullptr) kubelets_.delete_pod(key, grace_of(*pod));
  }
  finish_if_empty(name);
}

void Namespaces::finish_if_empty(const std::string& name) {
  if (!ends(name) || !pods_of(name).empty()) return;
  for (const ResourceType& type : resource_types()) {
    if (!type.namespaced || !type.stored) continue;
    for (const ObjectPtr& object : state_.objects.list(type.resource)) {
      const ObjectKey key = key_of(*object);
      if (key.space == name) state_.objects.remove(type.resource, key);
    }
  }
  state_.objects.remove("namespaces", {"", name});
}

}  // namespace ferryman::sandbox
