// SPDX-License-Identifier: Apache-2.0
// The checker must see what breaks a promise: each test is a good record with one thing done wrong.
#include "sandbox/promises.h"

#include <gtest/gtest.h>

#include "support/simulation.h"

namespace ferryman::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr const char* instance = "i-0123456789abcdef0";

/// A record of one node's end, told step by step.
class Story {
 public:
  Story& node_with_a_pod() {
    journal.fact("node.added", "node-a", {{"uid", "u-node"}, {"instance", instance}});
    journal.fact("pod.created", "default/web",
                 {{"uid", "u-pod"}, {"node", "node-a"}, {"owner", "ReplicaSet"}});
    return *this;
  }
  Story& told() {
    journal.fact("hook.waiting", instance, {{"hook", "drain"}, {"token", "t1"}});
    journal.fact("message.sent", "m1", {{"instance", instance}});
    return *this;
  }
  Story& cordoned() {
    journal.call("kubernetes", "nodes.patch", "node-a", "ok",
                 {{"unschedulable", "true"}, {"claim", "present"}});
    return *this;
  }
  Story& message_deleted() {
    journal.call("sqs", "DeleteMessage", "m1", "ok", {{"deleted", "true"}});
    return *this;
  }
  /// "registered", "draining" or "gone", under two ports of one group.
  Story& targets(const std::string& state) {
    for (const char* port : {"80", "8080"})
      journal.fact("target." + state, instance, {{"instance", instance}, {"group", "web"}, {"port", port}});
    return *this;
  }
  Story& evicted() {
    journal.call("kubernetes", "pods.evict", "default/web", "ok", {{"uid", "u-pod"}});
    return *this;
  }
  Story& pod_gone(const std::string& how) {
    journal.fact("pod.gone", "default/web",
                 {{"uid", "u-pod"}, {"node", "node-a"}, {"owner", "ReplicaSet"}, {"how", how}});
    return *this;
  }
  Story& completed() {
    journal.fact("hook.completed", instance, {{"hook", "drain"}, {"token", "t1"}});
    return *this;
  }
  [[nodiscard]] std::string judged(const PromiseTerms& terms = {}) const {
    std::string all;
    for (const std::string& text : broken_promises(journal, terms)) all += text + "\n";
    return all;
  }

  test::Simulation sim;
  Journal journal{sim.clock};
};

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

class Shared : public ::testing::Test {
 protected:
  static constexpr const char* foreign = "i-0fedcba9876543210";

  void launched(const std::string& id, const std::string& tags) {
    story.journal.fact("instance.launched", id, {{"tags", tags}});
  }
  void sent(const std::string& id, const std::string& kind, const std::string& about) {
    story.journal.fact("message.sent", id, {{"instance", about}, {"kind", kind}, {"useful_for", "300"}});
  }
  void removed(const std::string& id, const std::string& caller = "a") {
    story.journal.fact("message.deleted", id, {{"queue", "q"}, {"caller", caller}});
  }

  Story story;
};

TEST_F(Shared, ACordonAfterASpotNoticeIsWanted) {
  story.node_with_a_pod();
  story.journal.fact("instance.end_announced", instance, {{"by", "spot-interruption"}});
  sent("m1", "spot-interruption", instance);
  story.cordoned().message_deleted();
  story.journal.fact("instance.terminated", instance);
  EXPECT_EQ(story.judged(), "");
}

TEST_F(Shared, ASpotNoticeDeletedBeforeTheClaim) {
  story.node_with_a_pod();
  sent("m1", "spot-interruption", instance);
  removed("m1");
  EXPECT_NE(story.judged().find("was deleted before a claim"), std::string::npos);
}

TEST_F(Shared, AForeignMessageMayBeDeletedWhenItIsOfNoUseAnyMore) {
  launched(foreign, "");
  sent("m1", "spot-interruption", foreign);
  sent("m2", "spot-interruption", foreign);
  story.sim.clock.advance(299s);
  removed("m1");
  EXPECT_EQ(story.judged(), std::string("promise 3: a message about foreign ") + foreign + " was deleted\n");
  story.sim.clock.advance(1s);
  removed("m2");
  EXPECT_EQ(story.judged(), std::string("promise 3: a message about foreign ") + foreign + " was deleted\n");
}

TEST_F(Shared, InAnExclusiveQueueForeignMessagesAreDeleted) {
  launched(foreign, "");
  sent("m1", "spot-interruption", foreign);
  removed("m1");
  PromiseTerms terms;
  terms.exclusive_queue = true;
  EXPECT_EQ(story.judged(terms), "");
}

TEST_F(Shared, WhatNobodyActsOnMayBeDeletedByAnybody) {
  launched(foreign, "");
  story.node_with_a_pod();
  sent("m1", "nobodys", foreign);
  sent("m2", "rebalance-recommendation", instance);
  removed("m1");
  removed("m2");
  EXPECT_EQ(story.judged(), "");
}

TEST_F(Shared, EachInstanceOfAHealthMessageNeedsItsClaim) {
  story.node_with_a_pod();
  story.journal.fact("node.added", "node-b", {{"uid", "u"}, {"instance", "i-0000000000000000b"}});
  story.journal.fact(
      "message.sent", "m1",
      {{"instances", std::string(instance) + ",i-0000000000000000b"}, {"kind", "scheduled-change"}});
  story.cordoned();
  removed("m1");
  EXPECT_EQ(story.judged(),
            "promise 3: the message about i-0000000000000000b was deleted before a claim was on its node\n");
}

TEST_F(Shared, TheHookOfAForeignInstanceIsNotOursToCompleteOrKeepAlive) {
  launched(foreign, "kubernetes.io/cluster/b=owned");
  PromiseTerms terms;
  terms.own_tags = {"kubernetes.io/cluster/a"};
  story.journal.call("autoscaling", "RecordLifecycleActionHeartbeat", foreign, "ok");
  story.journal.fact("hook.completed", foreign, {{"hook", "drain"}, {"token", "t"}});
  EXPECT_EQ(story.judged(terms), std::string("promise 2: the hook of foreign ") + foreign +
                                     " was kept alive\n" + "promise 2: the hook of foreign " + foreign +
                                     " was completed\n");
}

TEST_F(Shared, AnothersHookIsNotOurs) {
  story.node_with_a_pod().told().cordoned().message_deleted();
  PromiseTerms terms;
  terms.hooks = {"mine"};
  EXPECT_NE(story.completed().judged(terms).find("hook drain of i-0123456789abcdef0, another's"),
            std::string::npos);
}

TEST_F(Shared, EachClusterIsJudgedByWhatItsOwnDaemonDid) {
  story.node_with_a_pod();
  Journal other(story.journal, {{"cluster", "b"}});
  other.fact("node.added", "node-b", {{"uid", "u"}, {"instance", foreign}});
  other.call("kubernetes", "nodes.patch", "node-b", "ok", {{"unschedulable", "true"}, {"claim", "present"}});
  EXPECT_EQ(story.judged(), "") << "the other cluster's own business";
  PromiseTerms terms;
  terms.cluster = "b";
  EXPECT_EQ(story.judged(terms), "promise 2: node node-b was written, but nobody said that it ends\n");
}

TEST_F(Shared, WhatAnotherCallerDeletedIsNotHeldAgainstUs) {
  launched(foreign, "");
  sent("m1", "spot-interruption", foreign);
  removed("m1", "b");
  PromiseTerms terms;
  terms.caller = "a";
  EXPECT_EQ(story.judged(terms), "");
  terms.caller = "b";
  EXPECT_NE(story.judged(terms), "");
}

TEST_F(Shared, WhatCameBackMayBeUndoneAndEndsAnew) {
  story.node_with_a_pod().told().cordoned().message_deleted().evicted().pod_gone("kubelet").completed();
  story.journal.fact("instance.stopped", instance);
  story.journal.fact("instance.running", instance);
  story.journal.call("kubernetes", "nodes.patch", "node-a", "ok",
                     {{"unschedulable", "false"}, {"claim", "absent"}});
  EXPECT_EQ(story.judged(), "");
  story.cordoned();
  EXPECT_EQ(story.judged(), "promise 2: node node-a was written, but nobody said that it ends\n");
}

TEST_F(Shared, TheHookOfAnInstanceThatIsGoneMayBeCompletedWithoutItsPods) {
  story.node_with_a_pod().told().cordoned().message_deleted();
  story.journal.fact("instance.terminated", instance);
  EXPECT_EQ(story.completed().judged(), "");
}

}  // namespace
}  // namespace ferryman::sandbox
