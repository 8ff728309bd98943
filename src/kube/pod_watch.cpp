// SPDX-License-Identifier: Apache-2.0
#include "kube/pod_watch.h"

#include <algorithm>
#include <optional>

#include "kube/node_pods.h"
#include "kube/objects.h"

namespace ferryman::kube {

namespace {

constexpr Duration longest_refresh = std::chrono::seconds{30};
// A list takes a moment; more events than this in that moment are not worth keeping, the list is made again.
constexpr std::size_t most_remembered = 10'000;

std::optional<PodEvent> event_of(const WatchEvent& event) {
  const json::value* metadata = find(event.object, "metadata");
  PodEvent pod;
  pod.pod_namespace = string_at(metadata, "namespace");
  pod.name = string_at(metadata, "name");
  pod.uid = Uid(std::string(string_at(metadata, "uid")));
  pod.version = version_number(string_at(metadata, "resourceVersion"));
  pod.deleted = event.kind == WatchEventKind::deleted;
  pod.terminating = !string_at(metadata, "deletionTimestamp").empty();
  if (pod.name.empty() || pod.uid.empty() || pod.version == 0) return std::nullopt;
  return pod;
}

}  // namespace

PodWatch::PodWatch(Context context) : context_(std::move(context)), wanted_(context_.clock) {}

Call PodWatch::call() {
  Call call("GET", "/api/v1/pods");
  call.accept = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
  return call;
}

void PodWatch::join(NodePods& view) {
  views_.push_back(&view);
}

void PodWatch::leave(NodePods& view) {
  views_.remove(&view);
  if (views_.empty()) start_ = 0;
}

bool PodWatch::wanted() const {
  return std::ranges::any_of(views_, [](const NodePods* view) { return view->version() > 0; });
}

/// The first list of each view is its own; after a loss each is asked to list again. The watch starts from
/// the oldest.
Task<Result<std::string>> PodWatch::list() {
  std::vector<std::weak_ptr<NodePods>> views;
  for (NodePods* view : views_) views.push_back(view->weak_from_this());
  std::optional<Error> failure;
  for (const auto& known : views) {
    const auto view = known.lock();
    if (view == nullptr || view->version() == 0 || !view->stale()) continue;
    auto refreshed = co_await view->refresh(Deadline::after(context_.clock, longest_refresh));
    if (refreshed) continue;
    failure = refreshed.error();
    // Else the trouble is not this node's: spare the others the wait.
    if (failure->fault != Fault::unexpected) break;
  }
  if (failure) {
    lost();
    co_return *failure;
  }
  const NodePods* oldest = nullptr;
  for (const NodePods* view : views_) {
    if (view->version() > 0 && (oldest == nullptr || view->version() < oldest->version())) oldest = view;
  }
  if (oldest == nullptr) co_return Error(Fault::not_found, "nobody looks any more");
  start_ = oldest->version();
  co_return oldest->version_text();
}

bool PodWatch::apply(const WatchEvent& event) {
  auto pod = event_of(event);
  if (!pod) return false;
  for (NodePods* view : views_) view->apply(*pod);
  if (lists_under_way_ > 0) remember(std::move(*pod));
  return true;
}

void PodWatch::remember(PodEvent event) {
  recent_.push_back(std::move(event));
  if (recent_.size() <= most_remembered) return;
  forgotten_ = recent_.front().version;
  recent_.pop_front();
}

void PodWatch::lost() {
  for (NodePods* view : views_) view->lost();
}

}  // namespace ferryman::kube
