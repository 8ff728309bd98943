// SPDX-License-Identifier: Apache-2.0
#include "kube/cluster.h"

#include <algorithm>

#include "kube/node_pods.h"
#include "kube/objects.h"
#include "kube/status.h"
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

bool is_success(int status) {
  return status >= 200 && status < 300;
}

/// A budget refuses, or there are two, which the eviction subresource answers with 500 every time.
bool is_blocked(const ApiStatus& status) {
  if (status.code == 429) return status.has_cause("DisruptionBudget");
  return status.code == 500 && status.message.find("more than one PodDisruptionBudget") != std::string::npos;
}

Eviction blocked(const ApiStatus& status) {
  Eviction eviction(EvictionAnswer::blocked, status.message);
  eviction.retry_after = status.retry_after;
  return eviction;
}

Error eviction_error(const ApiStatus& status) {
  Error error = to_error(status);
  if (status.code != 403 || !status.has_cause("NamespaceTerminating")) return error;
  error.fault = Fault::conflict;
  error.code = "NamespaceTerminating";
  return error;
}

class ServiceRows final : public ListRows {
 public:
  void begin() override { services.clear(); }

  Result<void> item(std::string_view text) override {
    const auto object = parse_json(text);
    if (!object) return Error(Fault::unexpected, "a Service in the list is " + object.error().text);
    if (auto service = local_service_from(*object)) services.push_back(std::move(*service));
    return {};
  }

  std::vector<termination::LocalService> services;
};

}  // namespace

KubeCluster::KubeCluster(Context context)
    : context_(std::move(context)),
      nodes_(context_),
      pods_(context_),
      node_reflector_(context_, nodes_, Call("GET", "/api/v1/nodes"), "nodes"),
      pod_reflector_(context_, pods_, PodWatch::call(), "pods") {}

void KubeCluster::start(Scope& scope) {
  scope.spawn("kube.nodes", node_reflector_.run());
  scope.spawn("kube.pods", pod_reflector_.run());
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
  ServiceRows rows;
  Call call("GET", "/api/v1/services");
  const auto listed = co_await read_list(context_.client, std::move(call), rows, deadline);
  if (!listed) co_return listed.error().within("listing Services");
  co_return std::move(rows.services);
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
  Call call("POST", pod_path(pod) + "/eviction");
  call.body = eviction_body(pod, grace);
  auto response = co_await context_.client.exchange(std::move(call), deadline);
  const std::string doing = "evicting pod " + full_name(pod);
  if (!response) co_return response.error().within(doing);
  if (is_success(response->status)) co_return Eviction();
  const ApiStatus status = read_status(*response);
  if (is_blocked(status)) co_return blocked(status);
  const Error error = eviction_error(status);
  if (error.fault == Fault::not_found) co_return Eviction(EvictionAnswer::gone, status.message);
  if (status.code == 409 && error.fault == Fault::conflict) {
    const auto there = co_await has_pod(pod, deadline);
    if (there && !*there) co_return Eviction(EvictionAnswer::gone, status.message);
  }
  co_return error.within(doing);
}

Task<Result<void>> KubeCluster::delete_pod(PodKey pod, std::optional<std::chrono::seconds> grace,
                                           Deadline deadline) {
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

}  // namespace ferryman::kube
