// SPDX-License-Identifier: Apache-2.0
#include "kube/node_pods.h"

#include <algorithm>
#include <tuple>

#include "kube/list_stream.h"
#include "kube/objects.h"
#include "net/url.h"

namespace ferryman::kube {

using termination::Pod;

namespace {

constexpr Duration longest_list = std::chrono::seconds{15};

bool by_name(const Pod& a, const Pod& b) {
  return std::tie(a.key.pod_namespace, a.key.name) < std::tie(b.key.pod_namespace, b.key.name);
}

class PodRows final : public ListRows {
 public:
  void begin() override { pods.clear(); }

  /// A pod that cannot be read ends the list: passed over, it would count as gone.
  Result<void> item(std::string_view text) override {
    const auto object = parse_json(text);
    if (!object) return Error(Fault::unexpected, "a pod in the list is " + object.error().text);
    auto pod = pod_from(*object);
    if (!pod) return Error(Fault::unexpected, "a pod in the list has no name or no UID");
    pods.push_back(std::move(*pod));
    return {};
  }

  std::vector<Pod> pods;
};

}  // namespace

NodePods::NodePods(PodWatch& watch, std::string node_name)
    : watch_(watch), node_name_(std::move(node_name)), changed_(watch.context().clock) {
  watch_.join(*this);
}

NodePods::~NodePods() {
  watch_.leave(*this);
}

bool NodePods::gone(const Uid& uid) const {
  return !uids_.contains(uid);
}

void NodePods::apply(const PodEvent& event) {
  if (event.version > version_ && change(event)) changed_.notify_all();
}

/// True when a row changed. A pod that is new to the node does not come this way: metadata names no node.
bool NodePods::change(const PodEvent& event) {
  const auto row = std::ranges::find_if(pods_, [&](const Pod& pod) {
    return pod.key.name == event.name && pod.key.pod_namespace == event.pod_namespace;
  });
  if (row == pods_.end()) return false;
  const bool same = row->key.uid == event.uid;
  if (same && !event.deleted) {
    if (row->terminating == event.terminating) return false;
    row->terminating = event.terminating;
    return true;
  }
  if (!same && event.deleted) return false;  // an earlier bearer of the name
  uids_.erase(row->key.uid);
  pods_.erase(row);
  return true;
}

void NodePods::take(std::vector<Pod> pods, const std::string& version) {
  const std::uint64_t number = version_number(version);
  if (number < version_) return;  // another list was quicker and is newer
  std::ranges::sort(pods, by_name);
  pods_ = std::move(pods);
  uids_.clear();
  for (const Pod& pod : pods_) uids_.insert(pod.key.uid);
  version_ = number;
  version_text_ = version;
  if (watch_.forgotten() > version_) stale_ = true;
  for (const PodEvent& event : watch_.recent()) {
    if (event.version > version_) change(event);
  }
  changed_.notify_all();
}

Task<Result<void>> NodePods::list_once(Deadline deadline) {
  const PodWatch::Listing listing(watch_);
  PodRows rows;
  Call call("GET", "/api/v1/pods?fieldSelector=" + net::percent_encode("spec.nodeName=" + node_name_));
  FERRYMAN_TRY(version, co_await read_list(watch_.context().client, std::move(call), rows, deadline));
  take(std::move(rows.pods), version);
  co_return Result<void>();
}

Task<Result<void>> NodePods::refresh(Deadline deadline) {
  const auto self = shared_from_this();  // the caller may let go while we wait
  constexpr int most_rounds = 3;
  for (int round = 1;; ++round) {
    stale_ = false;
    for (net::Retry retry = watch_.context().client.retry(deadline);;) {
      auto listed = co_await list_once(deadline.at_most(watch_.context().clock, longest_list));
      if (listed) break;
      if (co_await retry.again(listed.error())) continue;
      stale_ = true;
      co_return listed.error().within("listing the pods of " + node_name_);
    }
    if (!stale_ && version_ < watch_.start()) stale_ = true;  // the watch began after this list
    if (!stale_) break;
    if (round == most_rounds)
      co_return Error(Fault::unexpected, "the pods of " + node_name_ + " change too fast to list");
  }
  watch_.listed();
  co_return Result<void>();
}

}  // namespace ferryman::kube
