// SPDX-License-Identifier: Apache-2.0
#include "kube/pod_watch.h"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>
#include <utility>

#include "unit/kube/kube_fixture.h"

namespace ferryman::test {

using std::chrono::minutes;
using std::chrono::seconds;
using View = std::shared_ptr<termination::PodView>;

namespace {

const std::string pods = "/api/v1/pods";

/// A body that takes two seconds to come.
class LateBody final : public net::HttpStream {
 public:
  LateBody(Clock& clock, std::string body) : clock_(clock), body_(std::move(body)) {}

  Task<Result<std::string>> read(Deadline /*deadline*/) override {
    co_await clock_.sleep_for(seconds{2});
    co_return std::exchange(body_, {});
  }

 private:
  Clock& clock_;
  std::string body_;
};

bool is_pod_watch(const net::HttpRequest& request) {
  return request.url.find("/pods?") != std::string::npos &&
         request.url.find("watch=true") != std::string::npos;
}

bool is_pod_list(const net::HttpRequest& request) {
  return request.url.find("/pods?fieldSelector=spec.nodeName%3Da") != std::string::npos;
}

Task<void> look_into(termination::Cluster& cluster, Deadline deadline, View& view) {
  auto looked = co_await cluster.view_pods("a", deadline);
  if (looked) view = *looked;
}

class PodWatch : public ::testing::Test {
 protected:
  PodWatch() {
    kube.server.add_pod("a", "web", "u1");
    kube.server.add_pod("a", "db", "u2");
    kube.server.add_pod("b", "web-b", "u3");
    kube.start();
  }
  View look(const std::string& node) {
    auto view = kube.sim.run(kube.cluster->view_pods(node, kube.soon()));
    if (!view) throw std::runtime_error(view.error().text);
    kube.pass(seconds{1});
    return *view;
  }
  /// The next list of node a is made, then web is deleted, other pods change, then the list arrives.
  void delete_during_next_list(int other_changes = 0) {
    kube.server.intercept =
        [this, other_changes](const net::HttpRequest& request) -> std::optional<net::HttpReply> {
      if (!is_pod_list(request)) return std::nullopt;
      kube.server.intercept = nullptr;
      json::array items{kube.server.object("pods", "default/web"), kube.server.object("pods", "default/db")};
      json::object metadata{{"resourceVersion", std::to_string(kube.server.version())}};
      const json::object list{{"items", std::move(items)}, {"metadata", std::move(metadata)}};
      kube.server.remove("pods", "default/web");
      const json::object other = kube.server.object("pods", "default/web-b");
      for (int i = 0; i < other_changes; ++i) kube.server.put("pods", other);
      return net::HttpReply(net::HttpResponse(200, ""),
                            std::make_unique<LateBody>(kube.sim.clock, json::serialize(list)));
    };
  }
  std::size_t open_pod_watches() const { return kube.server.open_watches() - 1; }  // one is for nodes

  KubeFixture kube;
};

}  // namespace

TEST_F(PodWatch, OneWatchServesAllViewsAndEndsWithTheLast) {
  EXPECT_EQ(kube.server.watches(pods), 0U);
  View a = look("a");
  View b = look("b");
  ASSERT_EQ(a->pods().size(), 2U);
  EXPECT_EQ(a->pods()[0].key.name, "db");
  EXPECT_EQ(b->pods().size(), 1U);
  EXPECT_EQ(kube.server.watches(pods), 1U);
  EXPECT_EQ(kube.server.lists(pods), 2U);
  a.reset();
  kube.pass(seconds{30});
  EXPECT_EQ(open_pod_watches(), 1U);
  b.reset();
  kube.pass(seconds{10});
  EXPECT_EQ(open_pod_watches(), 0U);
  EXPECT_EQ(look("a")->pods().size(), 2U);
}

TEST_F(PodWatch, AsksForMetadataOnly) {
  const View view = look("a");
  for (const net::HttpRequest& request : kube.server.log) {
    if (!is_pod_watch(request)) continue;
    EXPECT_EQ(request.headers.get("Accept"),
              "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
  }
}

TEST_F(PodWatch, APodIsGoneWhenItIsDeletedAndTheOthersAreNot) {
  const View view = look("a");
  const auto version = view->changed().version();
  kube.server.remove("pods", "default/web");
  kube.pass(seconds{1});
  EXPECT_TRUE(view->gone(Uid("u1")));
  EXPECT_FALSE(view->gone(Uid("u2")));
  EXPECT_GT(view->changed().version(), version);
  EXPECT_EQ(kube.server.lists(pods), 1U);
}

TEST_F(PodWatch, APodWhoseNameComesBackWithAnotherUidIsGone) {
  const View view = look("a");
  kube.server.add_pod("b", "web",
                      "u9");  // a StatefulSet's name, on another node; the deletion was never told
  kube.pass(seconds{1});
  EXPECT_TRUE(view->gone(Uid("u1")));
  ASSERT_EQ(view->pods().size(), 1U);
  EXPECT_EQ(view->pods()[0].key.uid, Uid("u2"));
}

TEST_F(PodWatch, WhatHappensDuringTheListIsNotMissed) {
  const View first = look("b");  // so that the watch runs
  delete_during_next_list();
  const View view = look("a");
  EXPECT_FALSE(kube.server.intercept);
  EXPECT_TRUE(view->gone(Uid("u1")));
  EXPECT_FALSE(view->gone(Uid("u2")));
}

TEST_F(PodWatch, MoreChangesDuringAListThanAreRememberedMakeItAgain) {
  const View first = look("b");
  delete_during_next_list(10'001);
  const View view = look("a");
  EXPECT_TRUE(view->gone(Uid("u1")));
  EXPECT_EQ(kube.server.lists(pods), 3U);
}

TEST_F(PodWatch, AListOlderThanTheWatchIsMadeAgain) {
  delete_during_next_list();
  View a;
  kube.sim.scope.spawn("look", look_into(*kube.cluster, kube.soon(), a));
  kube.pass(seconds{1});
  const View b = look("b");  // its list is newer, and the watch starts from there
  kube.pass(seconds{5});
  ASSERT_NE(a, nullptr);
  EXPECT_TRUE(a->gone(Uid("u1")));
}

TEST_F(PodWatch, ALateEventOfAnEarlierBearerOfTheNameDoesNotEndTheNewOne) {
  const View first = look("b");
  kube.server.hold_watches = true;
  json::object web = kube.server.object("pods", "default/web");
  web["metadata"].get_object()["deletionTimestamp"] = "2026-03-01T12:00:00Z";
  kube.server.put("pods", web);
  kube.server.remove("pods", "default/web");
  kube.server.add_pod("a", "web", "u9");
  const View view = look("a");
  kube.server.release_watches();
  kube.pass(seconds{1});
  EXPECT_FALSE(view->gone(Uid("u9")));
}

TEST_F(PodWatch, AfterAnExpiryTheWatchStartsFromTheOldestList) {
  kube.server.bookmarks = false;
  const View a = look("a");
  const View b = look("b");
  kube.server.intercept = [&](const net::HttpRequest& request) -> std::optional<net::HttpReply> {
    if (request.url.find("spec.nodeName%3Db") == std::string::npos) return std::nullopt;
    kube.server.intercept = nullptr;
    kube.server.remove("pods", "default/web");  // after the list of a, before the list of b
    return std::nullopt;
  };
  kube.server.cut_watches();
  kube.server.add_pod("c", "other", "u8");
  kube.server.compact();
  kube.pass(seconds{10});
  EXPECT_FALSE(kube.server.intercept);
  EXPECT_TRUE(a->gone(Uid("u1")));
}

TEST_F(PodWatch, AnExpiredWatchMakesEveryViewListAnew) {
  kube.server.bookmarks = false;
  const View a = look("a");
  const View b = look("b");
  kube.server.cut_watches();
  kube.server.remove("pods", "default/web");
  kube.server.remove("pods", "default/web-b");
  kube.server.compact();
  kube.pass(seconds{10});
  EXPECT_TRUE(a->gone(Uid("u1")));
  EXPECT_TRUE(b->gone(Uid("u3")));
  EXPECT_EQ(kube.server.lists(pods), 4U);
  EXPECT_EQ(open_pod_watches(), 1U);
}

TEST_F(PodWatch, ACutOffWatchLosesNothing) {
  const View view = look("a");
  kube.server.cut_watches();
  kube.server.remove("pods", "default/web");
  kube.pass(seconds{5});
  EXPECT_TRUE(view->gone(Uid("u1")));
  EXPECT_EQ(kube.server.lists(pods), 1U);
}

TEST_F(PodWatch, WithoutTheRightToWatchEachViewListsEveryTenSeconds) {
  kube.server.intercept = [](const net::HttpRequest& request) -> std::optional<net::HttpReply> {
    if (!is_pod_watch(request)) return std::nullopt;
    return net::HttpReply(FakeApiServer::status(403, "Forbidden", "cannot watch pods"));
  };
  const View view = look("a");
  kube.server.remove("pods", "default/web");
  kube.pass(seconds{11});
  EXPECT_TRUE(view->gone(Uid("u1")));
  kube.pass(seconds{100});
  EXPECT_LE(kube.server.lists(pods), 13U);
  EXPECT_EQ(kube.sim.logs.with("grant the verb watch on pods").size(), 1U);
}

TEST_F(PodWatch, AnUnreadablePodInAListIsAnErrorForPassedOverItWouldCountAsGone) {
  const View view = look("a");
  kube.server.intercept = [](const net::HttpRequest& request) -> std::optional<net::HttpReply> {
    if (!is_pod_list(request)) return std::nullopt;
    return net::HttpReply(
        net::HttpResponse(200, R"({"items":[{"metadata":{}}],"metadata":{"resourceVersion":"500"}})"));
  };
  const auto refreshed = kube.sim.run(view->refresh(kube.soon()));
  ASSERT_FALSE(refreshed.ok());
  EXPECT_NE(refreshed.error().text.find("listing the pods of a"), std::string::npos);
  EXPECT_FALSE(view->gone(Uid("u1")));
  EXPECT_FALSE(view->gone(Uid("u2")));
}

TEST_F(PodWatch, GarbageInTheWatchMakesTheViewsListAnew) {
  const View view = look("a");
  for (const std::string line :
       {"<html>\n", "{\"type\":\"DELETED\",\"object\":{\"metadata\":{\"resourceVersion\":\"1\"}}}\n"}) {
    kube.server.send_raw("pods", line);
    kube.pass(seconds{20});
  }
  EXPECT_EQ(kube.server.lists(pods), 3U);
  kube.server.remove("pods", "default/web");
  kube.pass(seconds{1});
  EXPECT_TRUE(view->gone(Uid("u1")));
}

TEST_F(PodWatch, ARefreshSeesPodsThatMetadataAloneCannotPlace) {
  const View view = look("a");
  kube.server.add_pod("a", "late", "u7");
  kube.pass(seconds{1});
  EXPECT_EQ(view->pods().size(), 2U);
  ASSERT_TRUE(kube.sim.run(view->refresh(kube.soon())).ok());
  EXPECT_EQ(view->pods().size(), 3U);
  kube.pass(minutes{30});
  EXPECT_EQ(view->pods().size(), 3U);
}

}  // namespace ferryman::test
