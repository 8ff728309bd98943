// SPDX-License-Identifier: Apache-2.0
// KubeEventWriter: the EventWriter port on a Kubernetes API server, with events of v1: every kubectl shows
// their count and times, and `create` and `patch` in the core group are rights that drainers have anyway.
#pragma once

#include <string>

#include "kube/context.h"
#include "termination/ports/event_writer.h"

namespace ferryman::kube {

class KubeEventWriter final : public termination::EventWriter {
 public:
  /// `instance` tells replicas apart: our pod's name. What the context names must outlive the writer.
  KubeEventWriter(Context context, std::string instance);

  Task<Result<void>> create(termination::ClusterEvent event, Deadline deadline) override;
  Task<Result<void>> repeat(termination::ClusterEvent event, Deadline deadline) override;

 private:
  Task<Result<void>> write(Call call, Deadline deadline);

  Context context_;
  std::string instance_;
};

}  // namespace ferryman::kube
