// SPDX-License-Identifier: Apache-2.0
#include "app/policy_settings.h"

#include <gtest/gtest.h>

#include "app/settings.h"
#include "unit/app/memory_files.h"

namespace ferryman::app {
namespace {

using namespace std::chrono_literals;
using termination::Action;
using termination::AtLimit;
using termination::EventKind;
using termination::KeyValue;
using termination::LeadTime;
using Words = std::vector<std::string>;

PolicyReading read(const Words& flags) {
  test::MemoryFiles files;
  const Resolution resolution = resolve_settings(serve_table(), flags, Environment(), files);
  EXPECT_EQ(resolution.problems, Words{});
  return PolicyReading(resolution.values);
}

Action action_for(const PolicyReading& reading, EventKind kind) {
  return reading.policy.actions_by_kind.at(static_cast<std::size_t>(kind));
}

TEST(PolicySettings, EachKindHasItsOwnAction) {
  const PolicyReading reading = read(
      {"--on-spot-interruption=cordon", "--on-rebalance-recommendation=drain", "--on-state-change=ignore",
       "--on-scheduled-change=taint", "--on-instance-status=drain", "--on-asg-terminate=cordon",
       "--on-capacity-reservation-interruption=taint", "--on-asg-launch=ignore"});
  EXPECT_EQ(action_for(reading, EventKind::spot_interruption), Action::cordon);
  EXPECT_EQ(action_for(reading, EventKind::rebalance_recommendation), Action::drain);
  EXPECT_EQ(action_for(reading, EventKind::state_change), Action::ignore);
  EXPECT_EQ(action_for(reading, EventKind::scheduled_change), Action::taint);
  EXPECT_EQ(action_for(reading, EventKind::instance_status), Action::drain);
  EXPECT_EQ(action_for(reading, EventKind::asg_terminate), Action::cordon);
  EXPECT_EQ(action_for(reading, EventKind::capacity_reservation_interruption), Action::taint);
  EXPECT_FALSE(reading.policy.complete_launches);
}

TEST(PolicySettings, HooksOfManagedNodeGroupsAreTheirsByDefault) {
  const termination::Policy policy = read({}).policy;
  EXPECT_TRUE(is_our_hook(policy, "ferryman"));
  EXPECT_FALSE(is_our_hook(policy, "Terminate-LC-Hook"));
  EXPECT_FALSE(is_our_hook(policy, "Launch-LC-Hook"));
  EXPECT_TRUE(is_our_hook(read({"--hook=*"}).policy, "Terminate-LC-Hook"));
}

TEST(PolicySettings, OnlyExclusionsOfHooksAreRefused) {
  const PolicyReading reading = read({"--hook=!other"});
  EXPECT_EQ(reading.problems,
            Words{"setting hook: \"!other\" from flag --hook excludes hooks and names none, so that no hook "
                  "would be ours; write \"*,!…\" for all others"});
}

TEST(PolicySettings, AManagedTagNeedsItsValueAndTheErrorSaysWhy) {
  EXPECT_EQ(read({"--managed-tag=team/cluster=blue=1"}).policy.managed_tag,
            KeyValue("team/cluster", "blue=1"));
  for (const char* bare : {"--managed-tag=nth/managed", "--managed-tag=nth/managed="}) {
    const PolicyReading reading = read({bare});
    EXPECT_FALSE(reading.policy.managed_tag);
    ASSERT_EQ(reading.problems.size(), 1U);
    EXPECT_NE(reading.problems[0].find("from flag --managed-tag has no value: other clusters' instances may "
                                       "carry the same key"),
              std::string::npos);
    EXPECT_NE(reading.problems[0].find("--require-tag"), std::string::npos);
  }
}

TEST(PolicySettings, ARequiredTagMayBeAKeyAlone) {
  EXPECT_EQ(read({"--require-tag=nth/managed"}).policy.require_tag, KeyValue("nth/managed", std::nullopt));
  EXPECT_EQ(read({"--require-tag=env=prod"}).policy.require_tag, KeyValue("env", "prod"));
  EXPECT_EQ(read({"--require-tag==prod"}).problems.size(), 1U);
}

TEST(PolicySettings, NodesOfKarpenterAndAutoModeAreSkippedUnlessTheListIsEmptied) {
  const auto skips = [](const termination::Policy& policy, std::string_view key, std::string_view value) {
    return std::ranges::any_of(policy.skip_labels, [&](const KeyValue& l) { return l.matches(key, value); });
  };
  const termination::Policy own = read({}).policy;
  EXPECT_TRUE(skips(own, "karpenter.sh/nodepool", "default"));
  EXPECT_TRUE(skips(own, "eks.amazonaws.com/compute-type", "auto"));
  EXPECT_FALSE(skips(own, "eks.amazonaws.com/compute-type", "ec2"));
  EXPECT_TRUE(read({"--skip-label=none"}).policy.skip_labels.empty());
  EXPECT_EQ(read({"--skip-label=a,=b"}).problems.size(), 1U);
}

TEST(PolicySettings, LeadTimesComeBeforeTheBuiltInOnes) {
  const auto own = read({}).policy.lead_times;
  auto expected =
      std::vector<LeadTime>{LeadTime("AWS_EC2_*_REBOOT_*", 1h), LeadTime("*STOP*", Duration::max()),
                            LeadTime("*POWER*", std::nullopt)};
  expected.insert(expected.end(), own.begin(), own.end());
  EXPECT_EQ(
      read({"--lead-time=AWS_EC2_*_REBOOT_*=1h,*STOP*=now", "--lead-time=*POWER*=ignore"}).policy.lead_times,
      expected);
}

TEST(PolicySettings, ALeadTimeThatCannotBeReadIsNamed) {
  for (const char* text : {"10m", "=10m", "CODE=", "CODE=soon", "CODE=-1s"}) {
    const PolicyReading reading = read({"--lead-time=GOOD=1m," + std::string(text)});
    ASSERT_EQ(reading.problems.size(), 1U) << text;
    EXPECT_NE(reading.problems[0].find("\"" + std::string(text) + "\"; write entries like"),
              std::string::npos);
  }
}

TEST(PolicySettings, WhatHappensAtALimitHasThreeWords) {
  const termination::Policy policy =
      read({"--launch-at-limit=abandon", "--missing-node-at-limit=leave", "--missing-node-limit=5m"}).policy;
  EXPECT_EQ(policy.launch_at_limit, AtLimit::abandon);
  EXPECT_EQ(policy.missing_node_at_limit, AtLimit::leave);
  EXPECT_EQ(policy.missing_node_limit, 5min);
}

TEST(PolicySettings, APauseConfigMapWithoutNamespaceTakesThePods) {
  const termination::Policy whole = read({"--pause-config-map=ops/ferryman-pause"}).policy;
  EXPECT_EQ(whole.pause_namespace + " " + whole.pause_name, "ops ferryman-pause");
  const termination::Policy bare = read({"--pause-config-map=ferryman-pause", "--pod-namespace=mine"}).policy;
  EXPECT_EQ(bare.pause_namespace + " " + bare.pause_name, "mine ferryman-pause");
  EXPECT_NE(read({"--pause-config-map=ferryman-pause"}).problems.at(0).find("set --pod-namespace"),
            std::string::npos);
  for (const char* wrong : {"/x", "x/", "a/b/c"}) {
    EXPECT_EQ(read({"--pause-config-map=" + std::string(wrong)}).problems.size(), 1U) << wrong;
  }
}

TEST(PolicySettings, EC2IsNotAskedTooOften) {
  EXPECT_EQ(read({"--poll-instance-status=5m"}).policy.instance_status_period, 5min);
  EXPECT_EQ(read({"--poll-instance-status=0"}).problems, Words{});
  EXPECT_EQ(read({"--poll-instance-status=5s"}).problems.size(), 1U);
}

}  // namespace
}  // namespace ferryman::app
