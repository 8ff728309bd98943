// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/taint_evictions.h"

#include <algorithm>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/node_objects.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

namespace {

constexpr Duration reaction = std::chrono::milliseconds{100};
constexpr Duration collection = std::chrono::seconds{20};  // --pod-gc-period of a small cluster

bool is_no_execute(const json::value& taint) {
  return string_at(taint, "effect") == "NoExecute";
}

bool has_no_execute(const json::value& node) {
  const json::array* taints = array_at(find(node, "spec"), "taints");
  return taints != nullptr && std::any_of(taints->begin(), taints->end(), is_no_execute);
}

}  // namespace

TaintEvictions::TaintEvictions(ClusterState& state, Kubelets& kubelets) : state_(state), kubelets_(kubelets) {
  state_.objects.listen([this](std::string_view resource, const Change& change) {
    if (resource == "nodes") {
      const std::string name = key_of(*change.object).name;
      const bool tainted = change.kind != Change::Kind::deleted && has_no_execute(*change.object);
      if (!tainted) tainted_.erase(name);
      if (tainted && tainted_.insert(name).second) look_soon();
      if (tainted && change.before != nullptr &&
          *find(*change.before, "spec") != *find(*change.object, "spec"))
        look_soon();
    } else if (resource == "pods" && change.kind == Change::Kind::added &&
               tainted_.contains(std::string(node_of(*change.object)))) {
      look_soon();
    }
  });
}

void TaintEvictions::look_soon() {
  if (looking_) return;
  looking_ = true;
  state_.timeline.after(reaction, [this] { look(); });
}

void TaintEvictions::look() {
  looking_ = false;
  for (const std::string& name : std::set<std::string>(tainted_)) {
    const ObjectPtr node = state_.objects.find("nodes", {"", name});
    if (node != nullptr) look_at(*node);
  }
}

void TaintEvictions::look_at(const json::value& node) {
  const std::string name(text_at(node, "metadata.name"));
  for (const json::value& taint : *array_at(find(node, "spec"), "taints")) {
    if (!is_no_execute(taint)) continue;
    for (const auto& [key, pod] : PodLedger::Pods(state_.pods.on_node(name))) {
      if (is_mirror(*pod) || is_terminating(*pod)) continue;
      const auto tolerated = tolerated_for(*pod, taint);
      if (tolerated) plan(*pod, std::string(string_at(taint, "key")), *tolerated);
    }
  }
  if (has_taint(node, out_of_service_taint, "NoExecute") ||
      has_taint(node, out_of_service_taint, "NoSchedule")) {
    state_.timeline.after(collection, [this, name] { collect(name); });
  }
}

void TaintEvictions::plan(const json::value& pod, const std::string& taint_key, Duration tolerated) {
  const std::string uid(uid_of(pod));
  if (!planned_.emplace(uid, taint_key).second) return;
  state_.timeline.after(tolerated, [this, key = key_of(pod), uid, taint_key] { end(key, uid, taint_key); });
}

void TaintEvictions::end(const ObjectKey& key, const std::string& uid, const std::string& taint_key) {
  planned_.erase({uid, taint_key});
  const ObjectPtr pod = state_.objects.find("pods", key);
  if (pod == nullptr || uid_of(*pod) != uid || is_terminating(*pod)) return;
  const ObjectPtr node = state_.objects.find("nodes", {"", std::string(node_of(*pod))});
  if (node == nullptr || !has_taint(*node, taint_key, "NoExecute")) return;
  state_.journal.fact("pod.tainted_away", key.str(),
                      {{"uid", uid}, {"node", std::string(node_of(*pod))}, {"taint", taint_key}});
  kubelets_.delete_pod(key, grace_of(*pod));
}

void TaintEvictions::collect(const std::string& node_name) {
  const ObjectPtr node = state_.objects.find("nodes", {"", node_name});
  if (node == nullptr || is_node_ready(*node)) return;
  if (!has_taint(*node, out_of_service_taint, "NoExecute") &&
      !has_taint(*node, out_of_service_taint, "NoSchedule")) {
    return;
  }
  bool left = false;
  for (const auto& [key, pod] : PodLedger::Pods(state_.pods.on_node(node_name))) {
    if (is_terminating(*pod)) kubelets_.drop(key, "out of service");
    left = left || !is_terminating(*pod);
  }
  if (left) state_.timeline.after(collection, [this, node_name] { collect(node_name); });
}

}  // namespace ferryman::sandbox
