// SPDX-License-Identifier: Apache-2.0
#include "kube/drain_objects.h"

#include <gtest/gtest.h>

#include "unit/kube/kube_fixture.h"

namespace ferryman::test {

using kube::budget_from;

namespace {

json::value parsed(const std::string& text) {
  return parse_json(text).value();
}

json::value budget(const std::string& spec, const std::string& status = "{}") {
  return parsed(
      R"({"metadata":{"name":"web","namespace":"shop","generation":3,"resourceVersion":"77"},"spec":)" +
      spec + R"(,"status":)" + status + "}");
}

}  // namespace

TEST(DrainObjects, ABudgetSaysWhomItTakesAndHowManyMayGo) {
  const auto read = budget_from(budget(
      R"({"selector":{"matchLabels":{"app":"web"},"matchExpressions":[
            {"key":"tier","operator":"In","values":["a","b"]},{"key":"canary","operator":"DoesNotExist"}]},
          "unhealthyPodEvictionPolicy":"AlwaysAllow"})",
      R"({"observedGeneration":3,"disruptionsAllowed":1,"currentHealthy":4,"desiredHealthy":3,"expectedPods":5})"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->budget_namespace + "/" + read->name, "shop/web");
  EXPECT_EQ(read->resource_version, "77");
  EXPECT_TRUE(read->selector.matches({{"app", "web"}, {"tier", "b"}}));
  EXPECT_FALSE(read->selector.matches({{"app", "web"}, {"tier", "b"}, {"canary", ""}}));
  EXPECT_FALSE(read->selector.matches({{"app", "web"}}));
  EXPECT_TRUE(read->counted && read->unready_may_go);
  EXPECT_EQ(read->allowed, 1);
  EXPECT_EQ(read->healthy, 4);
  EXPECT_EQ(read->desired, 3);
  EXPECT_EQ(read->expected, 5);
}

TEST(DrainObjects, ABudgetWithAnEmptySelectorTakesEveryPodAndOneWithoutNone) {
  const auto all = budget_from(budget(R"({"selector":{}})"));
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->selector.matches({{"any", "pod"}}));
  EXPECT_FALSE(budget_from(budget("{}")));
  EXPECT_FALSE(budget_from(budget(R"({"selector":null})")));
}

TEST(DrainObjects, ABudgetThatWasChangedIsNotCountedYet) {
  EXPECT_FALSE(budget_from(budget(R"({"selector":{}})", R"({"observedGeneration":2})"))->counted);
  EXPECT_FALSE(budget_from(budget(R"({"selector":{}})"))->counted);
}

TEST(DrainObjects, AWrongTypeAtAnyFieldNeverCrashes) {
  for (const char* text :
       {"null", "[]", "7", R"({"metadata":7,"spec":[],"status":"x"})",
        R"({"metadata":{"name":"a"},"spec":{"selector":{"matchLabels":[],"matchExpressions":
                              [7,{"key":7,"operator":"In","values":{}}]}},"status":{"disruptionsAllowed":"x"}})"}) {
    (void)budget_from(parsed(text));
    EXPECT_FALSE(kube::attachment_from(parsed(text))) << text;
    (void)kube::full_name_of(parsed(text));
  }
}

TEST(KubeCluster, DaemonSetsAreListedByMetadataAlone) {
  KubeFixture kube;
  kube.server.put("daemonsets", {{"metadata", json::object{{"name", "log"}, {"namespace", "ops"}}}});
  const auto sets = kube.sim.run(kube.cluster->daemon_sets(kube.soon()));
  ASSERT_TRUE(sets.ok()) << sets.error().text;
  EXPECT_EQ(*sets, std::set<std::string>{"ops/log"});
  const auto sent = kube.server.requests("GET", "/apis/apps/v1/daemonsets");
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_TRUE(sent[0].headers.get("Accept").starts_with("application/json;as=PartialObjectMetadataList;"));
}

TEST(KubeCluster, AttachmentsNameTheirNodeAndVolume) {
  KubeFixture kube;
  json::object source{{"persistentVolumeName", "pvc-1"}};
  kube.server.put("volumeattachments",
                  {{"metadata", json::object{{"name", "csi-1"}}},
                   {"spec", json::object{{"nodeName", "a"}, {"source", std::move(source)}}}});
  kube.server.put("volumeattachments",
                  {{"metadata", json::object{{"name", "csi-2"}}},
                   {"spec", json::object{{"nodeName", "a"}, {"source", json::object{}}}}});
  const auto read = kube.sim.run(kube.cluster->attachments(kube.soon()));
  ASSERT_TRUE(read.ok()) << read.error().text;
  ASSERT_EQ(read->size(), 1U);
  EXPECT_EQ((*read)[0].name + " " + (*read)[0].node + " " + (*read)[0].volume, "csi-1 a pvc-1");
}

TEST(KubeCluster, AClaimNamesItsVolumeIfItHasOne) {
  KubeFixture kube;
  kube.server.put("persistentvolumeclaims",
                  {{"metadata", json::object{{"name", "data"}, {"namespace", "shop"}}},
                   {"spec", json::object{{"volumeName", "pvc-1"}}}});
  EXPECT_EQ(kube.sim.run(kube.cluster->volume_of("shop", "data", kube.soon())).value(), "pvc-1");
  EXPECT_EQ(kube.sim.run(kube.cluster->volume_of("shop", "none", kube.soon())).value(), "");
}

TEST(KubeCluster, ANodeIsDeletedOnlyIfItIsThatOneAndAsItWasRead) {
  KubeFixture kube;
  kube.server.add_node("a", instance(1).str());
  const auto node = kube.sim.run(kube.cluster->read_node("a", kube.soon()));
  ASSERT_TRUE(node.ok()) << node.error().text;
  termination::Node stale = *node;
  stale.resource_version = "1";
  EXPECT_EQ(kube.sim.run(kube.cluster->delete_node(stale, kube.soon())).error().fault, Fault::conflict);
  termination::Node other = *node;
  other.uid = Uid("another");
  EXPECT_EQ(kube.sim.run(kube.cluster->delete_node(other, kube.soon())).error().fault, Fault::conflict);
  EXPECT_FALSE(kube.server.object("nodes", "a").empty());
  EXPECT_TRUE(kube.sim.run(kube.cluster->delete_node(*node, kube.soon())).ok());
  EXPECT_EQ(kube.sim.run(kube.cluster->read_node("a", kube.soon())).error().fault, Fault::not_found);
  EXPECT_TRUE(kube.sim.run(kube.cluster->delete_node(*node, kube.soon())).ok());
  termination::Node nameless = *node;
  nameless.uid = Uid();
  EXPECT_EQ(kube.sim.run(kube.cluster->delete_node(nameless, kube.soon())).error().fault, Fault::invalid);
}

}  // namespace ferryman::test
