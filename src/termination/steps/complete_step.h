// SPDX-License-Identifier: Apache-2.0
// CompleteStep: tells Auto Scaling that one lifecycle action may go on, once.
// https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_CompleteLifecycleAction.html
#pragma once

#include "termination/context.h"

namespace ferryman::termination::steps {

enum class Completion : std::uint8_t {
  accepted,  // our call ended the wait
  over,      // nothing waited any more: timed out, completed before, group or instance gone
  lost,      // not accepted until `deadline`; Auto Scaling ends the wait by itself
};

class CompleteStep {
 public:
  CompleteStep(Context& context, Cloud& cloud, Log log)
      : context_(context), cloud_(cloud), log_(std::move(log)) {}

  /// Tries until Auto Scaling has answered for certain or the deadline comes.
  Task<Completion> run(LifecycleAction action, CompletionResult result, Deadline deadline);

 private:
  /// A ValidationError says that no such action waits, or that the token is wrong; one look settles which.
  Task<Result<bool>> waits(InstanceId instance_id);

  Context& context_;
  Cloud& cloud_;
  Log log_;
};

}  // namespace ferryman::termination::steps
