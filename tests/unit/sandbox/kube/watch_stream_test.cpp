// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "small_cluster.h"

namespace ferryman::sandbox {
namespace {

using namespace std::chrono_literals;
using Events = std::vector<std::string>;

/// One watch, read until nothing comes for `patience`.
class Watch {
 public:
  Watch(SmallCluster& cluster, const std::string& path)
      : cluster_(cluster), reply_(cluster.send("GET", path)) {}

  /// The lines that come within `time`, as "ADDED node-1"; "END" when the stream ends.
  Events events(Duration time) {
    Events all;
    const Deadline deadline = Deadline::after(cluster_.sim.clock, time);
    for (;;) {
      auto piece = cluster_.sim.run(reply_.stream->read(deadline));
      if (!piece) return all;
      if (piece->empty()) return all.emplace_back("END"), all;
      for (std::size_t at = 0; at < piece->size();) {
        const std::size_t end = piece->find('\n', at);
        all.push_back(summary(std::string_view(*piece).substr(at, end - at)));
        at = end + 1;
      }
    }
  }

  [[nodiscard]] int status() const { return reply_.response.status; }
  std::string last_version;

 private:
  std::string summary(std::string_view line) {
    const auto event = parse_json(line);
    if (!event) return "broken line";
    const json::value& object = *find(*event, "object");
    const std::string type(text_at(*event, "type"));
    if (type == "ERROR") return fmt::format("ERROR {}", *integer_at(&object, "code"));
    last_version = text_at(object, "metadata.resourceVersion");
    const std::string_view name = text_at(object, "metadata.name");
    return name.empty() ? type : fmt::format("{} {}", type, name);
  }

  SmallCluster& cluster_;
  net::HttpReply reply_;
};

std::string version_now(SmallCluster& cluster) {
  return std::string(text_at(cluster.get("/api/v1/nodes"), "metadata.resourceVersion"));
}

TEST(Watch, WithoutAVersionBeginsWithWhatIsThere) {
  SmallCluster cluster(2);
  Watch watch(cluster, "/api/v1/nodes?watch=true");
  EXPECT_EQ(watch.events(1s), (Events{"ADDED node-1", "ADDED node-2"}));
}

TEST(Watch, FromAListsVersionTellsEachLaterChangeOnce) {
  SmallCluster cluster(1);
  Watch watch(cluster, "/api/v1/nodes?watch=1&resourceVersion=" + version_now(cluster));
  cluster.world.add_node(NodeSpec("node-2", instance(2)));
  cluster.world.touch_node(instance(2));
  cluster.world.remove_node(instance(2));
  EXPECT_EQ(watch.events(1s), (Events{"ADDED node-2", "MODIFIED node-2", "DELETED node-2"}));
}

TEST(Watch, ResumesAtTheLastVersionItSaw) {
  SmallCluster cluster(1);
  Watch first(cluster, "/api/v1/nodes?watch=1&resourceVersion=" + version_now(cluster));
  cluster.world.touch_node(instance(1));
  ASSERT_EQ(first.events(1s), Events{"MODIFIED node-1"});
  cluster.world.add_node(NodeSpec("node-2", instance(2)));
  Watch second(cluster, "/api/v1/nodes?watch=1&resourceVersion=" + first.last_version);
  EXPECT_EQ(second.events(1s), Events{"ADDED node-2"});
}

TEST(Watch, AReaderIsWokenByAChange) {
  SmallCluster cluster(1);
  Watch watch(cluster, "/api/v1/pods?watch=1&fieldSelector=spec.nodeName%3Dnode-1");
  PodSpec pod;
  pod.name = "web";
  pod.behaviour.end_time = 5s;
  cluster.world.add_pod(pod);
  (void)watch.events(1s);
  (void)cluster.remove(cluster.only_pod_of(1));
  EXPECT_EQ(watch.events(10s), (Events{"MODIFIED web", "DELETED web"}));
}

TEST(Watch, AnObjectThatEntersOrLeavesTheSelectionIsAddedOrDeleted) {
  SmallCluster cluster(1);
  Watch watch(cluster, "/api/v1/nodes?watch=1&labelSelector=team%3Da");
  (void)cluster.patch_node("node-1", R"({"metadata":{"labels":{"team":"a"}}})");
  (void)cluster.patch_node("node-1", R"({"metadata":{"labels":{"team":"b"}}})");
  EXPECT_EQ(watch.events(1s), (Events{"ADDED node-1", "DELETED node-1"}));
}

TEST(Watch, OfOneObjectTellsOfNoOther) {
  SmallCluster cluster(2);
  Watch watch(cluster, "/api/v1/nodes?fieldSelector=metadata.name%3Dnode-1&watch=1&resourceVersion=" +
                           version_now(cluster));
  cluster.world.touch_node(instance(2));
  cluster.world.touch_node(instance(1));
  EXPECT_EQ(watch.events(1s), Events{"MODIFIED node-1"});
}

TEST(Watch, SendsABookmarkEachMinuteAndEndsInItsTime) {
  SmallCluster cluster(1);
  Watch watch(cluster, "/api/v1/nodes?watch=1&allowWatchBookmarks=true&timeoutSeconds=150&resourceVersion=" +
                           version_now(cluster));
  EXPECT_EQ(watch.events(59s), Events());
  EXPECT_EQ(watch.events(2s), Events{"BOOKMARK"});
  EXPECT_EQ(watch.last_version, version_now(cluster));
  EXPECT_EQ(watch.events(10min), (Events{"BOOKMARK", "BOOKMARK", "END"}));
}

TEST(Watch, AnInitialListInTheStreamEndsWithAMarkedBookmark) {
  SmallCluster cluster(1);
  Watch watch(cluster,
              "/api/v1/nodes?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
              "&allowWatchBookmarks=true");
  EXPECT_EQ(watch.events(1s), (Events{"ADDED node-1", "BOOKMARK"}));
}

TEST(Watch, AVersionOlderThanTheHistoryHasExpired) {
  SmallCluster cluster(1);
  const std::string old = version_now(cluster);
  cluster.world.touch_node(instance(1));
  cluster.world.forget_history();
  Watch watch(cluster, "/api/v1/nodes?watch=1&resourceVersion=" + old);
  EXPECT_EQ(watch.status(), 200);
  EXPECT_EQ(watch.events(1s), (Events{"ERROR 410", "END"}));
}

TEST(Watch, AVersionThatDoesNotExistYetIsRefused) {
  SmallCluster cluster(1);
  EXPECT_EQ(Watch(cluster, "/api/v1/nodes?watch=1&resourceVersion=999999").status(), 504);
  EXPECT_EQ(Watch(cluster, "/api/v1/nodes?watch=1&resourceVersion=x").status(), 500);
}

}  // namespace
}  // namespace ferryman::sandbox
