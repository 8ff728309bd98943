// SPDX-License-Identifier: Apache-2.0
// PodTargets: the controller behind TargetGroupBinding objects of type "ip": keeps the pods of one app as
// targets of a group by their addresses: registered when a pod is ready, deregistered when it is told to end
// or is not ready any more. Facts: address.bound and address.freed, with the pod and its node: from when to
// when something listens there.
#pragma once

#include <string>

#include "sandbox/aws/aws_world.h"
#include "sandbox/kube/kube_world.h"

namespace ferryman::sandbox {

class PodTargets {
 public:
  /// Both worlds must outlive it.
  PodTargets(AwsWorld& aws, KubeWorld& kubernetes);
  PodTargets(const PodTargets&) = delete;
  PodTargets& operator=(const PodTargets&) = delete;

  /// A group of the app's pods and the object that binds it. `type`: of its balancer.
  void bind(TargetGroupSpec spec, const std::string& app);

 private:
  void follow(const Change& change);
  void enroll(const json::value& pod, const std::string& ip, bool at_once);
  void deregister(const json::value& pod, const std::string& ip);

  AwsWorld& aws_;
  KubeWorld& kubernetes_;
};

}  // namespace ferryman::sandbox
