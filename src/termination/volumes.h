// SPDX-License-Identifier: Apache-2.0
// Volumes: which PersistentVolumes pods use, and which are attached still. What all terminations ask at about
// the same time is one call.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "termination/shared_list.h"

namespace ferryman::termination {

class Volumes {
 public:
  Volumes(Context& context, Cluster& cluster);

  /// All attachments of the cluster, at most two seconds old; null: not known. Without the right to list them
  /// that is logged once.
  Task<std::shared_ptr<const std::vector<VolumeAttachment>>> attachments(Deadline deadline);

  [[nodiscard]] bool attachments_denied() const { return attachments_.denied(); }

  /// The volume of a claim; an empty name: it has none; nothing: it cannot be read. A right that lacks is
  /// logged once.
  Task<std::optional<std::string>> volume_of(std::string claim_namespace, std::string claim,
                                             Deadline deadline);

 private:
  void note(const Error& error);

  Context& context_;
  Cluster& cluster_;
  SharedList<std::vector<VolumeAttachment>> attachments_;
  SteadyTime ask_again_{};  // for claims, after a denial
  bool said_ = false;
};

}  // namespace ferryman::termination
