// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/load_balancers.h"

#include <fmt/format.h>

#include "sandbox/aws/fresh_ids.h"

namespace ferryman::sandbox {

std::string elb_arn(const AwsSettings& settings, const std::string& rest) {
  return fmt::format("arn:aws:elasticloadbalancing:{}:{}:{}", settings.region, settings.account, rest);
}

std::string_view type_of_balancer(std::string_view arn) {
  if (arn.find(":loadbalancer/net/") != std::string_view::npos) return "network";
  return arn.find(":loadbalancer/gwy/") != std::string_view::npos ? "gateway" : "application";
}

LoadBalancer& LoadBalancers::create(const std::string& name, const std::string& type, WallTime now) {
  for (auto& [arn, balancer] : balancers_) {
    if (balancer.name == name && balancer.type == type) return balancer;
  }
  const std::string_view short_type = type == "network" ? "net" : type == "gateway" ? "gwy" : "app";
  LoadBalancer balancer;
  balancer.name = name;
  balancer.type = type;
  const std::string id = fresh_hex(random_, 16);
  balancer.arn = elb_arn(settings_, fmt::format("loadbalancer/{}/{}/{}", short_type, name, id));
  balancer.dns_name = fmt::format("{}-{}.{}.elb.amazonaws.com", name, id, settings_.region);
  balancer.created = now;
  const std::string arn = balancer.arn;
  return balancers_.insert_or_assign(arn, std::move(balancer)).first->second;
}

const LoadBalancer* LoadBalancers::find(const std::string& arn) const {
  const auto found = balancers_.find(arn);
  return found == balancers_.end() ? nullptr : &found->second;
}

}  // namespace ferryman::sandbox
