// SPDX-License-Identifier: Apache-2.0
// Messages that broke other systems, with the right outcome.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/scene_events.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

class Cases : public ::testing::Test {
 protected:
  static std::size_t removed(const Scene& scene) {
    std::size_t n = 0;
    for (const auto& [id, story] : message_stories(scene.journal())) n += story.removed ? 1 : 0;
    return n;
  }
  static std::vector<std::string> claims_on(const Scene& scene) {
    std::vector<std::string> nodes;
    for (const auto& [node, at] : claim_times(scene.journal())) nodes.push_back(node);
    return nodes;
  }
  static std::size_t evictions_of(const Scene& scene, const std::string& pod) {
    const auto& entries = scene.journal().entries();
    return static_cast<std::size_t>(std::count_if(entries.begin(), entries.end(), [&](const auto& entry) {
      return entry.operation == "pods.evict" && entry.outcome == "ok" &&
             entry.subject.find(pod) != std::string::npos;
    }));
  }
  static std::string metrics_of(Scene& scene, Replica& replica) {
    net::HttpRequest request("GET", "http://localhost/metrics");
    return scene.sim().run(replica.daemon->probes().handle(std::move(request))).response.body;
  }
};

class OneEndFourMessages : public Cases {
 protected:
  /// The lifecycle message twice, a spot notice and a state change, all visible before the daemon starts.
  static void send_all(Scene& scene, const InstanceId& id) {
    SceneEvents events(scene);
    scene.cluster().end(id);
    scene.advance(2s);
    ASSERT_EQ(scene.queue().messages().size(), 1U);
    events.body(scene.queue().messages().begin()->second.body);
    events.spot(id);
    events.state_change(id, "shutting-down");
  }
};

TEST_F(OneEndFourMessages, OneTerminationAndFourDeletionsNoneBeforeTheClaim) {
  Scene scene(SceneShape::quiet(), 21);
  const InstanceId id = scene.instances().front();
  const std::string node = scene.kube().find_node(id)->name;
  send_all(scene, id);
  Replica& replica = scene.start();
  scene.advance(3min);
  EXPECT_EQ(claims_on(scene), std::vector<std::string>{node});
  EXPECT_EQ(scene.count("autoscaling", "CompleteLifecycleAction"), 1U);
  const auto claims = claim_times(scene.journal());
  const SteadyTime claimed = claims.begin()->second;
  std::size_t gone = 0;
  for (const auto& [message, story] : message_stories(scene.journal())) {
    ASSERT_TRUE(story.removed) << message;
    EXPECT_GE(*story.removed, claimed);
    ++gone;
  }
  EXPECT_EQ(gone, 4U);
  EXPECT_EQ(replica.logs.with("termination.finished").size(), 1U);
  EXPECT_EQ(replica.logs.with("node.cordoned").size(), 1U);
  EXPECT_FALSE(replica.ended);
  EXPECT_EQ(scene.broken(), "");
}

TEST_F(OneEndFourMessages, EachPodIsEvictedOnce) {
  Scene scene(SceneShape::quiet(), 22);
  const InstanceId id = scene.instances().front();
  send_all(scene, id);
  scene.start();
  scene.advance(3min);
  std::size_t evicted = 0;
  for (const auto& entry : scene.journal().entries()) {
    if (entry.operation != "pods.evict" || entry.outcome != "ok") continue;
    EXPECT_EQ(evictions_of(scene, entry.subject), 1U) << entry.subject;
    ++evicted;
  }
  EXPECT_GE(evicted, 1U);
}

TEST_F(OneEndFourMessages, ANodeThatIsDeletedInMidDrainStillGetsItsOneCompletion) {
  SceneShape shape = SceneShape::quiet();
  shape.pod_end = 20s;
  Scene scene(shape, 23);
  const InstanceId id = scene.instances().front();
  scene.cluster().end(id);
  Replica& replica = scene.start();
  scene.advance_until([&] { return scene.count("kubernetes", "pods.evict") > 0; }, 60s);
  scene.kube().remove_node(id);
  scene.advance(5min);
  EXPECT_EQ(scene.count("autoscaling", "CompleteLifecycleAction"), 1U);
  EXPECT_TRUE(scene.queue().messages().empty());
  EXPECT_FALSE(replica.ended);
}

class EnvelopeZoo : public Cases {
 protected:
  static std::string wrapped_in_sns(const std::string& message) {
    std::string escaped;
    for (const char c : message) escaped += c == '"' ? std::string("\\\"") : std::string(1, c);
    return R"({"Type":"Notification","TopicArn":"arn:aws:sns:us-west-2:123456789012:t","Message":")" +
           escaped + "\"}";
  }
  static std::string flat(const InstanceId& id, const std::string& token, WallTime time) {
    return fmt::format(
        R"({{"LifecycleHookName":"drain","LifecycleTransition":"autoscaling:EC2_INSTANCE_TERMINATING",)"
        R"("AutoScalingGroupName":"workers","EC2InstanceId":"{}","LifecycleActionToken":"{}",)"
        R"("Service":"AWS Auto Scaling","Time":"{}"}})",
        id.str(), token, format_rfc3339_millis(time));
  }
};

TEST_F(EnvelopeZoo, EachFormComesToWhatItMeans) {
  Scene scene(SceneShape::quiet(), 24);
  SceneEvents events(scene);
  const InstanceId a = scene.instances().at(0);
  const InstanceId b = scene.instances().at(1);
  const InstanceId untouched = scene.instances().at(2);
  const WallTime now = scene.sim().clock.wall();
  events.body(
      R"({"Event":"autoscaling:TEST_NOTIFICATION","AutoScalingGroupName":"workers","Service":"AWS Auto Scaling",)"
      R"("AccountId":"123456789012","Time":"2026-01-01T00:00:00Z"})");
  events.body(R"({"LifecycleTransition":"autoscaling:TEST_NOTIFICATION","AutoScalingGroupName":"workers"})");
  events.state_change(untouched, "");
  events.body(
      R"({"version":"0","id":"1","source":"aws.s3","detail-type":"Object Created","time":"2026-01-01T00:00:00Z",)"
      R"("detail":"not-an-object"})");
  events.body(wrapped_in_sns(flat(a, "token-a", now)));
  events.body(flat(b, "token-b", now));
  Replica& replica = scene.start();
  scene.advance(3min);
  EXPECT_EQ(claims_on(scene).size(), 2U);
  EXPECT_FALSE(scene.kube().find_node(untouched)->unschedulable);
  const auto told = replica.logs.with("message.unusable");
  EXPECT_EQ(std::count_if(told.begin(), told.end(),
                          [](const std::string& line) {
                            return line.find("outcome=test") != std::string::npos &&
                                   line.find("info ") != std::string::npos;
                          }),
            2);
  EXPECT_NE(metrics_of(scene, replica).find(R"(detail_type="Object Created")"), std::string::npos);
  EXPECT_FALSE(replica.ended);
}

TEST_F(EnvelopeZoo, OnlyBrokenBodiesForTenMinutesAreNamedOnceEachAndHoldUpNothing) {
  for (const std::string policy : {"redrive", "delete"}) {
    SceneShape shape = SceneShape::quiet();
    shape.arguments = {"--unparsable=" + policy};
    Scene scene(shape, 25);
    SceneEvents events(scene);
    Replica& replica = scene.start();
    scene.advance(5s);
    const std::string braces(std::size_t{256} << 10U, '{');
    for (const std::string& body : {std::string(), std::string("null"), std::string("[]"),
                                    std::string(R"({"source":)"), braces, std::string("\xff\xfe")}) {
      events.body(body);
    }
    scene.advance(10min);
    EXPECT_EQ(replica.logs.with("message.unparsable").size(), 6U) << policy;
    EXPECT_EQ(scene.queue().messages().size(), policy == "delete" ? 0U : 6U);
    EXPECT_FALSE(replica.ended);
    const InstanceId own = scene.instances().front();
    events.spot(own);
    EXPECT_LT(scene.advance_until([&] { return scene.kube().find_node(own)->unschedulable; }, 60s), 5.0);
  }
}

/// AWS Health: two of our instances and one of nobody, eleven days ahead.
class HealthAhead : public Cases {
 protected:
  static sandbox::HealthNotice notice(Scene& scene, const std::string& code) {
    sandbox::HealthNotice notice;
    notice.entities = {scene.instances().at(0).str(), scene.instances().at(1).str(), "i-0fedcba9876543210"};
    notice.code = code;
    notice.event_arn = "arn:aws:health:us-west-2::event/EC2/" + code + "/x";
    notice.start = scene.sim().clock.wall() + 11 * 24h;
    return notice;
  }
  static void send(Scene& scene, const sandbox::HealthNotice& notice) {
    SceneEvents(scene).body(sandbox::health_event(
        notice, sandbox::EventStamp("health-1", scene.sim().clock.wall()), scene.aws().settings()));
  }
  static bool drained(Scene& scene, std::size_t n) {
    return scene.kube().find_node(scene.instances().at(n))->unschedulable;
  }
  static SceneShape shape() {
    SceneShape shape = SceneShape::quiet();
    shape.nodes = 4;
    shape.arguments = {"--voluntary-share=100", "--voluntary-min-age=0s"};
    return shape;
  }
};

TEST_F(HealthAhead, WithLeadTimeNowBothOwnNodesAreDrainedAtOnce) {
  Scene scene(shape(), 26);
  Replica& replica = scene.start();
  scene.advance(5s);
  send(scene, notice(scene, "AWS_EC2_INSTANCE_STOP_SCHEDULED"));
  scene.advance(10s);
  EXPECT_TRUE(drained(scene, 0) && drained(scene, 1));
  EXPECT_FALSE(drained(scene, 2));
  EXPECT_EQ(claims_on(scene).size(), 2U);
  EXPECT_TRUE(replica.logs.with("WARN").empty()) << replica.logs.with("WARN").front();
  scene.advance(3min);
  EXPECT_EQ(replica.logs.with("result=completed").size(), 2U);
}

TEST_F(HealthAhead, WithTenMinutesNothingHappensUntilThenAndARestartLosesNothing) {
  Scene scene(shape(), 27);
  Replica& first = scene.start();
  scene.advance(5s);
  send(scene, notice(scene, "AWS_EC2_INSTANCE_REBOOT_MAINTENANCE_SCHEDULED"));
  scene.advance(1min);
  EXPECT_EQ(claims_on(scene).size(), 2U);
  EXPECT_FALSE(drained(scene, 0) || drained(scene, 1));
  EXPECT_TRUE(scene.stop(first, 30s));
  scene.advance(1h);
  scene.start();
  scene.advance(11 * 24h - 1h - 15min);
  EXPECT_FALSE(drained(scene, 0) || drained(scene, 1));
  scene.advance(6min);
  EXPECT_TRUE(drained(scene, 0) && drained(scene, 1));
}

TEST_F(HealthAhead, OtherCategoriesAndServicesAreDisposedOfAsNotActionable) {
  Scene scene(shape(), 28);
  SceneEvents events(scene);
  Replica& replica = scene.start();
  scene.advance(5s);
  for (const std::string detail : {R"("service":"LAMBDA","eventTypeCategory":"scheduledChange")",
                                   R"("service":"EC2","eventTypeCategory":"issue")",
                                   R"("service":"EC2","eventTypeCategory":"accountNotification")"}) {
    events.body(fmt::format(
        R"({{"version":"0","id":"h","detail-type":"AWS Health Event","source":"aws.health",)"
        R"("account":"123456789012","time":"{}","region":"us-west-2","resources":["{}"],"detail":{{{}}}}})",
        format_rfc3339(scene.sim().clock.wall()), scene.instances().front().str(), detail));
  }
  scene.advance(1min);
  EXPECT_TRUE(claims_on(scene).empty());
  EXPECT_EQ(removed(scene), 0U);  // shared: given back
  EXPECT_NE(metrics_of(scene, replica).find(R"(outcome="not-for-us")"), std::string::npos);
}

}  // namespace
}  // namespace ferryman::sim
