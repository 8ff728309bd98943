// SPDX-License-Identifier: Apache-2.0
#include "kube/cluster.h"
#include "kube/object_rows.h"

namespace ferryman::kube {

using termination::TargetGroupBinding;

namespace {

std::optional<TargetGroupBinding> binding_from(const json::value& object) {
  TargetGroupBinding binding(std::string(string_at(find(object, "metadata"), "namespace")),
                             std::string(string_at(find(object, "spec"), "targetGroupARN")));
  if (binding.group_arn.empty()) return std::nullopt;
  return binding;
}

}  // namespace

Task<Result<std::vector<TargetGroupBinding>>> KubeCluster::target_group_bindings(Deadline deadline) {
  ObjectRows<TargetGroupBinding> rows("a TargetGroupBinding", binding_from);
  Call call("GET", "/apis/elbv2.k8s.aws/v1beta1/targetgroupbindings");
  const auto listed = co_await read_list(context_.client, std::move(call), rows, deadline);
  // A cluster without the AWS Load Balancer Controller does not know the kind.
  if (!listed && listed.error().fault == Fault::not_found) co_return std::vector<TargetGroupBinding>();
  if (!listed) co_return listed.error().within("listing TargetGroupBindings");
  co_return std::move(rows.rows);
}

}  // namespace ferryman::kube
