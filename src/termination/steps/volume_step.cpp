// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/volume_step.h"

#include <algorithm>

#include "base/text.h"

namespace ferryman::termination::steps {

Task<void> VolumeStep::note(std::vector<Pod> pods, Deadline deadline) {
  for (const Pod& pod : pods) {
    for (const std::string& claim : pod.volume_claims) {
      const std::string name = pod.key.pod_namespace + "/" + claim;
      if (read_.contains(name)) continue;
      unread_.insert(name);
      if (deadline.passed(context_.clock)) continue;
      const Deadline call = deadline.at_most(context_.clock, context_.policy.call_timeout);
      auto volume = co_await volumes_.volume_of(pod.key.pod_namespace, claim, call);
      if (!volume) continue;
      unread_.erase(name);
      read_.insert(name);
      if (!volume->empty()) noted_.insert(std::move(*volume));
    }
  }
}

Task<bool> VolumeStep::look(std::string node, Deadline deadline) {
  const auto attached = co_await volumes_.attachments(deadline);
  if (attached == nullptr) co_return false;
  const bool all = !knows_all_ || !unread_.empty();
  left_.clear();
  for (const VolumeAttachment& one : *attached) {
    if (one.node == node && (all || noted_.contains(one.volume))) left_.push_back(one.volume);
  }
  std::ranges::sort(left_);
  co_return true;
}

Task<bool> VolumeStep::wait(std::string node, Deadline limit) {
  constexpr Duration look_again = std::chrono::seconds{3};
  constexpr Duration for_the_last_look = std::chrono::seconds{1};
  const bool none = noted_.empty() && unread_.empty() && knows_all_;
  if (none || limit.passed(context_.clock)) co_return true;
  const SteadyTime begun = context_.clock.now();
  const SteadyTime last_look = limit.at() - for_the_last_look;
  for (;;) {
    const bool seen = co_await look(node, limit.at_most(context_.clock, context_.policy.call_timeout));
    const bool over = seen ? left_.empty() : volumes_.attachments_denied();
    if (over || stopped_ || context_.clock.now() >= last_look) break;
    co_await context_.clock.sleep_until(std::min(context_.clock.now() + look_again, last_look));
  }
  const std::vector<std::string> left = std::exchange(left_, {});
  if (left.empty()) {
    log_.debug("volumes.detached", {{"node", node}, {"waited", context_.clock.now() - begun}});
    co_return true;
  }
  if (!stopped_) tell_left(node, left);
  co_return false;
}

void VolumeStep::tell_left(const std::string& node, const std::vector<std::string>& left) {
  const std::string names = first_few(left);
  context_.metrics.volumes_left.add(left.size());
  log_.warn("volumes.left",
            {{"node", node},
             {"volumes", names},
             {"effect", "a pod that needs one waits until Kubernetes detaches it by force, about 6 min"},
             {"cure", "more time: --volume-wait, or a longer hook"}});
  narrator_->tell(NoticeKind::volumes_left, "the time was over before these volumes were detached: " + names);
}

std::vector<std::string> VolumeStep::waits_for() const {
  std::vector<std::string> texts;
  for (const std::string& volume : left_) texts.push_back("volume " + volume + " is attached");
  return texts;
}

}  // namespace ferryman::termination::steps
