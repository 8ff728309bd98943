// SPDX-License-Identifier: Apache-2.0
#include "kube/cluster.h"
#include "kube/status.h"
#include "net/url.h"

namespace ferryman::kube {

using termination::TargetGroupBinding;

namespace {

constexpr const char* path = "/apis/elbv2.k8s.aws/v1beta1/targetgroupbindings?limit=500";

/// A cluster without the AWS Load Balancer Controller does not know the kind. For a group that it does not
/// know the API server has no Status either, but these words.
bool is_unknown_kind(const net::HttpResponse& response) {
  if (response.status != 404) return false;
  return read_status(response).genuine || response.body.starts_with("404 page not found");
}

void add_bindings(const json::value& list, std::vector<TargetGroupBinding>& bindings) {
  const json::array* items = array_at(&list, "items");
  if (items == nullptr) return;
  for (const json::value& item : *items) {
    std::string arn(string_at(find(item, "spec"), "targetGroupARN"));
    std::string where(string_at(find(item, "metadata"), "namespace"));
    if (!arn.empty()) bindings.emplace_back(std::move(where), std::move(arn));
  }
}

}  // namespace

Task<Result<std::vector<TargetGroupBinding>>> KubeCluster::target_group_bindings(Deadline deadline) {
  constexpr int most_pages = 100;
  std::vector<TargetGroupBinding> bindings;
  std::string next;
  for (int page = 0; page < most_pages; ++page) {
    Call call("GET", next.empty() ? path : std::string(path) + "&continue=" + net::percent_encode(next));
    const auto response = co_await context_.client.exchange(std::move(call), deadline);
    if (!response) co_return response.error().within("listing TargetGroupBindings");
    if (is_unknown_kind(*response)) co_return std::vector<TargetGroupBinding>();
    const ApiStatus status = read_status(*response);
    if (status.code < 200 || status.code >= 300)
      co_return to_error(status).within("listing TargetGroupBindings");
    const auto list = parse_json(response->body);
    if (!list || array_at(&*list, "items") == nullptr)
      co_return Error(Fault::unexpected, "listing TargetGroupBindings: the answer is no list");
    add_bindings(*list, bindings);
    next = string_at(find(*list, "metadata"), "continue");
    if (next.empty()) co_return bindings;
  }
  co_return Error(Fault::unexpected, "listing TargetGroupBindings: the pages do not end");
}

}  // namespace ferryman::kube
