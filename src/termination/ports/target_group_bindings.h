// SPDX-License-Identifier: Apache-2.0
// TargetGroupBinding: a controller keeps the targets of one target group: those of a Service's pods, or the
// nodes.
// https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/targetgroupbinding/targetgroupbinding/
#pragma once

#include <string>
#include <utility>

namespace ferryman::termination {

class TargetGroupBinding {
 public:
  TargetGroupBinding() = default;
  TargetGroupBinding(std::string namespace_in, std::string group_arn_in)
      : binding_namespace(std::move(namespace_in)), group_arn(std::move(group_arn_in)) {}

  std::string binding_namespace;  // also that of the pods
  std::string group_arn;
};

}  // namespace ferryman::termination
