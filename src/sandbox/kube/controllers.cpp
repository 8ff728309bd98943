// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/controllers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/node_objects.h"
#include "sandbox/kube/workload_status.h"

namespace ferryman::sandbox {

namespace {

constexpr Duration reaction = std::chrono::milliseconds{50};
constexpr std::string_view cordon_taint = "node.kubernetes.io/unschedulable";

json::object labels_object(const std::map<std::string, std::string>& labels) {
  json::object made;
  for (const auto& [key, value] : labels) made[key] = value;
  return made;
}

json::value workload_object(const PodSpec& pod, std::string_view name,
                            const std::map<std::string, std::string>& selector, int replicas) {
  json::value object = json::object();
  make_at(object, "metadata.name") = name;
  make_at(object, "metadata.namespace") = pod.pod_namespace;
  make_at(object, "metadata.labels") = labels_object(pod.labels);
  make_at(object, "metadata.generation") = 1;
  if (replicas >= 0) make_at(object, "spec.replicas") = replicas;
  make_at(object, "spec.selector.matchLabels") = labels_object(selector);
  json::value from = pod_object(pod, {});
  make_at(object, "spec.template.metadata.labels") = labels_object(pod.labels);
  make_at(object, "spec.template.spec") = std::move(make_at(from, "spec"));
  make_at(object, "status") = json::object();
  return object;
}

json::value budget_object(const PodSpec& pod, const std::map<std::string, std::string>& selector,
                          int min_available) {
  json::value budget = json::object();
  make_at(budget, "metadata.name") = pod.name;
  make_at(budget, "metadata.namespace") = pod.pod_namespace;
  make_at(budget, "metadata.generation") = 1;
  make_at(budget, "spec.minAvailable") = min_available;
  make_at(budget, "spec.selector.matchLabels") = labels_object(selector);
  return budget;
}

}  // namespace

Controllers::Controllers(ClusterState& state, Kubelets& kubelets, Budgets& budgets)
    : state_(state), kubelets_(kubelets), budgets_(budgets) {
  state_.objects.listen([this](std::string_view resource, const Change&) {
    if (resource == "pods" || resource == "nodes" || resource == "poddisruptionbudgets") look_soon();
  });
}

void Controllers::look_soon() {
  if (looking_) return;
  looking_ = true;
  state_.timeline.after(reaction, [this] { look(); });
}

void Controllers::look() {
  looking_ = false;
  taint_cordoned();
  for (const Workload& set : replica_sets_) fill(set, false);
  for (const Workload& set : daemon_sets_) fill_daemon_set(set, false);
  bind_pending();
  budgets_.update_changed();
  report();
}

// The node lifecycle controller mirrors spec.unschedulable into a taint.
void Controllers::taint_cordoned() {
  for (const ObjectPtr& at : state_.objects.list("nodes")) {
    const bool cordoned = bool_at(value_at(*at, "spec"), "unschedulable");
    if (cordoned == has_taint(*at, cordon_taint, "NoSchedule")) continue;
    json::value node = *at;
    if (cordoned) {
      add_taint(node, cordon_taint, "NoSchedule", format_rfc3339(state_.clock.wall()));
    } else {
      remove_taint(node, cordon_taint, "NoSchedule");
    }
    state_.objects.update("nodes", key_of(*at), std::move(node));
  }
}

void Controllers::bind_pending() {
  const PodLedger::Pods unbound = state_.pods.on_node("");
  for (const auto& [key, at] : unbound) {
    if (is_terminating(*at)) continue;
    const std::string node_name = choose_node(*at);
    if (node_name.empty()) continue;
    json::value pod = *at;
    make_at(pod, "spec.nodeName") = node_name;
    state_.objects.update("pods", key, std::move(pod));
  }
}

template <class Status>
void Controllers::put_status(std::string_view resource, const ObjectKey& key, const Status& status) {
  const ObjectPtr workload = state_.objects.find(resource, key);
  if (workload != nullptr) state_.objects.update(resource, key, status(*workload));
}

void Controllers::report() {
  const std::string now = format_rfc3339(state_.clock.wall());
  const auto counts_of = [&](const Workload& set, std::size_t wanted) {
    return WorkloadCounts{static_cast<std::int64_t>(wanted), state_.pods.active(set.owner.uid),
                          state_.pods.ready(set.owner.uid)};
  };
  for (const Workload& set : replica_sets_) {
    const WorkloadCounts counts = counts_of(set, static_cast<std::size_t>(set.replicas));
    put_status("replicasets", {set.pod.pod_namespace, set.owner.name},
               [&](const json::value& one) { return replica_set_with_status(one, counts); });
    put_status("deployments", {set.pod.pod_namespace, set.pod.name},
               [&](const json::value& one) { return deployment_with_status(one, counts, now); });
  }
  const std::size_t nodes = state_.objects.list("nodes").size();
  for (const Workload& set : daemon_sets_) {
    const WorkloadCounts counts = counts_of(set, nodes);
    put_status("daemonsets", {set.pod.pod_namespace, set.pod.name},
               [&](const json::value& one) { return daemon_set_with_status(one, counts); });
  }
}

std::string Controllers::choose_node(const json::value& pod) const {
  for (const auto& [pods, name] : state_.pods.open_nodes()) {
    const ObjectPtr node = state_.objects.find("nodes", {"", name});
    if (node != nullptr && takes_pod(*node, pod)) return name;
  }
  return {};
}

void Controllers::create_pod(const PodSpec& spec, const PodOwner& owner, bool running) {
  place(spec, owner, running);
}

void Controllers::place(PodSpec spec, const PodOwner& owner, bool running) {
  json::value pod = pod_object(spec, owner);
  if (spec.node_name.empty()) spec.node_name = choose_node(pod);
  if (!spec.node_name.empty()) make_at(pod, "spec.nodeName") = spec.node_name;
  if (spec.phase == "Pending") running = false;
  if (running && !spec.node_name.empty()) {
    set_running(pod, true, format_rfc3339(state_.clock.wall()), kubelets_.next_ip("10.1"));
    set_host_ip(pod, state_.objects.find("nodes", {"", spec.node_name}).get());
  }
  if (spec.phase == "Succeeded" || spec.phase == "Failed") {
    make_at(pod, "status.phase") = spec.phase;
    set_ready(pod, false, format_rfc3339(state_.clock.wall()));
  }
  state_.objects.create("pods", std::move(pod));
}

void Controllers::fill(const Workload& set, bool running) {
  for (int active = state_.pods.active(set.owner.uid); active < set.replicas; ++active) {
    PodSpec pod = set.pod;
    pod.name = fmt::format("{}-{}", set.owner.name, state_.objects.new_suffix());
    place(std::move(pod), set.owner, running);
  }
}

// A daemon set fills cordoned nodes too, and a node again only after its old pod has gone.
void Controllers::fill_daemon_set(const Workload& set, bool running) {
  for (const ObjectPtr& node : state_.objects.list("nodes")) {
    const std::string node_name(text_at(*node, "metadata.name"));
    if (state_.pods.has(set.owner.uid, node_name)) continue;
    PodSpec pod = set.pod;
    pod.name = fmt::format("{}-{}", set.owner.name, state_.objects.new_suffix());
    pod.node_name = node_name;
    place(std::move(pod), set.owner, running);
  }
}

std::string Controllers::create_owner(std::string_view resource, json::value object) {
  const ObjectPtr made = state_.objects.create(resource, std::move(object));
  return made == nullptr ? std::string() : std::string(uid_of(*made));
}

void Controllers::add_deployment(const DeploymentSpec& spec) {
  Workload set;
  set.replicas = spec.replicas;
  set.pod.pod_namespace = spec.deployment_namespace;
  set.pod.name = spec.name;
  set.pod.labels = {{"app", spec.name}};
  set.selector = set.pod.labels;
  set.pod.labels.insert(spec.labels.begin(), spec.labels.end());
  set.pod.annotations = spec.annotations;
  set.pod.behaviour = spec.pods;
  const std::string deployment =
      create_owner("deployments", workload_object(set.pod, spec.name, set.selector, spec.replicas));
  set.owner =
      PodOwner("ReplicaSet", fmt::format("{}-{:x}", spec.name, state_.random.next() & 0xffffffffU), "");
  json::value replica_set = workload_object(set.pod, set.owner.name, set.selector, spec.replicas);
  make_at(replica_set, "metadata.ownerReferences") =
      owner_references(PodOwner("Deployment", spec.name, deployment));
  set.owner.uid = create_owner("replicasets", std::move(replica_set));
  if (spec.min_available) {
    state_.objects.create("poddisruptionbudgets", budget_object(set.pod, set.selector, *spec.min_available));
  }
  replica_sets_.push_back(set);
  fill(set, true);
  budgets_.update_changed();
}

void Controllers::add_daemon_set(const DaemonSetSpec& spec) {
  Workload set;
  set.pod.pod_namespace = spec.set_namespace;
  set.pod.name = spec.name;
  set.pod.labels = {{"app", spec.name}};
  set.pod.behaviour = spec.pods;
  const std::string uid = create_owner("daemonsets", workload_object(set.pod, spec.name, set.pod.labels, -1));
  set.owner = PodOwner("DaemonSet", spec.name, uid);
  daemon_sets_.push_back(set);
  fill_daemon_set(set, true);
}

}  // namespace ferryman::sandbox
