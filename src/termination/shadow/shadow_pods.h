// SPDX-License-Identifier: Apache-2.0
// ShadowPods: a PodView without the pods that would have been told to go.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "termination/ports/cluster.h"

namespace ferryman::termination::shadow {

class ShadowPods final : public PodView {
 public:
  explicit ShadowPods(std::shared_ptr<PodView> real) : real_(std::move(real)) { rebuild(); }

  [[nodiscard]] const std::vector<Pod>& pods() const override;
  [[nodiscard]] bool gone(const Uid& uid) const override { return ended_.contains(uid) || real_->gone(uid); }
  Task<Result<void>> refresh(Deadline deadline) override;
  Signal& changed() override { return real_->changed(); }

  /// The pod would end now.
  void end(const Uid& uid);

 private:
  void rebuild() const;

  std::shared_ptr<PodView> real_;
  std::set<Uid> ended_;
  mutable std::vector<Pod> shown_;  // of the real view as it was at `shown_version_`
  mutable std::uint64_t shown_version_ = 0;
};

}  // namespace ferryman::termination::shadow
