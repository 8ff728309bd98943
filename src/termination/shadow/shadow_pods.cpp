// SPDX-License-Identifier: Apache-2.0
#include "termination/shadow/shadow_pods.h"

namespace ferryman::termination::shadow {

void ShadowPods::rebuild() const {
  shown_version_ = real_->changed().version();
  shown_.clear();
  for (const Pod& pod : real_->pods()) {
    if (!ended_.contains(pod.key.uid)) shown_.push_back(pod);
  }
}

const std::vector<Pod>& ShadowPods::pods() const {
  if (shown_version_ != real_->changed().version()) rebuild();
  return shown_;
}

Task<Result<void>> ShadowPods::refresh(Deadline deadline) {
  auto answer = co_await real_->refresh(deadline);
  rebuild();
  co_return answer;
}

void ShadowPods::end(const Uid& uid) {
  if (!ended_.insert(uid).second) return;
  rebuild();
  changed().notify_all();
}

}  // namespace ferryman::termination::shadow
