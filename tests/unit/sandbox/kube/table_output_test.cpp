// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/table_output.h"

#include <gtest/gtest.h>

#include "sandbox/kube/table_rows.h"
#include "small_cluster.h"

namespace ferryman::sandbox {
namespace {

using namespace std::chrono_literals;
using Cells = std::vector<std::string>;

constexpr const char* table_accept =
    "application/json;as=Table;v=v1;g=meta.k8s.io,application/"
    "json;as=Table;v=v1beta1;g=meta.k8s.io,application/json";

Cells column_names(const json::value& table) {
  Cells names;
  for (const json::value& column : *array_at(&table, "columnDefinitions"))
    names.emplace_back(string_at(column, "name"));
  return names;
}

Cells row(const json::value& table, std::size_t number) {
  Cells cells;
  for (const json::value& cell : *array_at(&array_at(&table, "rows")->at(number), "cells")) {
    cells.emplace_back(cell.as_string());
  }
  return cells;
}

TEST(Table, NodesHaveKubectlsColumns) {
  SmallCluster cluster(2);
  (void)cluster.patch_node("node-2", R"({"spec":{"unschedulable":true}})");
  cluster.sim.clock.advance(5min);
  cluster.accept = table_accept;
  const json::value table = cluster.get("/api/v1/nodes");
  EXPECT_EQ(text_at(table, "kind"), "Table");
  EXPECT_EQ(column_names(table), (Cells{"Name", "Status", "Roles", "Age", "Version", "Internal-IP",
                                        "External-IP", "OS-Image", "Kernel-Version", "Container-Runtime"}));
  EXPECT_EQ(row(table, 0),
            (Cells{"node-1", "Ready", "<none>", "5m", "v1.34.1-eks-113cf36", "10.0.0.10", "<none>",
                   "Amazon Linux 2023.9.20251014", "6.12.46-66.121.amzn2023.x86_64", "containerd://2.1.4"}));
  EXPECT_EQ(row(table, 1)[1], "Ready,SchedulingDisabled");
}

TEST(Table, PodsHaveKubectlsColumns) {
  SmallCluster cluster(1);
  PodSpec pod;
  pod.name = "web";
  pod.behaviour.end_time = 10s;
  cluster.world.add_pod(pod);
  cluster.accept = table_accept;
  EXPECT_EQ(column_names(cluster.get("/api/v1/pods")),
            (Cells{"Name", "Ready", "Status", "Restarts", "Age", "IP", "Node", "Nominated Node",
                   "Readiness Gates"}));
  EXPECT_EQ(row(cluster.get("/api/v1/pods"), 0),
            (Cells{"web", "1/1", "Running", "0", "0s", "10.1.0.10", "node-1", "<none>", "<none>"}));
  (void)cluster.remove(cluster.only_pod_of(1));
  EXPECT_EQ(row(cluster.get("/api/v1/namespaces/default/pods/web"), 0)[2], "Terminating");
}

TEST(Table, RowsCarryTheMetadataUnlessAskedOtherwise) {
  SmallCluster cluster(1);
  cluster.accept = table_accept;
  const json::value table = cluster.get("/api/v1/nodes");
  EXPECT_EQ(text_at(*find(array_at(&table, "rows")->at(0), "object"), "metadata.name"), "node-1");
  const json::value bare = cluster.get("/api/v1/nodes?includeObject=None");
  EXPECT_EQ(find(array_at(&bare, "rows")->at(0), "object"), nullptr);
}

TEST(Table, AgesReadAsKubectlPrintsThem) {
  EXPECT_EQ(age_text(119s), "119s");
  EXPECT_EQ(age_text(2min), "2m");
  EXPECT_EQ(age_text(2min + 5s), "2m5s");
  EXPECT_EQ(age_text(59min), "59m");
  EXPECT_EQ(age_text(3h + 12min), "3h12m");
  EXPECT_EQ(age_text(47h), "47h");
  EXPECT_EQ(age_text(52h), "2d4h");
  EXPECT_EQ(age_text(24h * 400), "400d");
}

TEST(Discovery, ListsWhatIsServed) {
  SmallCluster cluster(1);
  const json::value core = cluster.get("/api/v1");
  EXPECT_EQ(text_at(core, "kind"), "APIResourceList");
  bool eviction = false;
  for (const json::value& one : *array_at(&core, "resources"))
    eviction |= string_at(one, "name") == "pods/eviction";
  EXPECT_TRUE(eviction);
  EXPECT_EQ(text_at(cluster.get("/apis"), "kind"), "APIGroupList");
  EXPECT_EQ(text_at(cluster.get("/apis/policy/v1"), "groupVersion"), "policy/v1");
  EXPECT_EQ(text_at(cluster.get("/version"), "major"), "1");
}

}  // namespace
}  // namespace ferryman::sandbox
