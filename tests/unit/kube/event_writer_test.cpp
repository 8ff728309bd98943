// SPDX-License-Identifier: Apache-2.0
#include "kube/event_writer.h"

#include <gtest/gtest.h>

#include "unit/kube/kube_fixture.h"

namespace ferryman::test {

using std::chrono::seconds;
using termination::ClusterEvent;

namespace {

constexpr const char* in_default = "/api/v1/namespaces/default/events";
constexpr const char* in_shop = "/api/v1/namespaces/shop/events";

ClusterEvent event_about(const std::string& kind, const std::string& space, const std::string& name) {
  ClusterEvent event;
  event.name = name + ".17a";
  event.about.kind = kind;
  event.about.object_namespace = space;
  event.about.name = name;
  event.about.uid = Uid("u-" + name);
  event.reason = "PodEvictionBlocked";
  event.text = "budget shop/web allows no disruption";
  event.first = *parse_rfc3339("2026-03-01T12:00:00Z");
  event.last = *parse_rfc3339("2026-03-01T12:03:00Z");
  event.count = 4;
  return event;
}

/// A writer whose API server answers all alike.
class WriterFixture : public KubeFixture {
 public:
  explicit WriterFixture(net::HttpResponse answer)
      : writer(kube::Context(*client, sim.clock, random, sim.log, metrics), "ferryman-7d9c-x2x4k") {
    server.intercept = [answer = std::move(answer)](const auto&) { return net::HttpReply(answer); };
  }
  Result<void> create(ClusterEvent event) { return sim.run(writer.create(std::move(event), soon())); }
  Result<void> repeat(ClusterEvent event) { return sim.run(writer.repeat(std::move(event), soon())); }
  [[nodiscard]] json::value body() const { return *parse_json(server.log.at(0).body); }

  kube::KubeEventWriter writer;
};

net::HttpResponse created() {
  return {201, R"({"kind":"Event","apiVersion":"v1"})"};
}

net::HttpResponse terminating() {
  json::object details{{"causes", json::array{json::object{{"reason", "NamespaceTerminating"}}}}};
  return FakeApiServer::status(403, "Forbidden", "it is being terminated", std::move(details));
}

}  // namespace

TEST(KubeEventWriter, ANodesEventLivesInDefault) {
  WriterFixture f(created());
  ASSERT_TRUE(f.create(event_about("Node", "", "node-a")).ok());
  ASSERT_EQ(f.server.requests("POST", in_default).size(), 1U);
  const json::value body = f.body();
  const json::value* about = find(body, "involvedObject");
  EXPECT_EQ(string_at(about, "kind"), "Node");
  EXPECT_EQ(string_at(about, "uid"), "u-node-a");
  EXPECT_EQ(find(about, "namespace"), nullptr);
  EXPECT_EQ(string_at(find(body, "metadata"), "namespace"), "default");
  EXPECT_EQ(find(body, "related"), nullptr);
}

TEST(KubeEventWriter, APodsEventLivesWithItsPodAndSaysAllThatKubectlShows) {
  WriterFixture f(created());
  ClusterEvent event = event_about("Pod", "shop", "web-1");
  event.warning = true;
  event.related = event_about("Node", "", "node-a").about;
  event.annotations["ferryman.dev/event-id"] = "e-1";
  ASSERT_TRUE(f.create(std::move(event)).ok());
  ASSERT_EQ(f.server.requests("POST", in_shop).size(), 1U);
  const json::value body = f.body();
  EXPECT_EQ(string_at(body, "type"), "Warning");
  EXPECT_EQ(string_at(body, "reason"), "PodEvictionBlocked");
  EXPECT_EQ(string_at(body, "message"), "budget shop/web allows no disruption");
  EXPECT_EQ(string_at(body, "firstTimestamp"), "2026-03-01T12:00:00Z");
  EXPECT_EQ(string_at(body, "lastTimestamp"), "2026-03-01T12:03:00Z");
  EXPECT_EQ(integer_at(&body, "count"), 4);
  EXPECT_EQ(string_at(body, "reportingComponent"), "ferryman.dev/ferryman");
  EXPECT_EQ(string_at(body, "reportingInstance"), "ferryman-7d9c-x2x4k");
  EXPECT_EQ(string_at(find(body, "source"), "component"), "ferryman");
  EXPECT_EQ(string_at(find(body, "related"), "name"), "node-a");
  EXPECT_EQ(string_at(find(find(body, "metadata"), "annotations"), "ferryman.dev/event-id"), "e-1");
}

TEST(KubeEventWriter, ARepetitionChangesCountTimeAndTextAlone) {
  WriterFixture f(net::HttpResponse(200, "{}"));
  ASSERT_TRUE(f.repeat(event_about("Pod", "shop", "web-1")).ok());
  const auto patches = f.server.requests("PATCH", std::string(in_shop) + "/web-1.17a");
  ASSERT_EQ(patches.size(), 1U);
  EXPECT_EQ(patches[0].headers.get("Content-Type"), "application/merge-patch+json");
  EXPECT_EQ(
      patches[0].body,
      R"({"count":4,"lastTimestamp":"2026-03-01T12:03:00Z","message":"budget shop/web allows no disruption"})");
}

TEST(KubeEventWriter, AnEventThatIsThereAlreadyIsWritten) {
  WriterFixture f(FakeApiServer::status(409, "AlreadyExists"));
  EXPECT_TRUE(f.create(event_about("Node", "", "node-a")).ok());
}

TEST(KubeEventWriter, AMissingRightAndANamespaceThatEndsAreToldApart) {
  WriterFixture lacks(FakeApiServer::status(403, "Forbidden", "cannot create resource \"events\""));
  const auto denied = lacks.create(event_about("Pod", "shop", "web-1"));
  EXPECT_EQ(denied.error().fault, Fault::denied);
  EXPECT_EQ(denied.error().code, "Forbidden");
  EXPECT_EQ(lacks.metrics.failures[Fault::denied].value(), 1U);
  WriterFixture ending(terminating());
  EXPECT_EQ(ending.create(event_about("Pod", "shop", "web-1")).error().fault, Fault::conflict);
}

TEST(KubeEventWriter, AsksOnceOnly) {
  WriterFixture f(net::HttpResponse(503, "busy"));
  const auto failed = f.create(event_about("Node", "", "node-a"));
  EXPECT_EQ(failed.error().fault, Fault::unexpected);
  EXPECT_NE(failed.error().text.find("creating an event in namespace default about Node node-a"),
            std::string::npos)
      << failed.error().text;
  EXPECT_EQ(f.server.log.size(), 1U);
}

}  // namespace ferryman::test
