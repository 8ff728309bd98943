// SPDX-License-Identifier: Apache-2.0
#include "app/balancer_settings.h"

#include <gtest/gtest.h>

#include "app/policy_settings.h"
#include "unit/app/memory_files.h"

namespace ferryman::app {
namespace {

using termination::KeyValue;
using Words = std::vector<std::string>;

PolicyReading read(const Words& flags) {
  test::MemoryFiles files;
  const Resolution resolution = resolve_settings(serve_table(), flags, Environment(), files);
  EXPECT_EQ(resolution.problems, Words{});
  return PolicyReading(resolution.values);
}

TEST(BalancerSettings, ByDefaultNothingIsNarrowedAndAHealthyTargetIsKept) {
  const termination::Policy policy = read({}).policy;
  EXPECT_TRUE(policy.leave_target_groups && policy.leave_classic_balancers);
  EXPECT_TRUE(policy.target_group_tags.empty() && policy.target_group_vpcs.empty());
  EXPECT_FALSE(policy.target_group_bindings || policy.deregister_ip_targets);
  EXPECT_EQ(policy.target_group_types, (Words{"instance", "ip"}));
  EXPECT_EQ(policy.min_healthy_targets, 1);
}

TEST(BalancerSettings, TargetGroupsAreNarrowedByTagsVpcsTypesAndBindings) {
  const termination::Policy policy =
      read({"--target-group-tag=elbv2.k8s.aws/cluster=shop,bare", "--target-group-vpc=vpc-1",
            "--target-group-type=instance", "--target-group-bindings", "--min-healthy-targets=0"})
          .policy;
  EXPECT_EQ(policy.target_group_tags, (std::vector<KeyValue>{KeyValue("elbv2.k8s.aws/cluster", "shop"),
                                                             KeyValue("bare", std::nullopt)}));
  EXPECT_EQ(policy.target_group_vpcs, Words{"vpc-1"});
  EXPECT_EQ(policy.target_group_types, Words{"instance"});
  EXPECT_TRUE(policy.target_group_bindings);
  EXPECT_EQ(policy.min_healthy_targets, 0);
}

TEST(BalancerSettings, EachKindOfBalancerCanBeLeftAlone) {
  EXPECT_FALSE(read({"--deregister-from=target-group"}).policy.leave_classic_balancers);
  EXPECT_FALSE(read({"--deregister-from=classic-elb"}).policy.leave_target_groups);
  const termination::Policy none = read({"--deregister-from=none"}).policy;
  EXPECT_FALSE(none.leave_target_groups || none.leave_classic_balancers);
  EXPECT_TRUE(none.deregister);
}

TEST(BalancerSettings, WhatIsNoKindTypeOrTagIsNamedWithTheCure) {
  const Words problems =
      read({"--deregister-from=alb", "--target-group-type=lambda", "--target-group-tag==x"}).problems;
  ASSERT_EQ(problems.size(), 3U);
  EXPECT_NE(problems[0].find("\"alb\"; write target-group, classic-elb or both"), std::string::npos)
      << problems[0];
  EXPECT_NE(problems[1].find("\"lambda\"; write instance, ip or both"), std::string::npos) << problems[1];
  EXPECT_NE(problems[2].find("target-group-tag"), std::string::npos) << problems[2];
}

}  // namespace
}  // namespace ferryman::app
