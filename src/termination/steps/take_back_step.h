// SPDX-License-Identifier: Apache-2.0
// TakeBackStep: undoes what a claim says that we did, and only that: registers the instance again where we
// deregistered it, then takes cordon, taint, label and the claim itself off the Node in one PATCH.
#pragma once

#include <string>

#include "termination/balancers/arrivals.h"

namespace ferryman::termination::steps {

class TakeBackStep {
 public:
  TakeBackStep(Context& context, Cluster& cluster, balancers::Arrivals& arrivals, InstanceId instance_id,
               Log log)
      : context_(context),
        cluster_(cluster),
        arrivals_(arrivals),
        instance_id_(std::move(instance_id)),
        log_(std::move(log)) {}

  /// True when nothing of ours is left on the Node, or there is no Node. What cannot be registered again is
  /// named in the log and holds up nothing.
  Task<bool> run(Claim claim, std::string reason, Deadline deadline);
  /// The instance ends after all: no further registration. What was done stays done.
  void hurry() { hurried_ = true; }

 private:
  Task<void> register_again(const Claim& claim, Deadline deadline);
  Task<Result<void>> put_back(const Deregistration& where, Deadline deadline);
  Task<Result<void>> clear_once(const Claim& claim, bool first_attempt);

  Context& context_;
  Cluster& cluster_;
  balancers::Arrivals& arrivals_;
  InstanceId instance_id_;
  Log log_;
  bool hurried_ = false;
};

}  // namespace ferryman::termination::steps
