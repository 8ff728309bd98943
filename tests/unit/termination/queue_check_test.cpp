// SPDX-License-Identifier: Apache-2.0
#include "termination/queue_check.h"

#include <gtest/gtest.h>

#include "unit/termination/engine_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::EngineWorld;

QueueFacts sound_queue() {
  QueueFacts facts;
  facts.arn = "arn:aws:sqs:us-west-2:123456789012:ferryman";
  facts.account = "123456789012";
  return facts;
}

std::vector<std::string> warned_of(const QueueFacts& facts, const Policy& policy = {},
                                   std::optional<Duration> longest_hook = {}) {
  std::vector<std::string> attributes;
  for (const QueueFlaw& flaw : judge_queue(facts, policy, longest_hook).warnings)
    attributes.push_back(flaw.attribute);
  return attributes;
}

using Attributes = std::vector<std::string>;

TEST(QueueVerdict, AQueueAsItIsMadeByDefaultIsSound) {
  EXPECT_EQ(warned_of(sound_queue()), Attributes{});
  EXPECT_FALSE(judge_queue(sound_queue(), Policy()).refusal);
}

TEST(QueueVerdict, ADelayOrAShortRetentionIsWarnedOf) {
  QueueFacts facts = sound_queue();
  facts.delay = 1s;
  facts.retention = 3599s;
  EXPECT_EQ(warned_of(facts), (Attributes{"DelaySeconds", "MessageRetentionPeriod"}));
  facts.delay = 0s;
  facts.retention = 3600s;
  EXPECT_EQ(warned_of(facts), Attributes{});
  EXPECT_EQ(warned_of(facts, Policy(), 3601s), Attributes{"MessageRetentionPeriod"});
  const auto verdict = judge_queue(facts, Policy(), 7200s);
  EXPECT_EQ(verdict.warnings.at(0).cure, "set MessageRetentionPeriod to 7200 or more");
}

TEST(QueueVerdict, ACustomersKeyIsFineAndAwssOwnIsNot) {
  QueueFacts facts = sound_queue();
  for (const char* key : {"", "alias/mine", "arn:aws:kms:us-west-2:123456789012:key/1234abcd"}) {
    facts.kms_key = key;
    EXPECT_EQ(warned_of(facts), Attributes{}) << key;
  }
  for (const char* key : {"alias/aws/sqs", "arn:aws:kms:us-west-2:123456789012:alias/aws/sqs"}) {
    facts.kms_key = key;
    EXPECT_EQ(warned_of(facts), Attributes{"KmsMasterKeyId"}) << key;
  }
}

TEST(QueueVerdict, ATightRedrivePolicyOfASharedQueueIsRefusedWithItsCure) {
  QueueFacts facts = sound_queue();
  facts.most_receives = 99;
  const auto verdict = judge_queue(facts, Policy());
  ASSERT_TRUE(verdict.refusal);
  for (const char* part : {"setting queue-url", facts.arn.c_str(), "maxReceiveCount 99",
                           "maxReceiveCount to 100 or more", "--queue-mode=exclusive", "--allow-redrive"})
    EXPECT_NE(verdict.refusal->find(part), std::string::npos) << part << ": " << *verdict.refusal;
  facts.most_receives = 100;
  EXPECT_FALSE(judge_queue(facts, Policy()).refusal);
}

TEST(QueueVerdict, ATightRedrivePolicyIsFineForAnExclusiveQueueAndAWarningWhenAllowed) {
  QueueFacts facts = sound_queue();
  facts.most_receives = 5;
  Policy policy;
  policy.queue_mode = QueueMode::exclusive;
  EXPECT_FALSE(judge_queue(facts, policy).refusal);
  EXPECT_EQ(warned_of(facts, policy), Attributes{});
  policy.queue_mode = QueueMode::shared;
  policy.allow_redrive = true;
  EXPECT_FALSE(judge_queue(facts, policy).refusal);
  EXPECT_EQ(warned_of(facts, policy), Attributes{"RedrivePolicy"});
}

TEST(QueueCheck, IsMadeBeforeTheFirstReceive) {
  EngineWorld world;
  world.queue.about.delay = 7s;
  world.start();
  world.run_for(1s);
  EXPECT_LT(world.script.first("queue.facts"), world.script.first("queue.receive"));
  EXPECT_EQ(world.script.count("queue.facts"), 1U);
  EXPECT_EQ(world.sim.logs.with("queue.unsuitable attribute=DelaySeconds value=7").size(), 1U);
}

TEST(QueueCheck, ARefusedQueueIsNeverReceivedFrom) {
  EngineWorld world;
  world.queue.about.most_receives = 3;
  world.send("m", world.ending_node(1));
  world.start();
  const auto reason = world.sim.run(world.engine->refused());
  EXPECT_NE(reason.find("maxReceiveCount 3"), std::string::npos) << reason;
  world.run_for(2h);
  EXPECT_EQ(world.script.count("queue.receive"), 0U);
}

TEST(QueueCheck, WithoutTheRightTheWorkGoesOnAndTheRightIsNamedOnce) {
  EngineWorld world;
  world.script.fail("queue.facts", Error(Fault::denied, "AccessDenied", "not authorized"));
  world.start();
  world.send("m", world.ending_node(1));
  world.run_for(2min);
  EXPECT_EQ(world.cloud.completions.size(), 1U);
  EXPECT_EQ(world.script.count("queue.facts"), 1U);
  EXPECT_EQ(world.sim.logs.with("queue.not_checked").size(), 1U);
  EXPECT_EQ(world.sim.logs.with("allow sqs:GetQueueAttributes").size(), 1U);
}

TEST(QueueCheck, AQueueThatHangsDelaysTheFirstReceiveByOneCallTime) {
  EngineWorld world;
  world.script.hang("queue.facts");
  world.start();
  world.run_for(world.policy.call_timeout - 1ms);
  EXPECT_EQ(world.script.count("queue.receive"), 0U);
  world.run_for(10ms);
  EXPECT_GE(world.script.count("queue.receive"), 1U);
}

TEST(QueueCheck, AQueueThatIsUnreachableAtFirstIsAskedUntilItIsKnown) {
  EngineWorld world;
  world.script.fail("queue.facts", Error(Fault::transport, "connection refused"));
  world.script.fail("queue.receive", Error(Fault::transport, "connection refused"));
  world.queue.about.most_receives = 3;
  world.start();
  world.run_for(5min);
  EXPECT_EQ(world.sim.logs.with("queue.not_checked").size(), 1U);
  world.script.heal("queue.facts");
  world.run_for(20s);
  const auto asked = world.script.count("queue.facts");
  EXPECT_NE(world.sim.run(world.engine->refused()).find("maxReceiveCount 3"), std::string::npos);
  world.run_for(1h);
  EXPECT_EQ(world.script.count("queue.facts"), asked);
}

// Given by name, its URL says nothing about the account.
TEST(QueueCheck, TheAccountIsTakenFromTheQueueWhenNothingElseNamesIt) {
  for (const std::string known : {"", "999999999999"}) {
    test::World world;
    std::string account = known;
    QueueCheck check(world.context, world.queue, account, [] { return Duration{0}; });
    world.calls.spawn("check", check.run());
    world.sim.clock.advance(1s);
    world.calls.cancel();
    world.sim.clock.advance(0s);
    EXPECT_EQ(account, known.empty() ? "123456789012" : known);
  }
}

TEST(QueueCheck, AHookThatWaitsLongerThanTheQueueKeepsIsNamedWhenItBecomesKnown) {
  test::EngineWorld world;
  world.queue.about.retention = 2h;
  world.start();
  world.run_for(2min);
  EXPECT_EQ(world.sim.logs.with("queue.unsuitable").size(), 0U);
  world.send("m", world.ending_node(1));  // its hook may wait for 30,000 s
  world.run_for(2min);
  EXPECT_EQ(world.sim.logs.with("MessageRetentionPeriod").size(), 1U);
  world.run_for(10min);
  EXPECT_EQ(world.sim.logs.with("MessageRetentionPeriod").size(), 1U);
}

}  // namespace
}  // namespace ferryman::termination
