// SPDX-License-Identifier: Apache-2.0
// How pods are sent off: each test is a good record with one thing done wrong, or what excuses it.
#include <gtest/gtest.h>

#include "unit/sandbox/promise_story.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

PromiseTerms in_time() {
  PromiseTerms terms;
  terms.final_deadline = 10min;
  terms.ask_margin = 15s;
  return terms;
}

TEST(DrainPromises, AnEvictionByNameAlone) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted();
  story.journal.call("kubernetes", "pods.evict", "default/web", "ok", {{"uid", "u-pod"}, {"node", "node-a"}});
  story.pod_gone("kubelet").completed();
  EXPECT_EQ(story.judged(),
            "promise 2: pod default/web was sent off by its name alone, which another may have by then\n");
}

TEST(DrainPromises, ADryRunSendsNothingOff) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted();
  story.journal.call("kubernetes", "pods.evict", "default/web", "ok",
                     {{"uid", "u-pod"}, {"node", "node-a"}, {"dryRun", "All"}});
  story.evicted().pod_gone("kubelet").completed();
  EXPECT_EQ(story.judged(), "");
}

TEST(DrainPromises, ATaintThatEndsPodsBeforeTheyAreGone) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted();
  story.journal.call("kubernetes", "nodes.patch", "node-a", "ok",
                     {{"claim", "present"}, {"taints", "ferryman.dev/terminating:NoExecute"}});
  story.evicted().pod_gone("kubelet").completed();
  EXPECT_NE(
      story.judged().find("promise 9: node node-a was tainted NoExecute while pod default/web was on it"),
      std::string::npos);
}

TEST(DrainPromises, ATaintThatEndsPodsOnceTheyAreGoneBreaksNone) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted().evicted().pod_gone("kubelet");
  story.journal.call("kubernetes", "nodes.patch", "node-a", "ok",
                     {{"claim", "present"}, {"taints", "ferryman.dev/terminating:NoExecute"}});
  EXPECT_EQ(story.completed().judged(), "");
}

TEST(DrainPromises, TheClustersOwnTaintsAreNotOurs) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted();
  story.journal.call(
      "kubernetes", "nodes.patch", "node-a", "ok",
      {{"claim", "present"},
       {"taints", "node.kubernetes.io/unreachable:NoExecute,ferryman.dev/terminating:NoSchedule"}});
  story.evicted().pod_gone("kubelet").completed();
  EXPECT_EQ(story.judged(), "");
}

TEST(DrainPromises, APodOfASilentKubeletNeedsNobodysWord) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted();
  story.journal.fact("node.unknown", "node-a");
  EXPECT_EQ(story.evicted().completed().judged(), "");
}

TEST(DrainPromises, AKubeletThatCameBackConfirmsAgain) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted();
  story.journal.fact("node.unknown", "node-a");
  story.journal.fact("node.started", "node-a");
  EXPECT_NE(story.evicted().completed().judged().find("while pod default/web was on its node"),
            std::string::npos);
}

TEST(DrainPromises, APodAskedTooLateForItsGrace) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted();
  story.sim.clock.advance(570s);  // 600 s − 30 s of grace − 15 s of margin were 555 s
  story.evicted().pod_gone("kubelet").completed();
  EXPECT_EQ(story.judged(in_time()), "promise 4: pod default/web was asked 15 s too late for its grace\n");
}

TEST(DrainPromises, APodAskedInTime) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted();
  story.sim.clock.advance(554s);
  EXPECT_EQ(story.evicted().pod_gone("kubelet").completed().judged(in_time()), "");
}

TEST(DrainPromises, APodThatNobodyAsked) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted();
  story.sim.clock.advance(600s);
  EXPECT_EQ(story.completed().judged(in_time()), "promise 4: pod default/web was never asked to go\n");
}

TEST(DrainPromises, AKindOfEndWithADeadlineOfItsOwn) {
  Story story;
  PromiseTerms terms = in_time();
  terms.deadlines["spot-interruption"] = 120s;
  story.node_with_a_pod().told();
  story.journal.fact("message.sent", "m2", {{"instance", instance}, {"kind", "spot-interruption"}});
  story.cordoned().message_deleted();
  story.journal.call("sqs", "DeleteMessage", "m2", "ok", {{"deleted", "true"}});
  story.sim.clock.advance(80s);  // 120 s − 30 s − 15 s were 75 s
  story.evicted().pod_gone("kubelet").completed();
  EXPECT_EQ(story.judged(terms), "promise 4: pod default/web was asked 5 s too late for its grace\n");
}

TEST(DrainPromises, FinishedPodsHoldUpNothing) {
  Story story;
  story.node_with_a_pod();
  story.journal.fact("pod.finished", "default/web",
                     {{"uid", "u-pod"}, {"node", "node-a"}, {"owner", "ReplicaSet"}});
  story.told().cordoned().message_deleted();
  EXPECT_EQ(story.completed().judged(in_time()), "");
}

TEST(DrainPromises, PodsThatTheSettingsKeepHoldUpNothing) {
  Story story;
  PromiseTerms terms = in_time();
  terms.kept_pods = {"default/web"};
  story.node_with_a_pod().told().cordoned().message_deleted().completed();
  EXPECT_EQ(story.judged(terms), "");
}

TEST(DrainPromises, ANodeDeletedWhileItsInstanceRuns) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted().evicted().pod_gone("kubelet").completed();
  story.journal.call("kubernetes", "nodes.delete", "node-a", "ok");
  EXPECT_EQ(story.judged(),
            "promise 9: node node-a was deleted although i-0123456789abcdef0 is not terminated\n");
}

TEST(DrainPromises, ANodeDeletedOnceItsInstanceIsTerminated) {
  Story story;
  story.node_with_a_pod().told().cordoned().message_deleted().evicted().pod_gone("kubelet").completed();
  story.journal.fact("instance.terminated", instance);
  story.journal.call("kubernetes", "nodes.delete", "node-a", "ok");
  EXPECT_EQ(story.judged(), "");
}

}  // namespace
}  // namespace ferryman::sandbox::test
