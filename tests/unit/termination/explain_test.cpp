// SPDX-License-Identifier: Apache-2.0
#include "termination/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/termination/builders.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;

MessageExplanation explained(const std::string& name, const Policy& policy = {}, const LookUp& look_up = {}) {
  const auto parsed = parse::parse_message(test::sample(name));
  EXPECT_TRUE(parsed) << name;
  return parsed ? explain(*parsed, policy, look_up) : MessageExplanation();
}

bool says(const EventExplanation& about, std::string_view words) {
  return std::any_of(about.reasons.begin(), about.reasons.end(),
                     [&](const std::string& reason) { return reason.find(words) != std::string::npos; });
}

std::string deadline_of(const EventExplanation& about) {
  return about.deadline ? format_rfc3339(*about.deadline) : "none";
}

TEST(Explain, AHookOfOursIsKeptAliveAndCompleted) {
  const MessageExplanation message = explained("eventbridge-asg-terminate-lifecycle");
  ASSERT_EQ(message.events.size(), 1U);
  const EventExplanation& about = message.events.front();
  EXPECT_EQ(about.action, "drain");
  EXPECT_TRUE(about.our_hook);
  EXPECT_EQ(deadline_of(about), "2026-03-01T13:00:00Z");
  EXPECT_TRUE(says(about, "waits for hook drain-hook of group workers-a"));
  EXPECT_TRUE(says(about, "kept alive"));
  EXPECT_EQ(message.outcome, MessageOutcome::claimed);
}

TEST(Explain, AnothersHookStillStartsTheDrain) {
  Policy policy;
  policy.hooks = {"*", "!drain-*"};
  const MessageExplanation message = explained("eventbridge-asg-terminate-lifecycle", policy);
  ASSERT_TRUE(message.acts());
  EXPECT_FALSE(message.events.front().our_hook);
  EXPECT_TRUE(says(message.events.front(), "Hook drain-hook is not ours (setting hook)"));
}

TEST(Explain, ALaunchIsCompletedOnlyIfItsHookIsOurs) {
  EXPECT_EQ(explained("eventbridge-asg-launch-lifecycle").events.front().action, "complete");
  Policy policy;
  policy.hooks = {"other"};
  const MessageExplanation message = explained("eventbridge-asg-launch-lifecycle", policy);
  EXPECT_FALSE(message.acts());
  EXPECT_EQ(message.events.front().action, "ignore");
  EXPECT_FALSE(says(message.events.front(), "is completed"));
}

TEST(Explain, TheTimeThatIsLeftIsTheEventsOwn) {
  EXPECT_EQ(deadline_of(explained("eventbridge-spot-interruption").events.front()), "2026-03-01T12:02:00Z");
  EXPECT_EQ(deadline_of(explained("eventbridge-spot-interruption-hibernate").events.front()),
            "2026-03-01T12:00:00Z");
  EXPECT_EQ(deadline_of(explained("eventbridge-state-change-stopping").events.front()),
            "2026-03-01T12:00:00Z");
  EXPECT_EQ(deadline_of(explained("eventbridge-health-scheduled-change").events.front()),
            "2026-03-01T13:00:00Z");
  EXPECT_EQ(deadline_of(explained("eventbridge-rebalance-recommendation").events.front()), "none");
}

TEST(Explain, AScheduledChangeSaysWhenItsWorkBegins) {
  EXPECT_TRUE(says(explained("eventbridge-health-scheduled-change").events.front(), "Work begins at once"));
  Policy later;
  later.lead_times = {{"*", 30min}};
  EXPECT_TRUE(says(explained("eventbridge-health-scheduled-change", later).events.front(),
                   "Work begins at 2026-03-01T12:30:00Z, 30 min before the change."));
  Policy never;
  never.lead_times = {{"*", std::nullopt}};
  const MessageExplanation message = explained("eventbridge-health-scheduled-change", never);
  EXPECT_FALSE(message.acts());
  EXPECT_TRUE(says(message.events.front(), "(setting lead-time)"));
}

TEST(Explain, ACancelledChangeIsNotActedOn) {
  const MessageExplanation message = explained("eventbridge-health-scheduled-change-closed");
  ASSERT_EQ(message.events.size(), 2U);
  EXPECT_FALSE(message.acts());
  EXPECT_EQ(message.outcome, MessageOutcome::ignored);
  EXPECT_TRUE(says(message.events.front(), "will not come"));
  EXPECT_EQ(deadline_of(message.events.front()), "none");
}

TEST(Explain, AnotherAccountsOrRegionsMessageIsForeign) {
  Policy policy;
  policy.account = "000000000000";
  const MessageExplanation account = explained("eventbridge-spot-interruption", policy);
  EXPECT_FALSE(account.acts());
  EXPECT_EQ(account.outcome, MessageOutcome::foreign);
  EXPECT_EQ(account.because, "it is about account 123456789012, and ours is 000000000000");
  policy.account = "123456789012";
  policy.region = "eu-west-1";
  EXPECT_EQ(explained("eventbridge-spot-interruption", policy).because,
            "it is about region us-west-2, and ours is eu-west-1");
}

TEST(Explain, TheQueuesModeDecidesWhatBecomesOfAnothersMessage) {
  Policy policy;
  policy.account = "000000000000";
  EXPECT_EQ(explained("eventbridge-spot-interruption", policy).fate,
            "The message is given back to the queue: other readers may want it.");
  policy.queue_mode = QueueMode::exclusive;
  EXPECT_EQ(explained("eventbridge-spot-interruption", policy).fate,
            "The message is deleted: nobody else reads it.");
  EXPECT_EQ(explained("direct-asg-test-notification", policy).fate, "The message is deleted.");
}

TEST(Explain, WhatTheNodeSaysCounts) {
  const LookUp labelled = [](const Event&) {
    InstanceFacts facts;
    facts.word = "Node node-1 carries it: ours.";
    facts.labels = {{"ferryman.dev/on-spot-interruption", "cordon"}};
    return facts;
  };
  const EventExplanation about = explained("eventbridge-spot-interruption", {}, labelled).events.front();
  EXPECT_EQ(about.action, "cordon");
  EXPECT_TRUE(says(about, "Node node-1 carries it: ours."));
  EXPECT_TRUE(says(about, "(label ferryman.dev/on-spot-interruption)"));
}

TEST(Explain, WhenItIsKnownWhoseTheInstancesAreThereIsNoIf) {
  const LookUp ours = [](const Event&) { return InstanceFacts(); };
  EXPECT_EQ(explained("eventbridge-spot-interruption", {}, ours).fate,
            "The message is deleted once the work is written on the Node or over.");
  const LookUp gone = [](const Event&) {
    InstanceFacts facts;
    facts.ours = false;
    facts.outcome = MessageOutcome::past_its_life;
    return facts;
  };
  EXPECT_EQ(explained("eventbridge-spot-interruption", {}, gone).fate, "The message is deleted.");
}

TEST(Explain, AnInstanceThatIsNotOursIsLeftAlone) {
  const LookUp foreign = [](const Event&) {
    InstanceFacts facts;
    facts.ours = false;
    facts.word = "No Node carries it: not ours.";
    return facts;
  };
  const MessageExplanation message = explained("eventbridge-spot-interruption", {}, foreign);
  EXPECT_FALSE(message.acts());
  EXPECT_EQ(message.events.front().action, "ignore");
  EXPECT_EQ(message.outcome, MessageOutcome::foreign);
  EXPECT_FALSE(says(message.events.front(), "cordoned"));
  EXPECT_EQ(message.fate, "The message is given back to the queue: other readers may want it.");
}

}  // namespace
}  // namespace ferryman::termination
