// SPDX-License-Identifier: Apache-2.0
// Accounts with many load balancers, as they broke other systems, with the right outcome and its numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "net/url.h"
#include "sim/faulty_calls.h"
#include "sim/scene_events.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

constexpr int ending = 20;

/// Throttles every fifth call to Elastic Load Balancing; notes which Nodes carry the label, and every
/// deregistration of an instance whose Node did not carry it yet.
class WatchedCalls final : public net::CallInterceptor {
 public:
  static constexpr int never = 1'000'000;

  explicit WatchedCalls(int every) : every_(every) {}

  net::CallFate on_call(const net::HttpRequest& request) override {
    if (request.method == "PATCH" &&
        request.body.find("exclude-from-external-load-balancers") != std::string::npos)
      labelled.insert(name_of_call(request).substr(std::string("PATCH /api/v1/nodes/").size()));
    const bool elb = request.body.find("Version=2015-12-01") != std::string::npos ||
                     request.body.find("Version=2012-06-01") != std::string::npos;
    if (!elb) return {};
    if (++calls_ % every_ == 0) return throttled();
    if (request.body.find("Action=Deregister") == std::string::npos) return {};
    for (const auto& [name, value] : net::parse_query(request.body)) {
      if (value.starts_with("i-")) deregistered.emplace_back(value, labelled.size());
    }
    return {};
  }

  std::set<std::string> labelled;                                 // names of Nodes
  std::vector<std::pair<std::string, std::size_t>> deregistered;  // id, and how many Nodes were labelled then

 private:
  static net::CallFate throttled() {
    net::CallFate fate(net::CallFate::Kind::fail_before);
    fate.status = 400;
    fate.body =
        "<ErrorResponse><Error><Type>Sender</Type><Code>Throttling</Code><Message>Rate "
        "exceeded</Message></Error>"
        "</ErrorResponse>";
    return fate;
  }

  int every_;
  int calls_ = 0;
};

SceneShape zoo_shape() {
  SceneShape shape;
  shape.nodes = ending + 2;
  shape.terminate = ending;
  shape.replicas = 4;
  shape.target_groups = 0;
  shape.classic_elbs = 0;
  shape.budget = false;
  shape.heartbeat_timeout = 300s;
  return shape;
}

class LoadBalancerZoo : public ::testing::Test {
 protected:
  /// 450 target groups: four that matter, strangers in the others; and a classic balancer.
  void build(Scene& scene) {
    a_ = add(scene, "tg-a", "instance", 40s, {80});
    c_ = add(scene, "tg-c", "instance", 20s, {30080, 30443});
    d_ = add(scene, "tg-d", "instance", 20s, {80});
    b_ = add(scene, "tg-b", "ip", 20s, {});
    scene.aws().target_groups().enroll(*scene.aws().target_groups().find(b_), {"10.0.1.23", 80}, true);
    for (int i = 0; i < 446; ++i) add(scene, "other-" + std::to_string(i), "instance", 300s, {});
    sandbox::ClassicBalancerSpec spec;
    spec.name = "lb-1";
    spec.draining_timeout = 30s;
    sandbox::ClassicBalancer& classic = scene.aws().classic_balancers().create(spec);
    for (const InstanceId& id : scene.instances()) scene.aws().classic_balancers().enroll(classic, id, true);
  }

  static std::string add(Scene& scene, const std::string& name, const std::string& type,
                         std::chrono::seconds delay, const std::vector<std::uint16_t>& ports) {
    sandbox::TargetGroupSpec spec;
    spec.name = name;
    spec.target_type = type;
    spec.deregistration_delay = delay;
    spec.load_balancer =
        scene.aws().load_balancers().create("web", "application", scene.sim().clock.wall()).arn;
    sandbox::TargetGroup& group = scene.aws().target_groups().create(spec);
    for (const std::uint16_t port : ports) {
      for (const InstanceId& id : scene.instances())
        scene.aws().target_groups().enroll(group, {id.str(), port}, true);
    }
    return group.arn;
  }

  static bool is_in(Scene& scene, const std::string& arn, const InstanceId& id) {
    const auto& targets = scene.aws().target_groups().find(arn)->targets;
    return std::any_of(targets.begin(), targets.end(),
                       [&](const auto& one) { return one.first.id == id.str(); });
  }

  static std::size_t reads(const Scene& scene, const std::string& arn = {}) {
    const auto& entries = scene.journal().entries();
    return static_cast<std::size_t>(std::count_if(entries.begin(), entries.end(), [&](const auto& entry) {
      if (entry.operation != "DescribeTargetHealth") return false;
      const auto group = entry.details.find("group");
      return arn.empty() || (group != entry.details.end() && group->second == arn);
    }));
  }

  /// When the last target of the instance was let go, and when its hook was completed.
  static std::pair<SteadyTime, SteadyTime> ends_of(const Scene& scene, const InstanceId& id) {
    std::pair<SteadyTime, SteadyTime> ends;
    for (const auto& entry : scene.journal().entries()) {
      if (entry.operation == "CompleteLifecycleAction" && entry.subject == id.str() && entry.outcome == "ok")
        ends.second = entry.at;
      const auto instance = entry.details.find("instance");
      const bool about =
          entry.subject == id.str() || (instance != entry.details.end() && instance->second == id.str());
      if (entry.operation == "target.gone" && about && ends.second == SteadyTime{}) ends.first = entry.at;
    }
    return ends;
  }

  std::string a_;
  std::string b_;
  std::string c_;
  std::string d_;
};

TEST_F(LoadBalancerZoo, TwentyNodesLeaveFourGroupsOfFourHundredFiftyAndAClassicBalancer) {
  Scene scene(zoo_shape(), 9);
  build(scene);
  WatchedCalls calls(5);
  scene.start(&calls);
  scene.advance(4min);  // the index is warm
  scene.aws().target_groups().destroy(d_);
  scene.terminate();
  const InstanceId& first = scene.instances().front();
  scene.advance(15s);
  ASSERT_TRUE(is_in(scene, c_, first));  // draining
  std::vector<sandbox::TargetName> back{{first.str(), 30443}};
  ASSERT_TRUE(scene.aws().target_groups().register_targets(*scene.aws().target_groups().find(c_), back).ok());
  EXPECT_TRUE(scene.run_to_the_end(15min));
  EXPECT_EQ(scene.broken(), "");
  EXPECT_EQ(scene.count("autoscaling", "CompleteLifecycleAction"), std::size_t{ending});
  EXPECT_EQ(reads(scene, b_), 0U);
  EXPECT_LT(reads(scene), 450U * 3U);
  for (int n = 0; n < ending; ++n) {
    const auto [gone, completed] = ends_of(scene, scene.instances().at(static_cast<std::size_t>(n)));
    EXPECT_GT(gone, SteadyTime{}) << n;
    EXPECT_GE(completed, gone) << n;
    EXPECT_FALSE(is_in(scene, c_, scene.instances().at(static_cast<std::size_t>(n)))) << n;
  }
  ASSERT_FALSE(calls.deregistered.empty());
  EXPECT_GT(calls.deregistered.front().second, 0U);  // labelled first
  EXPECT_EQ(calls.labelled.size(), std::size_t{ending});
}

TEST_F(LoadBalancerZoo, ASpotNoticeLeavesWithinTenSecondsWhenTheIndexIsWarm) {
  Scene scene(zoo_shape(), 10);
  build(scene);
  WatchedCalls calls(WatchedCalls::never);
  scene.start(&calls);
  scene.advance(4min);
  const InstanceId& first = scene.instances().front();
  scene.aws().interruptions().spot(first);
  const auto left = [&] {
    return std::count_if(calls.deregistered.begin(), calls.deregistered.end(),
                         [&](const auto& one) { return one.first == first.str(); }) >= 5;
  };
  EXPECT_LT(scene.advance_until(left, 1min), 10.0);  // tg-a, both ports of tg-c, tg-d and lb-1
}

TEST_F(LoadBalancerZoo, NarrowedByATagTheClustersOwnGroupsAloneAreRead) {
  SceneShape shape = zoo_shape();
  shape.arguments = {"--target-group-tag=elbv2.k8s.aws/cluster=sim"};
  Scene scene(shape, 11);
  build(scene);
  std::set<std::string> own;
  for (auto& [arn, group] : scene.aws().target_groups().all()) {
    if (own.size() == 12) break;
    group.spec.tags["elbv2.k8s.aws/cluster"] = "sim";
    if (group.spec.target_type == "instance") own.insert(arn);
  }
  scene.start();
  scene.advance(1min);
  scene.terminate();
  scene.advance(5min);
  std::set<std::string> read;
  for (const auto& entry : scene.journal().entries()) {
    if (entry.operation == "DescribeTargetHealth") read.insert(entry.details.at("group"));
  }
  EXPECT_EQ(read, own);
}

}  // namespace
}  // namespace ferryman::sim
