// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "unit/termination/fakes/fake_cluster.h"

namespace ferryman::test {

using termination::Eviction;
using termination::EvictionAnswer;
using termination::Pod;
using termination::PodKey;
using termination::PodView;

void FakeCluster::tell_views() {
  if (!watch_works) return;
  for (const auto& weak : views_) {
    if (const auto view = weak.lock()) view->update();
  }
}

void FakeCluster::add_pod(FakePod pod) {
  const Uid uid = pod.pod.key.uid;
  pods_[uid] = std::move(pod);
  tell_views();
}

void FakeCluster::end_pod(const Uid& uid) {
  const auto found = pods_.find(uid);
  if (found != pods_.end()) detach(found->second);
  pods_.erase(uid);
  tell_views();
}

void FakeCluster::edit_pod(const Uid& uid, const std::function<void(FakePod&)>& edit) {
  edit(pods_.at(uid));
  tell_views();
}

bool FakeCluster::has_pod(const std::string& name) const {
  return std::any_of(pods_.begin(), pods_.end(),
                     [&](const auto& entry) { return entry.second.pod.key.name == name; });
}

std::vector<Pod> FakeCluster::pods_on(const std::string& node) const {
  std::vector<Pod> pods;
  for (const auto& [uid, pod] : pods_) {
    if (pod.node == node) pods.push_back(pod.pod);
  }
  return pods;
}

Task<void> FakeCluster::end_later(Uid uid, Duration after) {
  co_await clock_.sleep_for(after);
  end_pod(uid);
}

void FakeCluster::terminate(FakePod& pod, std::optional<Duration> at_most) {
  pod.pod.terminating = true;
  if (at_most == Duration{0}) {  // the API server does not wait for the kubelet
    end_pod(Uid(pod.pod.key.uid));
    return;
  }
  if (pod.takes) {
    const Duration after = at_most ? std::min(*pod.takes, *at_most) : *pod.takes;
    kubelets_.spawn("kubelet", end_later(pod.pod.key.uid, after));
  }
  tell_views();
}

Task<Result<std::shared_ptr<PodView>>> FakeCluster::view_pods(std::string node_name, Deadline deadline) {
  const Fate fate = co_await script_.enter("cluster.view_pods", node_name, deadline);
  if (fate.error) co_return *fate.error;
  auto view = std::make_shared<FakePodView>(clock_, script_, *this, std::move(node_name));
  view->update();
  views_.push_back(view);
  co_return std::shared_ptr<PodView>(std::move(view));
}

Task<Result<std::vector<termination::LocalService>>> FakeCluster::local_services(Deadline deadline) {
  const Fate fate = co_await script_.enter("cluster.local_services", "", deadline);
  if (fate.error) co_return *fate.error;
  co_return services;
}

Task<Result<Eviction>> FakeCluster::evict(PodKey pod, std::optional<std::chrono::seconds> /*grace*/,
                                          Deadline deadline) {
  const Fate fate = co_await script_.enter("cluster.evict", pod.name, deadline);
  if (fate.takes_effect) {
    const auto found = pods_.find(pod.uid);
    if (found == pods_.end()) co_return Eviction(EvictionAnswer::gone, "not found");
    FakePod& target = found->second;
    if (target.refusals != 0) {
      if (target.refusals > 0) --target.refusals;
      co_return target.refusal;
    }
    terminate(target, std::nullopt);
  }
  if (fate.error) co_return *fate.error;
  co_return Eviction();
}

Task<Result<void>> FakeCluster::delete_pod(PodKey pod, std::optional<std::chrono::seconds> grace,
                                           Deadline deadline) {
  const Fate fate = co_await script_.enter("cluster.delete_pod", pod.name, deadline);
  if (fate.takes_effect) {
    graces.push_back(grace);
    const auto found = pods_.find(pod.uid);
    if (found != pods_.end()) terminate(found->second, grace);
  }
  if (fate.error) co_return *fate.error;
  co_return Result<void>();
}

bool FakePodView::gone(const Uid& uid) const {
  return std::none_of(pods_.begin(), pods_.end(), [&](const Pod& pod) { return pod.key.uid == uid; });
}

void FakePodView::update() {
  pods_ = cluster_.pods_on(node_);
  changed_.notify_all();
}

Task<Result<void>> FakePodView::refresh(Deadline deadline) {
  const Fate fate = co_await script_.enter("cluster.refresh", node_, deadline);
  if (fate.error) co_return *fate.error;
  update();
  co_return Result<void>();
}

}  // namespace ferryman::test
