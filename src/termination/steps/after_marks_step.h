// SPDX-License-Identifier: Apache-2.0
// AfterMarksStep: the taints that end what still runs on a node, both opt-in and only after its drain. They
// are in the claim and are taken back with the other marks.
#pragma once

#include "termination/aws_facts.h"
#include "termination/steps/claim_step.h"

namespace ferryman::termination::steps {

class AfterMarksStep {
 public:
  AfterMarksStep(Context& context, AwsFacts& facts, ClaimStep& claim, InstanceId instance_id, Log log)
      : context_(context),
        facts_(facts),
        claim_(claim),
        instance_id_(std::move(instance_id)),
        log_(std::move(log)) {}

  /// Every pod that the plan chose is gone: our taint with effect NoExecute (--no-execute-after-drain). What
  /// it ends is no budget's any more.
  Task<void> drained(Deadline deadline);

  /// The taint node.kubernetes.io/out-of-service (--out-of-service-taint), if EC2 itself says that the
  /// instance is stopped or gone: on a node that runs it would start a second owner of each volume.
  Task<void> off(Deadline deadline);

 private:
  Task<void> write(EndTaint taint, std::string_view event, Deadline deadline);

  Context& context_;
  AwsFacts& facts_;
  ClaimStep& claim_;
  InstanceId instance_id_;
  Log log_;
};

}  // namespace ferryman::termination::steps
