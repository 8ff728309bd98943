// SPDX-License-Identifier: Apache-2.0
// To whom balancers send new requests, which is another matter than a target's state.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "unit/sandbox/aws/balancers_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

class ContinuedService : public ::testing::Test {
 protected:
  TargetGroup& group(const std::string& type, std::chrono::seconds delay) {
    TargetGroup& made = bench.web(type);
    made.spec.load_balancer = bench.world.load_balancers().create(type, type, bench.sim.clock.wall()).arn;
    made.spec.deregistration_delay = delay;
    return made;
  }
  bool served(const TargetGroup& group, const InstanceId& id, std::uint16_t port = 80) {
    return holds(bench.world.target_groups().recipients(group), {id.str(), port});
  }
  static bool holds(const std::vector<TargetKey>& all, const TargetKey& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
  }
  /// Seconds from now until no new request comes to the first instance, up to five minutes.
  int seconds_of_service(const TargetGroup& group) {
    int passed = 0;
    for (; passed < 300 && served(group, bench.ids[0]); ++passed) bench.sim.clock.advance(1s);
    return passed;
  }
  void leave(const TargetGroup& group) { bench.change("DeregisterTargets", group, bench.ids[0].str(), "80"); }

  BalancersBench bench;
};

TEST_F(ContinuedService, AnApplicationBalancerSendsOnForFiveToTwentySecondsWhateverTheDelay) {
  for (const auto delay : {0s, 300s}) {
    for (int i = 0; i < 20; ++i) {
      const TargetGroup& web = group("application", delay);
      EXPECT_TRUE(served(web, bench.ids[0]));
      leave(web);
      const int passed = seconds_of_service(web);
      EXPECT_GE(passed, 5) << delay.count();
      EXPECT_LE(passed, 20) << delay.count();
    }
  }
}

TEST_F(ContinuedService, ANetworkBalancerSendsOnForOneToTwoMinutes) {
  std::set<int> seen;
  for (int i = 0; i < 20; ++i) {
    const TargetGroup& tcp = group("network", 0s);
    leave(tcp);
    seen.insert(seconds_of_service(tcp));
  }
  EXPECT_GE(*seen.begin(), 60);
  EXPECT_LE(*seen.rbegin(), 130);
  EXPECT_GT(seen.size(), 5U) << "by chance, not always the same";
}

TEST_F(ContinuedService, TheStateFollowsTheDelayAlone) {
  const TargetGroup& web = group("application", 0s);
  leave(web);
  EXPECT_EQ(bench.health(web, bench.ids[0], "80"), "unused Target.NotRegistered");
  EXPECT_TRUE(served(web, bench.ids[0]));
  EXPECT_TRUE(served(web, bench.ids[0], 8080)) << "another port is another target";
  const TargetGroup& slow = group("application", 300s);
  leave(slow);
  bench.sim.clock.advance(21s);
  EXPECT_EQ(bench.health(slow, bench.ids[0], "80"), "draining Target.DeregistrationInProgress");
  EXPECT_FALSE(served(slow, bench.ids[0]));
}

TEST_F(ContinuedService, AClassicBalancerSendsOnToo) {
  const ClassicBalancer& old = bench.classic(0s);
  const auto served_by_old = [&] {
    return holds(bench.world.classic_balancers().recipients(old), {bench.ids[0].str(), 80});
  };
  EXPECT_TRUE(served_by_old());
  bench.with_instance("DeregisterInstancesFromLoadBalancer", bench.ids[0]);
  EXPECT_EQ(bench.classic_health(bench.ids[0]),
            "OutOfService: Instance is not currently registered with the LoadBalancer.");
  bench.sim.clock.advance(4s);
  EXPECT_TRUE(served_by_old());
  bench.sim.clock.advance(17s);
  EXPECT_FALSE(served_by_old());
}

TEST_F(ContinuedService, ATargetThatWasNeverHealthyGotNoRequests) {
  const TargetGroup& web = group("application", 30s);
  const std::string id = bench.ids[2].str();
  bench.change("RegisterTargets", web, id, "80");
  EXPECT_FALSE(served(web, bench.ids[2]));
  bench.change("DeregisterTargets", web, id, "80");
  EXPECT_FALSE(served(web, bench.ids[2]));
}

TEST_F(ContinuedService, AGroupWithoutTargetsAnswersByItself) {
  TargetGroup& web = group("application", 0s);
  for (const InstanceId& id : {bench.ids[0], bench.ids[1]}) {
    for (const char* port : {"80", "8080"}) bench.change("DeregisterTargets", web, id.str(), port);
  }
  EXPECT_EQ(bench.world.target_groups().recipients(web).size(), 4U);
  bench.sim.clock.advance(20s);
  EXPECT_TRUE(bench.world.target_groups().recipients(web).empty()) << "503";
}

TEST_F(ContinuedService, AMachineThatStopsUnderTrafficIsTold) {
  const TargetGroup& web = group("application", 0s);
  leave(web);
  ASSERT_TRUE(bench.world.instances().shut_down(bench.ids[0]));
  std::vector<std::string> lost;
  for (const JournalEntry& entry : bench.journal.entries()) {
    if (entry.operation == "traffic.lost")
      lost.push_back(entry.details.at("port") + ": " + entry.details.at("why"));
  }
  EXPECT_EQ(lost, (std::vector<std::string>{"8080: it is registered", "80: continued service"}));
  bench.sim.clock.advance(5s);
  EXPECT_FALSE(served(web, bench.ids[0])) << "the balancer has noticed";
}

TEST_F(ContinuedService, AMachineThatStopsLaterLosesNothing) {
  const TargetGroup& web = group("application", 0s);
  for (const char* port : {"80", "8080"}) bench.change("DeregisterTargets", web, bench.ids[0].str(), port);
  bench.sim.clock.advance(20s);
  ASSERT_TRUE(bench.world.instances().shut_down(bench.ids[0]));
  EXPECT_TRUE(bench.times_of("traffic.lost").empty());
  EXPECT_EQ(bench.times_of("traffic.ended").size(), 2U);
}

}  // namespace
}  // namespace ferryman::sandbox::test
