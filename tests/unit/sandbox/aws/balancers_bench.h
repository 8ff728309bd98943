// SPDX-License-Identifier: Apache-2.0
// BalancersBench: an AwsBench with load balancers, called as a client calls them.
#pragma once

#include <string>
#include <vector>

#include "unit/sandbox/aws/aws_bench.h"

namespace ferryman::sandbox::test {

class BalancersBench : public AwsBench {
 public:
  net::HttpResponse elbv2(const std::string& action, net::QueryParameters more = {}) {
    return query("2015-12-01", action, std::move(more));
  }
  net::HttpResponse elb(const std::string& action, net::QueryParameters more = {}) {
    return query("2012-06-01", action, std::move(more));
  }

  /// A group in use, whose targets drain for 30 s; two of the workers are registered, each under two ports.
  TargetGroup& web(const std::string& name = "web") {
    if (ids.empty()) ids = workers(3);
    TargetGroupSpec spec;
    spec.name = name;
    spec.deregistration_delay = std::chrono::seconds{30};
    spec.load_balancer = world.load_balancers().create("front", "application", sim.clock.wall()).arn;
    TargetGroup& group = world.target_groups().create(spec);
    for (const std::uint16_t port : {80, 8080}) {
      world.target_groups().enroll(group, {ids[0].str(), port}, true);
      world.target_groups().enroll(group, {ids[1].str(), port}, true);
    }
    return group;
  }

  /// A Classic Load Balancer of the same two.
  ClassicBalancer& classic(std::chrono::seconds draining = std::chrono::seconds{30}) {
    if (ids.empty()) ids = workers(3);
    ClassicBalancerSpec spec;
    spec.name = "old";
    spec.connection_draining = draining.count() > 0;
    spec.draining_timeout = draining;
    ClassicBalancer& balancer = world.classic_balancers().create(spec);
    world.classic_balancers().enroll(balancer, ids[0], true);
    world.classic_balancers().enroll(balancer, ids[1], true);
    return balancer;
  }

  net::HttpResponse change(const std::string& action, const TargetGroup& group, const std::string& id,
                           const std::string& port) {
    net::QueryParameters parameters{{"TargetGroupArn", group.arn}, {"Targets.member.1.Id", id}};
    if (!port.empty()) parameters.emplace_back("Targets.member.1.Port", port);
    return elbv2(action, parameters);
  }
  /// "draining Target.DeregistrationInProgress".
  std::string health(const TargetGroup& group, const InstanceId& id, const std::string& port) {
    const auto answer = change("DescribeTargetHealth", group, id.str(), port);
    return xml_at(answer, "//State") + " " + xml_at(answer, "//Reason");
  }

  net::HttpResponse with_instance(const std::string& action, const InstanceId& id) {
    return elb(action, {{"LoadBalancerName", "old"}, {"Instances.member.1.InstanceId", id.str()}});
  }
  /// "InService: N/A".
  std::string classic_health(const InstanceId& id) {
    const auto answer = with_instance("DescribeInstanceHealth", id);
    return xml_at(answer, "//State") + ": " + xml_at(answer, "//Description");
  }

  std::vector<InstanceId> ids;
};

}  // namespace ferryman::sandbox::test
