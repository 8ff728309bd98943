// SPDX-License-Identifier: Apache-2.0
#include "kube/cluster.h"

#include <algorithm>

#include "kube/drain_objects.h"
#include "kube/eviction.h"
#include "kube/node_pods.h"
#include "kube/object_rows.h"
#include "kube/objects.h"
#include "kube/write_bodies.h"
#include "net/url.h"

namespace ferryman::kube {

using termination::Eviction;
using termination::EvictionAnswer;
using termination::Node;
using termination::PodKey;

namespace {

std::string node_path(std::string_view name) {
  return "/api/v1/nodes/" + net::percent_encode(name);
}

std::string pod_path(const PodKey& pod) {
  return "/api/v1/namespaces/" + net::percent_encode(pod.pod_namespace) + "/pods/" +
         net::percent_encode(pod.name);
}

std::string full_name(const PodKey& pod) {
  return pod.pod_namespace + "/" + pod.name;
}

}  // namespace

KubeCluster::KubeCluster(Context context)
    : context_(std::move(context)),
      nodes_(context_),
      pods_(context_),
      budgets_(context_),
      node_reflector_(context_, nodes_, Call("GET", "/api/v1/nodes"), "nodes"),
      pod_reflector_(context_, pods_, PodWatch::call(), "pods"),
      budget_reflector_(context_, budgets_, BudgetCache::call(), "poddisruptionbudgets") {}

void KubeCluster::start(Scope& scope) {
  scope.spawn("kube.nodes", node_reflector_.run());
  scope.spawn("kube.pods", pod_reflector_.run());
  scope.spawn("kube.budgets", budget_reflector_.run());
}

std::string KubeCluster::trouble() const {
  if (in_sync()) return {};
  if (!node_reflector_.trouble().empty()) return node_reflector_.trouble();
  return "waiting for the list of nodes from " + context_.client.server();
}

Task<Result<Node>> KubeCluster::node_answer(Call call, Deadline deadline) {
  FERRYMAN_TRY(object, co_await context_.client.call(std::move(call), deadline));
  auto node = node_from(object);
  if (!node) co_return Error(Fault::unexpected, "the answer is no Node");
  nodes_.put(object);
  co_return std::move(*node);
}

Task<Result<Node>> KubeCluster::read_node(std::string name, Deadline deadline) {
  auto node = co_await node_answer(Call("GET", node_path(name)), deadline);
  if (!node) co_return node.error().within("reading node " + name);
  co_return node;
}

Task<Result<Node>> KubeCluster::patch_node(termination::NodePatch patch, Deadline deadline) {
  Call call("PATCH", node_path(patch.name));
  call.content_type = "application/merge-patch+json";
  call.body = merge_patch(patch);
  auto node = co_await node_answer(std::move(call), deadline);
  if (!node) co_return node.error().within("patching node " + patch.name);
  co_return node;
}

Task<Result<std::shared_ptr<termination::PodView>>> KubeCluster::view_pods(std::string node_name,
                                                                           Deadline deadline) {
  auto view = std::make_shared<NodePods>(pods_, std::move(node_name));
  auto listed = co_await view->refresh(deadline);
  if (!listed) co_return std::move(listed).error();
  co_return std::shared_ptr<termination::PodView>(std::move(view));
}

Task<Result<std::vector<termination::LocalService>>> KubeCluster::local_services(Deadline deadline) {
  ObjectRows<termination::LocalService> rows("a Service", local_service_from);
  Call call("GET", "/api/v1/services");
  const auto listed = co_await read_list(context_.client, std::move(call), rows, deadline);
  if (!listed) co_return listed.error().within("listing Services");
  co_return std::move(rows.rows);
}

Task<Result<std::optional<std::map<std::string, std::string>>>> KubeCluster::config_map(
    std::string config_namespace, std::string name, Deadline deadline) {
  using Data = std::optional<std::map<std::string, std::string>>;
  Call call("GET", "/api/v1/namespaces/" + net::percent_encode(config_namespace) + "/configmaps/" +
                       net::percent_encode(name));
  const auto object = co_await context_.client.call(std::move(call), deadline);
  if (object) co_return Data(data_of(*object));
  if (object.error().fault == Fault::not_found) co_return Data();
  co_return object.error().within("reading ConfigMap " + config_namespace + "/" + name);
}

/// Settles a 409: false when the pod is gone or its name is another pod's. A list, for that right we have
/// anyway.
Task<Result<bool>> KubeCluster::has_pod(PodKey pod, Deadline deadline) {
  Call call("GET", "/api/v1/namespaces/" + net::percent_encode(pod.pod_namespace) +
                       "/pods?fieldSelector=" + net::percent_encode("metadata.name=" + pod.name));
  FERRYMAN_TRY(list, co_await context_.client.call(std::move(call), deadline));
  const json::array* items = array_at(&list, "items");
  if (items == nullptr) co_return Error(Fault::unexpected, "the API server's list has no items");
  co_return std::ranges::any_of(*items, [&](const json::value& item) {
    return string_at(find(item, "metadata"), "uid") == pod.uid.str();
  });
}

Task<Result<Eviction>> KubeCluster::evict(PodKey pod, std::optional<std::chrono::seconds> grace,
                                          Deadline deadline) {
  const std::string doing = "evicting pod " + full_name(pod);
  if (pod.uid.empty()) co_return Error(Fault::invalid, doing + ": it has no UID");
  Call call("POST", pod_path(pod) + "/eviction");
  call.body = eviction_body(pod, grace);
  auto response = co_await context_.client.exchange(std::move(call), deadline);
  if (!response) co_return response.error().within(doing);
  auto answer = read_eviction(*response);
  if (answer) co_return std::move(*answer);
  if (answer.error().fault == Fault::conflict) {
    const auto there = co_await has_pod(pod, deadline);
    if (there && !*there) co_return Eviction(EvictionAnswer::gone, answer.error().text);
  }
  co_return answer.error().within(doing);
}

Task<Result<void>> KubeCluster::delete_pod(PodKey pod, std::optional<std::chrono::seconds> grace,
                                           Deadline deadline) {
  if (pod.uid.empty()) co_return Error(Fault::invalid, "deleting pod " + full_name(pod) + ": it has no UID");
  Call call("DELETE", pod_path(pod));
  call.body = delete_options(pod, grace);
  const auto deleted = co_await context_.client.call(std::move(call), deadline);
  if (deleted || deleted.error().fault == Fault::not_found) co_return Result<void>();
  if (deleted.error().fault == Fault::conflict) {
    const auto there = co_await has_pod(pod, deadline);
    if (there && !*there) co_return Result<void>();
  }
  co_return deleted.error().within("deleting pod " + full_name(pod));
}

Task<Result<std::shared_ptr<termination::BudgetView>>> KubeCluster::view_budgets(Deadline deadline) {
  return budgets_.view(deadline);
}

/// Names are enough: the metadata of some hundred DaemonSets instead of their pod templates.
Task<Result<std::set<std::string>>> KubeCluster::daemon_sets(Deadline deadline) {
  ObjectRows<std::string> rows("a DaemonSet", full_name_of);
  Call call("GET", "/apis/apps/v1/daemonsets");
  call.accept = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
  const auto listed = co_await read_list(context_.client, std::move(call), rows, deadline);
  if (!listed) co_return listed.error().within("listing DaemonSets");
  co_return std::set<std::string>(rows.rows.begin(), rows.rows.end());
}

Task<Result<std::vector<termination::VolumeAttachment>>> KubeCluster::attachments(Deadline deadline) {
  ObjectRows<termination::VolumeAttachment> rows("a VolumeAttachment", attachment_from);
  Call call("GET", "/apis/storage.k8s.io/v1/volumeattachments");
  const auto listed = co_await read_list(context_.client, std::move(call), rows, deadline);
  if (!listed) co_return listed.error().within("listing VolumeAttachments");
  co_return std::move(rows.rows);
}

Task<Result<std::string>> KubeCluster::volume_of(std::string claim_namespace, std::string claim,
                                                 Deadline deadline) {
  Call call("GET", "/api/v1/namespaces/" + net::percent_encode(claim_namespace) + "/persistentvolumeclaims/" +
                       net::percent_encode(claim));
  const auto object = co_await context_.client.call(std::move(call), deadline);
  if (object) co_return std::string(string_at(find(*object, "spec"), "volumeName"));
  if (object.error().fault == Fault::not_found) co_return std::string();
  co_return object.error().within("reading PersistentVolumeClaim " + claim_namespace + "/" + claim);
}

Task<Result<void>> KubeCluster::delete_node(Node node, Deadline deadline) {
  const std::string doing = "deleting node " + node.name;
  if (node.uid.empty() || node.resource_version.empty()) {
    co_return Error(Fault::invalid, doing + ": it has no UID or no version");
  }
  Call call("DELETE", node_path(node.name));
  call.body = delete_options(node);
  const auto deleted = co_await context_.client.call(std::move(call), deadline);
  if (deleted || deleted.error().fault == Fault::not_found) co_return Result<void>();
  co_return deleted.error().within(doing);
}

}  // namespace ferryman::kube
