// SPDX-License-Identifier: Apache-2.0
// The promises where messages are of many kinds, about instances of several clusters, on one queue.
#include <gtest/gtest.h>

#include "unit/sandbox/promise_story.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

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

TEST_F(Shared, ACompletionMayLeavePodsBehindWhenTheSpotNoticesTimeHasCome) {
  story.node_with_a_pod().told().cordoned().message_deleted().evicted();
  story.journal.fact("message.sent", "m2",
                     {{"instance", instance}, {"kind", "spot-interruption"}, {"ends_in", "120"}});
  removed("m2");
  story.sim.clock.advance(105s);
  EXPECT_EQ(story.completed().judged(), "");
}

TEST_F(Shared, ACompletionBeforeTheSpotNoticesTimeMayNot) {
  story.node_with_a_pod().told().cordoned().message_deleted().evicted();
  story.journal.fact("message.sent", "m2",
                     {{"instance", instance}, {"kind", "spot-interruption"}, {"ends_in", "120"}});
  removed("m2");
  story.sim.clock.advance(104s);
  EXPECT_NE(story.completed().judged().find("was completed while pod"), std::string::npos);
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
}  // namespace ferryman::sandbox::test
