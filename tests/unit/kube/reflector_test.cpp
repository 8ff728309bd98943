// SPDX-License-Identifier: Apache-2.0
#include "kube/reflector.h"

#include <gtest/gtest.h>

#include "unit/kube/kube_fixture.h"

namespace ferryman::test {

using std::chrono::minutes;
using std::chrono::seconds;

namespace {

const std::string nodes = "/api/v1/nodes";

/// The reflector of nodes in its cluster, with one node to begin with.
class NodeReflector : public ::testing::Test {
 protected:
  NodeReflector() { kube.server.add_node("a", instance(1).str()); }

  bool has(int n) { return kube.cluster->find_node(instance(n)) != nullptr; }
  std::string last_watch() {
    std::string url;
    for (const auto& request : kube.server.requests("GET", nodes)) {
      if (request.url.find("watch=true") != std::string::npos) url = request.url;
    }
    return url;
  }
  /// New nodes still arrive: the loop lives.
  void expect_alive() {
    kube.server.intercept = nullptr;
    kube.pass(minutes{1});
    kube.server.add_node("proof", instance(77).str());
    kube.pass(seconds{5});
    EXPECT_TRUE(has(77));
    EXPECT_TRUE(kube.cluster->in_sync()) << kube.cluster->trouble();
    EXPECT_EQ(kube.sim.scope.failures(), 0U);
  }

  KubeFixture kube;
};

FakeApiServer::Answer to_watches(net::HttpResponse response) {
  return [response = std::move(response)](const net::HttpRequest& request) -> std::optional<net::HttpReply> {
    if (request.url.find("watch=true") == std::string::npos) return std::nullopt;
    return net::HttpReply(response);
  };
}

}  // namespace

TEST_F(NodeReflector, BringsWhatTheWatchSays) {
  kube.start();
  kube.server.add_node("b", instance(2).str());
  kube.pass(seconds{1});
  EXPECT_TRUE(has(2));
  kube.server.remove("nodes", "b");
  kube.pass(seconds{1});
  EXPECT_FALSE(has(2));
  EXPECT_EQ(kube.server.lists(nodes), 1U);
}

TEST_F(NodeReflector, AsksForBookmarksAndAnEndBetweenFourAndSixMinutes) {
  kube.start();
  const std::string url = last_watch();
  EXPECT_NE(url.find("allowWatchBookmarks=true"), std::string::npos);
  EXPECT_NE(url.find("resourceVersion=" + std::to_string(kube.server.version())), std::string::npos);
  const std::size_t at = url.find("timeoutSeconds=");
  ASSERT_NE(at, std::string::npos);
  const int length = std::stoi(url.substr(at + std::string("timeoutSeconds=").size()));
  EXPECT_GE(length, 240);
  EXPECT_LE(length, 360);
}

TEST_F(NodeReflector, GoesOnFromTheLastVersionWhenAWatchEndsOrIsCutOff) {
  kube.start(minutes{20});
  EXPECT_GE(kube.server.watches(nodes), 3U);
  kube.server.cut_watches();
  kube.server.add_node("b", instance(2).str());
  kube.pass(seconds{5});
  EXPECT_TRUE(has(2));
  EXPECT_EQ(kube.server.lists(nodes), 1U);
  EXPECT_TRUE(kube.cluster->in_sync());
}

TEST_F(NodeReflector, ABookmarkSavesAListAfterAnExpiry) {
  kube.start();
  kube.server.add_pod("a", "p", "u1");  // the version moves on, but not for nodes
  kube.pass(seconds{70});
  kube.server.compact();
  kube.server.cut_watches();
  kube.pass(seconds{10});
  EXPECT_EQ(kube.server.lists(nodes), 1U);
  EXPECT_EQ(kube.server.open_watches(), 1U);
}

TEST_F(NodeReflector, AnExpiredVersionMeansANewListWhicheverWayItIsSaid) {
  for (const bool by_event : {false, true}) {
    KubeFixture cluster;
    cluster.server.bookmarks = false;
    cluster.server.expire_by_event = by_event;
    cluster.server.add_node("a", instance(1).str());
    cluster.start();
    cluster.server.cut_watches();
    cluster.server.remove("nodes", "a");
    cluster.server.add_node("b", instance(2).str());
    cluster.server.compact();
    cluster.pass(seconds{10});
    EXPECT_EQ(cluster.server.lists(nodes), 2U);
    EXPECT_EQ(cluster.cluster->find_node(instance(1)), nullptr);
    EXPECT_NE(cluster.cluster->find_node(instance(2)), nullptr);
    EXPECT_EQ(cluster.metrics.watch_expirations.value(), 1U);
  }
}

TEST_F(NodeReflector, AServerThatExpiresEveryWatchIsNotAskedInARush) {
  kube.server.intercept = to_watches(FakeApiServer::status(410, "Expired"));
  kube.start(minutes{10});
  EXPECT_LE(kube.server.lists(nodes), 130U);  // about one in ten seconds, with jitter
  EXPECT_GE(kube.server.lists(nodes), 30U);
}

TEST_F(NodeReflector, AServerThatEndsEveryWatchAtOnceIsNotAskedInARush) {
  kube.server.intercept = to_watches(net::HttpResponse(200, ""));
  kube.start(minutes{2});
  EXPECT_LE(kube.server.watches(nodes), 40U);
  EXPECT_GE(kube.server.watches(nodes), 8U);
  EXPECT_EQ(kube.server.lists(nodes), 1U);
}

TEST_F(NodeReflector, AWatchSilentFor150SecondsIsDroppedAndOutOfSyncUntilSomethingComes) {
  kube.server.bookmarks = false;
  kube.start(seconds{149});
  EXPECT_TRUE(kube.cluster->in_sync());
  EXPECT_EQ(kube.server.watches(nodes), 1U);
  kube.pass(seconds{5});
  EXPECT_FALSE(kube.cluster->in_sync());
  EXPECT_NE(kube.cluster->trouble().find("150 s"), std::string::npos) << kube.cluster->trouble();
  EXPECT_EQ(kube.server.watches(nodes), 2U);
  EXPECT_EQ(kube.server.open_watches(), 1U);
  kube.server.add_node("b", instance(2).str());
  kube.pass(seconds{1});
  EXPECT_TRUE(kube.cluster->in_sync());
  EXPECT_TRUE(has(2));
}

TEST_F(NodeReflector, BookmarksAloneKeepItInSync) {
  kube.start(minutes{60});
  EXPECT_TRUE(kube.cluster->in_sync());
  EXPECT_EQ(kube.server.lists(nodes), 1U);
  EXPECT_EQ(kube.metrics.watch_silences.value(), 0U);
}

TEST_F(NodeReflector, WithoutTheRightToWatchItListsEveryTenSecondsAndSaysSoOnce) {
  kube.server.intercept = to_watches(FakeApiServer::status(403, "Forbidden", "cannot watch nodes"));
  kube.start();
  kube.server.add_node("b", instance(2).str());
  kube.pass(seconds{100});
  EXPECT_TRUE(has(2));
  EXPECT_TRUE(kube.cluster->in_sync());
  EXPECT_GE(kube.server.lists(nodes), 9U);
  EXPECT_LE(kube.server.lists(nodes), 11U);
  EXPECT_EQ(kube.sim.logs.with("kube.watch_denied").size(), 1U);
  expect_alive();
}

TEST_F(NodeReflector, AnOutageIsNamedOnceAndRecoveredFrom) {
  class Refuse final : public net::CallInterceptor {
    net::CallFate on_call(const net::HttpRequest&) override {
      net::CallFate fate(net::CallFate::Kind::fail_before);
      fate.error = Error(Fault::transport, "connection refused");
      return fate;
    }
  } refuse;
  kube.http.intercept(&refuse);
  kube.start(minutes{10});
  EXPECT_FALSE(kube.cluster->in_sync());
  EXPECT_EQ(kube.cluster->trouble(), "listing nodes: connection refused at https://api.test:6443");
  EXPECT_EQ(kube.sim.logs.with("kube.failed").size(), 1U);
  kube.http.intercept(nullptr);
  kube.pass(seconds{20});
  EXPECT_TRUE(kube.cluster->in_sync());
  EXPECT_TRUE(has(1));
}

TEST_F(NodeReflector, EventsMayBeSplitAtEveryByte) {
  kube.server.piece_size = 1;
  kube.start();
  for (int n = 2; n < 10; ++n) kube.server.add_node("n" + std::to_string(n), instance(n).str());
  kube.pass(seconds{1});
  for (int n = 1; n < 10; ++n) EXPECT_TRUE(has(n)) << n;
}

TEST_F(NodeReflector, LivesOnAfterGarbageInTheWatch) {
  kube.start();
  for (const std::string line :
       {"<html>bad gateway</html>\n", "{\n", "5\n", "{\"type\":\"ADDED\"}\n", "{\"type\":5,\"object\":{}}\n",
        R"({"type":"ADDED","object":{"metadata":{"resourceVersion":"9"}}})"
        "\n",
        R"({"type":"BOOKMARK","object":{"metadata":{}}})"
        "\n",
        R"({"type":"ERROR","object":{"kind":"Status","code":500}})"
        "\n",
        R"({"type":"WHATEVER","object":{"metadata":{"resourceVersion":"9"}}})"
        "\n",
        "\xff\xfe\n"}) {
    kube.server.send_raw("nodes", line);
    kube.pass(seconds{30});
    EXPECT_TRUE(has(1)) << line;
  }
  EXPECT_EQ(kube.server.lists(nodes), 11U);  // what was lost is not known, so all is asked for
  expect_alive();
}

TEST_F(NodeReflector, LivesOnAfterLinesOfAMebibyteAndLinesWithoutEnd) {
  kube.start();
  kube.server.send_raw("nodes", std::string(std::size_t{1} << 20U, '{') + "\n");
  kube.pass(seconds{30});
  kube.server.send_raw("nodes", std::string(std::size_t{6} << 20U, 'x'));
  kube.pass(seconds{30});
  EXPECT_EQ(kube.sim.logs.with("longer than").size(), 1U);
  expect_alive();
}

TEST_F(NodeReflector, LivesOnAfterGarbageInsteadOfAnAnswer) {
  for (const auto& answer :
       {net::HttpResponse(200, "<html></html>"), net::HttpResponse(200, "{\"items\":[{"),
        net::HttpResponse(200, "{}"), net::HttpResponse(200, std::string(std::size_t{1} << 20U, '[')),
        net::HttpResponse(502, "bad gateway"), net::HttpResponse(404, "404 page not found"),
        net::HttpResponse(302, "")}) {
    KubeFixture cluster;
    cluster.server.add_node("a", instance(1).str());
    cluster.server.intercept = [&](const net::HttpRequest&) { return net::HttpReply(answer); };
    cluster.start(seconds{30});
    EXPECT_FALSE(cluster.cluster->in_sync());
    EXPECT_NE(cluster.cluster->trouble(), "");
    cluster.server.intercept = nullptr;
    cluster.pass(seconds{20});
    EXPECT_TRUE(cluster.cluster->in_sync()) << answer.body.substr(0, 20);
  }
}

TEST_F(NodeReflector, ACutOffListDoesNotEmptyTheCache) {
  kube.server.bookmarks = false;
  kube.start();
  kube.server.intercept = [](const net::HttpRequest& request) -> std::optional<net::HttpReply> {
    if (request.url.find("watch=true") != std::string::npos) return std::nullopt;
    return net::HttpReply(net::HttpResponse(200, R"({"items":[],"metadata":{)"));
  };
  kube.server.cut_watches();
  kube.server.add_pod("a", "p", "u1");
  kube.server.compact();
  kube.pass(minutes{1});
  EXPECT_GE(kube.server.lists(nodes), 3U);
  EXPECT_TRUE(has(1));
  expect_alive();
}

}  // namespace ferryman::test
