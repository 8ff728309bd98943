// SPDX-License-Identifier: Apache-2.0
// The checker must see what breaks a promise: each test is a good record with one thing done wrong.
#include <gtest/gtest.h>

#include "unit/sandbox/promise_story.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

TEST(Promises, AGoodRecordBreaksNone) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted().evicted().pod_gone("kubelet").completed();
  EXPECT_EQ(story.judged(), "");
}

TEST(Promises, CompletionBeforeThePodIsGone) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted().evicted().completed();
  EXPECT_EQ(
      story.judged(),
      "promise 4: the hook of i-0123456789abcdef0 was completed while pod default/web was on its node\n");
}

TEST(Promises, AfterTheFinalDeadlineAPodMayBeLeft) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted().evicted();
  story.sim.clock.advance(1h);
  EXPECT_EQ(story.completed().judged(), "");
}

TEST(Promises, APodForcedAwayWithoutItsKubelet) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted().pod_gone("forced").completed();
  EXPECT_EQ(story.judged(), "promise 4: pod default/web left node-a without its kubelet's word\n");
}

TEST(Promises, ASecondCompletion) {
  Story story;
  story.node_with_a_pod()
      .told()
      .cordoned()
      .message_deleted()
      .evicted()
      .pod_gone("kubelet")
      .completed()
      .completed();
  EXPECT_EQ(story.judged(), "promise 4: the hook of i-0123456789abcdef0 was completed twice\n");
}

TEST(Promises, AMessageDeletedBeforeTheClaim) {
  Story story;
  story.node_with_a_pod().told().message_deleted().cordoned().evicted().pod_gone("kubelet").completed();
  EXPECT_EQ(story.judged(),
            "promise 3: the message about i-0123456789abcdef0 was deleted before a claim was on its node\n");
}

TEST(Promises, AMessageDeletedInABatchIsJudgedAlike) {
  Story story;
  story.node_with_a_pod().told();
  story.journal.fact("message.deleted", "m1", {{"queue", "events"}});
  story.cordoned().evicted().pod_gone("kubelet").completed();
  EXPECT_EQ(story.judged(),
            "promise 3: the message about i-0123456789abcdef0 was deleted before a claim was on its node\n");
}

TEST(Promises, AForeignMessageDeleted) {
  Story story;
  story.journal.fact("instance.running", "i-0fedcba9876543210");
  story.journal.fact("message.sent", "m9", {{"instance", "i-0fedcba9876543210"}});
  story.journal.call("sqs", "DeleteMessage", "m9", "ok", {{"deleted", "true"}});
  EXPECT_EQ(story.judged(), "promise 3: a message about foreign i-0fedcba9876543210 was deleted\n");
}

TEST(Promises, AMessageLeftAtTheEnd) {
  Story story;
  story.node_with_a_pod().told().cordoned().evicted().pod_gone("kubelet").completed();
  EXPECT_EQ(story.judged(), "promise 3: message m1 about i-0123456789abcdef0 is left\n");
}

TEST(Promises, ANodeThatDoesNotEndIsTouched) {
  Story story;
  story.node_with_a_pod().cordoned();
  EXPECT_EQ(story.judged(), "promise 2: node node-a was written, but nobody said that it ends\n");
}

TEST(Promises, AnEvictionBeforeTheCordon) {
  Story story;
  story.node_with_a_pod().told().evicted().cordoned().message_deleted().pod_gone("kubelet").completed();
  EXPECT_EQ(story.judged(), "promise 2: pod default/web was sent off before its node was cordoned\n");
}

TEST(Promises, AHookThatTimedOut) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted();
  story.journal.fact("hook.timed_out", instance, {{"hook", "drain"}});
  EXPECT_EQ(story.judged(), "promise 5: hook drain of i-0123456789abcdef0 timed out\n");
}

TEST(Promises, AHookThatNobodyCompleted) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted().evicted().pod_gone("kubelet");
  EXPECT_EQ(story.judged(), "promise 6: the hook of i-0123456789abcdef0 was never completed\n");
}

TEST(Promises, LoadBalancersLeftInOrderBreakNone) {
  Story story;
  story.node_with_a_pod().targets("registered").told().cordoned().message_deleted().targets("draining");
  story.evicted().pod_gone("kubelet").targets("gone").completed();
  EXPECT_EQ(story.judged(), "");
}

TEST(Promises, CompletionBeforeALoadBalancerLetGo) {
  Story story;
  story.node_with_a_pod().targets("registered").told().cordoned().message_deleted().targets("draining");
  story.evicted().pod_gone("kubelet").completed();
  EXPECT_EQ(
      story.judged(),
      "promise 4: the hook of i-0123456789abcdef0 was completed while load balancers held 2 targets, the "
      "first in web port 80\n");
}

TEST(Promises, AnEvictionBeforeTheDeregistration) {
  Story story;
  story.node_with_a_pod().targets("registered").told().cordoned().message_deleted().evicted();
  story.targets("draining").pod_gone("kubelet").targets("gone").completed();
  EXPECT_EQ(
      story.judged(),
      "promise 4: pod default/web was sent off before i-0123456789abcdef0 was deregistered from 2 targets, "
      "the first in web port 80\n");
}

TEST(Promises, ATargetThatCameBackAndWasNotDeregisteredAgain) {
  Story story;
  story.node_with_a_pod().targets("registered").told().cordoned().message_deleted().targets("draining");
  story.evicted().targets("registered").pod_gone("kubelet").completed();
  EXPECT_NE(story.judged().find("while load balancers held 2 targets"), std::string::npos);
}

TEST(Promises, AfterTheFinalDeadlineATargetMayBeLeft) {
  Story story;
  story.node_with_a_pod().targets("registered").told().cordoned().message_deleted().targets("draining");
  story.evicted().pod_gone("kubelet");
  story.sim.clock.advance(1h);
  EXPECT_EQ(story.completed().judged(), "");
}

}  // namespace
}  // namespace ferryman::sandbox::test
