// SPDX-License-Identifier: Apache-2.0
// VolumeStep: after the drain, until the volumes of its pods are detached from the node: a pod that starts
// elsewhere needs its volume, and only a node that runs detaches it quickly.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "termination/narrator.h"
#include "termination/volumes.h"

namespace ferryman::termination::steps {

class VolumeStep {
 public:
  VolumeStep(Context& context, Volumes& volumes, std::shared_ptr<Narrator> narrator, Log log)
      : context_(context), volumes_(volumes), narrator_(std::move(narrator)), log_(std::move(log)) {}

  /// Early, while their claims are still there: which volumes these pods use. Each claim is read once; what
  /// could not be read by the deadline is tried again with the next call.
  Task<void> note(std::vector<Pod> pods, Deadline deadline);

  /// An earlier run drained the node: which volumes its pods used is not known any more.
  void resume() { knows_all_ = false; }

  /// Late: until none of them is attached to the node any more, at most until `limit`; all that are attached
  /// when not all are known. True: none is left, or it cannot be told; else what is left is named in log,
  /// metric and notice. Without volumes, no call.
  Task<bool> wait(std::string node, Deadline limit);
  /// The deadline has changed, or nobody waits any more.
  void stop() { stopped_ = true; }

  /// "volume pvc-1 is attached"; for the status page.
  [[nodiscard]] std::vector<std::string> waits_for() const;

 private:
  /// Looks once; false: it cannot be told now, and `left_` stays as it was.
  Task<bool> look(std::string node, Deadline deadline);
  void tell_left(const std::string& node, const std::vector<std::string>& left);

  Context& context_;
  Volumes& volumes_;
  std::shared_ptr<Narrator> narrator_;
  Log log_;
  std::set<std::string> read_;    // claims, as "namespace/name"
  std::set<std::string> unread_;  // and those that could not be
  std::set<std::string> noted_;   // volumes
  bool knows_all_ = true;
  std::vector<std::string> left_;  // as last seen
  bool stopped_ = false;
};

}  // namespace ferryman::termination::steps
