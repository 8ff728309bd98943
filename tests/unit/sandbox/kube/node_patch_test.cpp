// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sandbox/kube/merge_patch.h"
#include "sandbox/kube/pod_objects.h"
#include "small_cluster.h"

namespace ferryman::sandbox {
namespace {

using namespace std::chrono_literals;

TEST(NodePatch, ChangesWhatItNamesAndNothingElse) {
  SmallCluster cluster(1);
  const json::value before = cluster.get("/api/v1/nodes/node-1");
  const auto answer = cluster.patch_node(
      "node-1", R"({"metadata":{"annotations":{"a/claim":"x"}},"spec":{"unschedulable":true}})");
  ASSERT_EQ(answer.status, 200);
  json::value after = SmallCluster::body(answer);
  EXPECT_EQ(string_at(value_at(after, "metadata.annotations"), "a/claim"), "x");
  EXPECT_TRUE(bool_at(find(after, "spec"), "unschedulable"));
  erase_at(after, "spec.unschedulable");
  make_at(after, "metadata.annotations").get_object().erase("a/claim");
  make_at(after, "metadata.resourceVersion") = text_at(before, "metadata.resourceVersion");
  EXPECT_EQ(after, before);
}

TEST(NodePatch, AnOldResourceVersionIsAConflict) {
  SmallCluster cluster(1);
  const std::string version(text_at(cluster.get("/api/v1/nodes/node-1"), "metadata.resourceVersion"));
  cluster.world.touch_node(instance(1));
  const auto answer = cluster.patch_node(
      "node-1",
      fmt::format(R"({{"metadata":{{"resourceVersion":"{}"}},"spec":{{"unschedulable":true}}}})", version));
  EXPECT_EQ(answer.status, 409);
  EXPECT_NE(answer.body.find("the object has been modified"), std::string::npos);
  EXPECT_FALSE(cluster.world.find_node(instance(1))->unschedulable);
}

TEST(NodePatch, TheUidCannotChange) {
  SmallCluster cluster(1);
  const auto answer =
      cluster.patch_node("node-1", R"({"metadata":{"uid":"another"},"spec":{"unschedulable":true}})");
  EXPECT_EQ(answer.status, 422);
  EXPECT_EQ(text_at(SmallCluster::body(answer), "message"),
            R"(Node "node-1" is invalid: metadata.uid: Invalid value: "another": field is immutable)");
  EXPECT_FALSE(cluster.world.find_node(instance(1))->unschedulable);
}

TEST(NodePatch, OneWithoutADifferenceKeepsTheResourceVersion) {
  SmallCluster cluster(1);
  const json::value before = cluster.get("/api/v1/nodes/node-1");
  const json::value after = SmallCluster::body(cluster.patch_node("node-1", R"({"spec":{"taints":null}})"));
  EXPECT_EQ(text_at(before, "metadata.resourceVersion"), text_at(after, "metadata.resourceVersion"));
}

TEST(NodePatch, ACordonedNodeGetsTheNodeControllersTaint) {
  SmallCluster cluster(1);
  (void)cluster.patch_node("node-1", R"({"spec":{"unschedulable":true}})");
  cluster.sim.clock.advance(1s);
  EXPECT_NE(cluster.call("GET", "/api/v1/nodes/node-1").body.find("node.kubernetes.io/unschedulable"),
            std::string::npos);
  (void)cluster.patch_node("node-1", R"({"spec":{"unschedulable":false}})");
  cluster.sim.clock.advance(1s);
  EXPECT_EQ(find(cluster.get("/api/v1/nodes/node-1"), "spec")->as_object().if_contains("taints"), nullptr);
}

TEST(NodePatch, TheStatusBelongsToTheKubelet) {
  SmallCluster cluster(1);
  (void)cluster.patch_node("node-1", R"({"status":{"conditions":[]}})");
  EXPECT_TRUE(cluster.world.find_node(instance(1))->ready);
}

TEST(NodePatch, TheJournalTellsWhatChanged) {
  SmallCluster cluster(1);
  (void)cluster.patch_node("node-1",
                           R"({"metadata":{"annotations":{"a/claim":"x"}},"spec":{"unschedulable":true,)"
                           R"("taints":[{"key":"k","effect":"NoSchedule"}]}})");
  const JournalEntry& entry = cluster.journal.entries().back();
  EXPECT_EQ(entry.operation, "nodes.patch");
  EXPECT_EQ(entry.subject, "node-1");
  EXPECT_EQ(entry.outcome, "ok");
  EXPECT_EQ(entry.details.at("unschedulable"), "true");
  EXPECT_EQ(entry.details.at("taints"), "k:NoSchedule");
  EXPECT_EQ(entry.details.at("annotations"), "a/claim");
  EXPECT_EQ(entry.details.at("claim"), "present");
}

TEST(NodePatch, KubectlCordonsByStrategicMerge) {
  SmallCluster cluster(1);
  const auto answer = cluster.call("PATCH", "/api/v1/nodes/node-1", R"({"spec":{"unschedulable":true}})",
                                   "application/strategic-merge-patch+json");
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(cluster.world.find_node(instance(1))->unschedulable);
}

TEST(NodePatch, StrategicMergeJoinsConditionsByTypeAndReplacesTaints) {
  json::value node =
      *parse_json(R"({"spec":{"taints":[{"key":"a"}]},"status":{"conditions":[{"type":"Ready","status":)"
                  R"("True"},{"type":"Old"}]}})");
  apply_strategic_patch(
      node,
      *parse_json(R"({"spec":{"taints":[{"key":"b"}]},"status":{"$setElementOrder/conditions":[],)"
                  R"("conditions":[{"type":"Ready","status":"False"},{"type":"Old","$patch":)"
                  R"("delete"},{"type":"New"}]}})"),
      FieldType("Node"));
  EXPECT_EQ(node, *parse_json(
                      R"({"spec":{"taints":[{"key":"b"}]},"status":{"conditions":[{"type":"Ready","status":)"
                      R"("False"},{"type":"New"}]}})"));
}

TEST(NodePatch, OtherPatchFormsAreRefused) {
  SmallCluster cluster(1);
  EXPECT_EQ(cluster.call("PATCH", "/api/v1/nodes/node-1", "{}", "application/json").status, 415);
}

}  // namespace
}  // namespace ferryman::sandbox
