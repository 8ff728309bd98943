// SPDX-License-Identifier: Apache-2.0
#include "sandbox/traffic_report.h"

namespace ferryman::sandbox {

namespace {

json::object pool_json(std::string_view name, std::string_view group, std::string_view type,
                       const std::vector<TargetKey>& recipients) {
  json::array targets;
  for (const TargetKey& target : recipients)
    targets.push_back(json::object{{"id", target.id}, {"port", target.port}});
  return {{"name", name}, {"group", group}, {"type", type}, {"targets", std::move(targets)}};
}

}  // namespace

json::array traffic_report(AwsWorld& aws) {
  json::array pools;
  for (const auto& [arn, group] : aws.target_groups().all()) {
    if (group.spec.load_balancer.empty()) continue;
    pools.push_back(pool_json(group.spec.name, arn, type_of_balancer(group.spec.load_balancer),
                              aws.target_groups().recipients(group)));
  }
  for (const auto& [name, balancer] : aws.classic_balancers().all())
    pools.push_back(pool_json(name, name, "classic", aws.classic_balancers().recipients(balancer)));
  return pools;
}

}  // namespace ferryman::sandbox
