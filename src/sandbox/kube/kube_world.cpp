// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/kube_world.h"

#include <algorithm>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/node_objects.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

namespace {

// --node-monitor-grace-period: how long the node controller waits for a kubelet before it calls the Node
// Unknown.
constexpr Duration monitor_grace = std::chrono::seconds{40};

// How long the pod collector leaves a pod alone whose Node is gone.
constexpr Duration quarantine = std::chrono::seconds{40};

constexpr const char* shutdown_taint = "node.cloudprovider.kubernetes.io/shutdown";
constexpr const char* unreachable_taint = "node.kubernetes.io/unreachable";
constexpr const char* not_ready_taint = "node.kubernetes.io/not-ready";

std::map<std::string, std::string> facts_of(const json::value& node, const InstanceId& id) {
  return {{"uid", std::string(uid_of(node))}, {"instance", id.str()}};
}

InstanceId instance_of(const json::value& node) {
  return instance_id_of_provider(text_at(node, "spec.providerID")).value_or(InstanceId());
}

PodReport report_of(const json::value& pod) {
  PodReport report;
  report.pod_namespace = text_at(pod, "metadata.namespace");
  report.name = text_at(pod, "metadata.name");
  report.uid = Uid(std::string(uid_of(pod)));
  report.node_name = node_of(pod);
  report.owner_kind = owner_kind(pod);
  report.ready = is_pod_ready(pod);
  report.terminating = is_terminating(pod);
  return report;
}

}  // namespace

KubeWorld::KubeWorld(Clock& clock, Random& random, Scope& scope, Journal& journal)
    : state_(clock, random, scope, journal),
      kubelets_(state_),
      budgets_(state_),
      controllers_(state_, kubelets_, budgets_) {
  state_.objects.listen([this](std::string_view resource, const Change& change) {
    if (resource == "nodes" && change.kind == Change::Kind::deleted) on_node_deleted(*change.object);
  });
  for (const char* name : {"default", "kube-node-lease", "kube-public", "kube-system"}) add_namespace(name);
}

void KubeWorld::add_namespace(const std::string& name) {
  json::value space = json::object();
  make_at(space, "metadata.name") = name;
  make_at(space, "metadata.labels").emplace_object()["kubernetes.io/metadata.name"] = name;
  make_at(space, "spec.finalizers") = json::array{"kubernetes"};
  make_at(space, "status.phase") = "Active";
  state_.objects.create("namespaces", std::move(space));
}

void KubeWorld::add_node(const NodeSpec& spec) {
  NodeSpec filled = spec;
  if (filled.internal_ip.empty()) filled.internal_ip = kubelets_.next_ip("10.0");
  const std::string now = format_rfc3339(state_.clock.wall());
  const ObjectPtr node = state_.objects.create("nodes", node_object(filled, state_.objects.new_uid(), now));
  if (node == nullptr) return;
  state_.dead_kubelets.erase(filled.name);
  state_.unregistered.erase(filled.name);
  shut_down_.erase(filled.name);
  state_.journal.fact("node.added", filled.name, facts_of(*node, filled.instance_id));
  if (filled.ready_after.count() <= 0) return;
  state_.timeline.after(filled.ready_after, [this, key = key_of(*node), uid = std::string(uid_of(*node))] {
    become_ready(key, uid);
  });
}

void KubeWorld::add_deployment(const DeploymentSpec& spec) {
  add_namespace(spec.deployment_namespace);
  controllers_.add_deployment(spec);
}

void KubeWorld::add_daemon_set(const DaemonSetSpec& spec) {
  add_namespace(spec.set_namespace);
  controllers_.add_daemon_set(spec);
}

void KubeWorld::add_pod(const PodSpec& spec) {
  add_namespace(spec.pod_namespace);
  PodOwner owner;
  if (!spec.owner_kind.empty())
    owner = PodOwner(spec.owner_kind, spec.name + "-owner", state_.objects.new_uid());
  controllers_.create_pod(spec, owner, true);
}

void KubeWorld::add_budget(const ObjectKey& key, json::value spec) {
  json::value budget = json::object();
  make_at(budget, "metadata.name") = key.name;
  make_at(budget, "metadata.namespace") = key.space;
  make_at(budget, "metadata.generation") = 1;
  make_at(budget, "spec") = std::move(spec);
  add_namespace(key.space);
  state_.objects.create("poddisruptionbudgets", std::move(budget));
  budgets_.update_changed();
}

void KubeWorld::add_priority_class(const std::string& name, std::int32_t value) {
  json::value made = json::object();
  make_at(made, "metadata.name") = name;
  make_at(made, "value") = value;
  state_.objects.create("priorityclasses", std::move(made));
}

void KubeWorld::add_mirror_pod(const PodSpec& spec) {
  const ObjectPtr node = state_.objects.find("nodes", {"", spec.node_name});
  if (node == nullptr) return;
  PodSpec mirror = spec;
  mirror.name += "-" + spec.node_name;
  controllers_.create_pod(mirror, PodOwner("Node", spec.node_name, std::string(uid_of(*node))), true);
}

ObjectPtr KubeWorld::node_with(const InstanceId& id) const {
  for (const ObjectPtr& node : state_.objects.list("nodes")) {
    if (instance_of(*node) == id) return node;
  }
  return nullptr;
}

void KubeWorld::node_stopped(const InstanceId& id) {
  const ObjectPtr node = node_with(id);
  if (node == nullptr) return;
  const ObjectKey key = key_of(*node);
  state_.dead_kubelets.insert(key.name);
  state_.timeline.after(monitor_grace,
                        [this, key, uid = std::string(uid_of(*node))] { become_unknown(key, uid); });
}

void KubeWorld::become_ready(const ObjectKey& key, const std::string& uid) {
  const ObjectPtr at = state_.objects.find("nodes", key);
  if (at == nullptr || uid_of(*at) != uid || state_.dead_kubelets.contains(key.name)) return;
  json::value node = *at;
  set_node_ready(node, "True", format_rfc3339(state_.clock.wall()));
  remove_taint(node, not_ready_taint, "NoSchedule");
  state_.objects.update("nodes", key, std::move(node));
}

void KubeWorld::become_unknown(const ObjectKey& key, const std::string& uid) {
  const ObjectPtr at = state_.objects.find("nodes", key);
  if (at == nullptr || uid_of(*at) != uid || !state_.dead_kubelets.contains(key.name)) return;
  json::value node = *at;
  const std::string now = format_rfc3339(state_.clock.wall());
  set_node_ready(node, "Unknown", now);
  add_taint(node, unreachable_taint, "NoSchedule", now);
  add_taint(node, unreachable_taint, "NoExecute", now);
  if (shut_down_.contains(key.name)) add_taint(node, shutdown_taint, "NoSchedule", now);
  state_.objects.update("nodes", key, std::move(node));
  state_.journal.fact("node.unknown", key.name, facts_of(*at, instance_of(*at)));
  for (const auto& [pod_key, one] : PodLedger::Pods(state_.pods.on_node(key.name))) {
    if (!is_pod_ready(*one)) continue;
    json::value pod = *one;
    set_ready(pod, false, now);
    state_.objects.update("pods", pod_key, std::move(pod));
  }
}

void KubeWorld::remove_node(const InstanceId& id) {
  const ObjectPtr node = node_with(id);
  if (node == nullptr) return;
  const ObjectKey key = key_of(*node);
  // Before the Node goes: nobody is left to end its pods.
  state_.dead_kubelets.insert(key.name);
  state_.objects.remove("nodes", key);
}

void KubeWorld::on_node_deleted(const json::value& node) {
  const std::string name(text_at(node, "metadata.name"));
  state_.journal.fact("node.removed", name, facts_of(node, instance_of(node)));
  // A kubelet that runs goes on without its Node, and registers no new one until it is restarted.
  if (!state_.dead_kubelets.contains(name)) state_.unregistered.insert(name);
  state_.timeline.after(quarantine, [this, name] { collect_pods(name); });
}

void KubeWorld::collect_pods(const std::string& node_name) {
  if (state_.objects.find("nodes", {"", node_name}) != nullptr) return;
  for (const auto& [key, pod] : PodLedger::Pods(state_.pods.on_node(node_name)))
    kubelets_.drop(key, "node removed");
}

void KubeWorld::node_shut_down(const InstanceId& id) {
  const ObjectPtr at = node_with(id);
  if (at == nullptr) return;
  shut_down_.insert(key_of(*at).name);
  if (is_node_ready(*at)) return;
  json::value node = *at;
  add_taint(node, shutdown_taint, "NoSchedule", format_rfc3339(state_.clock.wall()));
  state_.objects.update("nodes", key_of(*at), std::move(node));
}

void KubeWorld::node_started(const InstanceId& id, Duration ready_after) {
  const ObjectPtr at = node_with(id);
  if (at == nullptr) return;
  const ObjectKey key = key_of(*at);
  state_.dead_kubelets.erase(key.name);
  shut_down_.erase(key.name);
  json::value node = *at;
  const std::string now = format_rfc3339(state_.clock.wall());
  make_at(node, "status.nodeInfo.bootID") = state_.objects.new_uid();
  set_node_ready(node, "False", now);
  remove_taint(node, unreachable_taint, "NoSchedule");
  remove_taint(node, unreachable_taint, "NoExecute");
  remove_taint(node, shutdown_taint, "NoSchedule");
  add_taint(node, not_ready_taint, "NoSchedule", now);
  state_.objects.update("nodes", key, std::move(node));
  state_.journal.fact("node.started", key.name, facts_of(*at, id));
  kubelets_.resume(key.name);
  state_.timeline.after(ready_after, [this, key, uid = std::string(uid_of(*at))] { become_ready(key, uid); });
}

void KubeWorld::touch_node(const InstanceId& id) {
  const ObjectPtr at = node_with(id);
  if (at == nullptr) return;
  json::value node = *at;
  json::value& conditions = make_at(node, "status.conditions");
  if (!conditions.is_array()) return;
  for (json::value& one : conditions.get_array()) {
    // In milliseconds, so that a heartbeat within the same second is a change too.
    if (one.is_object()) one.get_object()["lastHeartbeatTime"] = format_rfc3339_millis(state_.clock.wall());
  }
  state_.objects.update("nodes", key_of(*at), std::move(node));
}

std::vector<NodeReport> KubeWorld::nodes() const {
  std::map<std::string_view, std::size_t> counts;
  const std::vector<ObjectPtr> pods = state_.objects.list("pods");
  for (const ObjectPtr& pod : pods) ++counts[node_of(*pod)];
  std::vector<NodeReport> all;
  for (const ObjectPtr& node : state_.objects.list("nodes")) {
    NodeReport report;
    report.name = text_at(*node, "metadata.name");
    report.instance_id = instance_of(*node);
    report.unschedulable = bool_at(value_at(*node, "spec"), "unschedulable");
    report.ready = is_node_ready(*node);
    report.pods = counts[report.name];
    all.push_back(std::move(report));
  }
  return all;
}

std::optional<NodeReport> KubeWorld::find_node(const InstanceId& id) const {
  for (NodeReport& report : nodes()) {
    if (report.instance_id == id) return std::move(report);
  }
  return std::nullopt;
}

std::vector<PodReport> KubeWorld::pods() const {
  std::vector<PodReport> all;
  for (const ObjectPtr& pod : state_.objects.list("pods")) all.push_back(report_of(*pod));
  return all;
}

std::vector<PodReport> KubeWorld::pods_of(const InstanceId& id) const {
  const ObjectPtr node = node_with(id);
  if (node == nullptr) return {};
  std::vector<PodReport> all = pods();
  std::erase_if(all, [&](const PodReport& pod) { return pod.node_name != text_at(*node, "metadata.name"); });
  return all;
}

}  // namespace ferryman::sandbox
