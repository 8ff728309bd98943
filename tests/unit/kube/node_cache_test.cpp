// SPDX-License-Identifier: Apache-2.0
#include "kube/node_cache.h"

#include <gtest/gtest.h>

#include "unit/kube/kube_fixture.h"

namespace ferryman::test {

using std::chrono::seconds;

namespace {

class NodeCache : public ::testing::Test {
 protected:
  /// A node as the server would say it.
  static json::value node(const std::string& name, const std::string& uid, int version,
                          int instance_number = 1) {
    return json::object{
        {"metadata",
         json::object{{"name", name},
                      {"uid", uid},
                      {"resourceVersion", std::to_string(version)},
                      {"creationTimestamp", "2026-03-01T12:00:0" + std::to_string(version % 10) + "Z"}}},
        {"spec", json::object{{"providerID", "aws:///z/" + instance(instance_number).str()}}}};
  }
  bool say(kube::WatchEventKind kind, json::value object) {
    kube::WatchEvent event;
    event.kind = kind;
    event.object = std::move(object);
    return cache.apply(event);
  }
  void added(json::value object) { say(kube::WatchEventKind::added, std::move(object)); }
  void deleted(json::value object) { say(kube::WatchEventKind::deleted, std::move(object)); }

  KubeFixture kube;
  kube::NodeCache cache{kube::Context(*kube.client, kube.sim.clock, kube.random, kube.sim.log, kube.metrics)};
};

}  // namespace

TEST_F(NodeCache, OfTwoNodesWithOneInstanceTheYoungerIsItUntilItIsGone) {
  added(node("new", "u2", 2));
  added(node("old", "u1", 1));
  EXPECT_EQ(cache.find(instance(1))->name, "new");
  deleted(node("new", "u2", 3));
  EXPECT_EQ(cache.find(instance(1))->name, "old");
  deleted(node("old", "u1", 4));
  EXPECT_EQ(cache.find(instance(1)), nullptr);
  EXPECT_EQ(cache.size(), 0U);
}

TEST_F(NodeCache, ANodeMadeAnewUnderItsNameIsAnotherNode) {
  added(node("a", "u1", 1, 1));
  added(node("a", "u2", 5, 2));
  EXPECT_EQ(cache.find(instance(1)), nullptr);
  EXPECT_EQ(cache.find(instance(2))->uid, Uid("u2"));
  deleted(node("a", "u1", 6, 1));  // the late end of the first
  EXPECT_EQ(cache.find(instance(2))->uid, Uid("u2"));
}

TEST_F(NodeCache, ANodeThatGetsItsProviderIdLaterIsFoundThen) {
  json::value bare = node("a", "u1", 1);
  bare.get_object().erase("spec");
  added(bare);
  EXPECT_EQ(cache.find(instance(1)), nullptr);
  EXPECT_EQ(cache.find(InstanceId()), nullptr);
  added(node("a", "u1", 2));
  EXPECT_EQ(cache.find(instance(1))->name, "a");
}

TEST_F(NodeCache, AnOlderEventDoesNotUndoAnAnswer) {
  added(node("a", "u1", 5));
  json::value answer = node("a", "u1", 8);
  answer.get_object()["spec"].get_object()["unschedulable"] = true;
  cache.put(answer);
  added(node("a", "u1", 7));
  EXPECT_TRUE(cache.find(instance(1))->unschedulable);
  added(node("a", "u1", 9));
  EXPECT_FALSE(cache.find(instance(1))->unschedulable);
}

TEST_F(NodeCache, AnAnswerDoesNotBringBackWhatTheWatchRemoved) {
  added(node("a", "u1", 5));
  deleted(node("a", "u1", 7));
  cache.put(node("a", "u1", 6));
  EXPECT_EQ(cache.find(instance(1)), nullptr);
}

TEST_F(NodeCache, AnAnswerThatComesDuringAListIsKept) {
  kube.server.add_node("a", instance(1).str());
  ASSERT_TRUE(kube.sim.run(cache.list()).ok());
  json::value answer = kube.server.object("nodes", "a");
  answer.get_object()["metadata"].get_object()["resourceVersion"] = "99999";
  kube.server.intercept = [&](const net::HttpRequest&) -> std::optional<net::HttpReply> {
    cache.put(answer);
    return std::nullopt;
  };
  ASSERT_TRUE(kube.sim.run(cache.list()).ok());
  EXPECT_EQ(cache.find(instance(1))->resource_version, "99999");
  // A later list is the truth even if its versions are smaller: the store was restored from a backup.
  kube.server.intercept = nullptr;
  ASSERT_TRUE(kube.sim.run(cache.list()).ok());
  EXPECT_NE(cache.find(instance(1))->resource_version, "99999");
}

TEST_F(NodeCache, OneUnreadableNodeDoesNotBlindUs) {
  kube.server.put("nodes", {{"metadata", json::object{{"name", ""}}}});
  kube.server.add_node("a", instance(1).str());
  ASSERT_TRUE(kube.sim.run(cache.list()).ok());
  EXPECT_EQ(cache.size(), 1U);
  EXPECT_EQ(kube.metrics.unreadable_objects.value(), 1U);
}

TEST_F(NodeCache, TellsOfEachChange) {
  const auto before = cache.changed().version();
  added(node("a", "u1", 1));
  EXPECT_GT(cache.changed().version(), before);
  const auto between = cache.changed().version();
  deleted(node("a", "u1", 2));
  EXPECT_GT(cache.changed().version(), between);
}

}  // namespace ferryman::test
