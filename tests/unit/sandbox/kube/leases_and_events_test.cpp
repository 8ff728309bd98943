// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "small_cluster.h"

namespace ferryman::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr const char* leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
constexpr const char* core_events = "/api/v1/namespaces/default/events";
constexpr const char* new_events = "/apis/events.k8s.io/v1/namespaces/default/events";

TEST(Lease, OfTwoWhoRenewTheSameFormOneIsRefused) {
  SmallCluster cluster(0);
  ASSERT_EQ(cluster.call("POST", leases, R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"a"}})").status,
            201);
  json::value lease = cluster.get(std::string(leases) + "/l");
  make_at(lease, "spec.holderIdentity") = "b";
  const std::string mine = json::serialize(lease);
  make_at(lease, "spec.holderIdentity") = "c";
  EXPECT_EQ(cluster.call("PUT", std::string(leases) + "/l", mine).status, 200);
  const auto late = cluster.call("PUT", std::string(leases) + "/l", json::serialize(lease));
  EXPECT_EQ(late.status, 409);
  EXPECT_NE(
      late.body.find(
          R"(Operation cannot be fulfilled on leases.coordination.k8s.io \"l\": the object has been modified)"),
      std::string::npos);
  EXPECT_EQ(text_at(cluster.get(std::string(leases) + "/l"), "spec.holderIdentity"), "b");
}

TEST(Lease, WatchesSeeItsRenewals) {
  SmallCluster cluster(0);
  (void)cluster.call("POST", leases, R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"a"}})");
  auto watch = cluster.send("GET", std::string(leases) + "?watch=true&fieldSelector=metadata.name%3Dl");
  (void)cluster.sim.run(watch.stream->read(Deadline(cluster.sim.clock.now() + 1s)));
  (void)cluster.call("PATCH", std::string(leases) + "/l", R"({"spec":{"holderIdentity":"b"}})",
                     "application/merge-patch+json");
  const auto line = cluster.sim.run(watch.stream->read(Deadline(cluster.sim.clock.now() + 1s)));
  ASSERT_TRUE(line);
  const json::value event = *parse_json(*line);
  EXPECT_EQ(text_at(event, "type"), "MODIFIED");
  EXPECT_EQ(text_at(event, "object.spec.holderIdentity"), "b");
}

TEST(Event, HasTwoFormsOnTheWire) {
  SmallCluster cluster(0);
  ASSERT_EQ(
      cluster
          .call(
              "POST", core_events,
              R"({"metadata":{"name":"e"},"involvedObject":{"kind":"Node","name":"n"},"message":"m","count":2,)"
              R"("reason":"R","source":{"component":"c"}})")
          .status,
      201);
  const json::value seen = cluster.get(std::string(new_events) + "/e");
  EXPECT_EQ(text_at(seen, "apiVersion"), "events.k8s.io/v1");
  EXPECT_EQ(text_at(seen, "regarding.name"), "n");
  EXPECT_EQ(text_at(seen, "note"), "m");
  EXPECT_EQ(integer_at(&seen, "deprecatedCount"), 2);
  EXPECT_EQ(value_at(seen, "involvedObject"), nullptr);
}

TEST(Event, IsSelectedByTheNameOfItsSource) {
  SmallCluster cluster(0);
  ASSERT_EQ(cluster
                .call("POST", core_events,
                      R"({"metadata":{"name":"e"},"involvedObject":{"kind":"Node","name":"n"},"message":"m",)"
                      R"("reason":"R","source":{"component":"c"}})")
                .status,
            201);
  EXPECT_NE(cluster.call("GET", std::string(core_events) + "?fieldSelector=source%3Dc").body.find(R"("e")"),
            std::string::npos);
  EXPECT_EQ(cluster.call("GET", std::string(core_events) + "?fieldSelector=source%3Dd").body.find(R"("e")"),
            std::string::npos);
}

TEST(Event, ItsSeriesIsPatchedInTheNewForm) {
  SmallCluster cluster(0);
  ASSERT_EQ(
      cluster
          .call("POST", new_events,
                R"({"metadata":{"name":"e"},"regarding":{"kind":"Node","name":"n"},"note":"m","reason":"R",)"
                R"("action":"A","type":"Normal","eventTime":"2026-11-30T12:00:00.000000Z",)"
                R"("reportingController":"c","reportingInstance":"i"})")
          .status,
      201);
  const auto answer = cluster.call(
      "PATCH", std::string(new_events) + "/e",
      R"({"series":{"count":2,"lastObservedTime":"2026-11-30T12:01:00.000000Z"},"note":"again"})",
      "application/strategic-merge-patch+json");
  ASSERT_EQ(answer.status, 200) << answer.body;
  const json::value core = cluster.get(std::string(core_events) + "/e");
  EXPECT_EQ(text_at(core, "message"), "again");
  EXPECT_EQ(text_at(core, "involvedObject.name"), "n");
  EXPECT_EQ(integer_at(find(core, "series"), "count"), 2);
}

TEST(Event, TheNewFormInsistsOnItsFields) {
  SmallCluster cluster(0);
  const auto answer = cluster.call(
      "POST", new_events, R"({"metadata":{"name":"e"},"regarding":{"kind":"Node","name":"n"},"reason":"R"})");
  EXPECT_EQ(answer.status, 422);
  EXPECT_EQ(text_at(SmallCluster::body(answer), "message"),
            "Event.events.k8s.io \"e\" is invalid: eventTime: Required value");
}

TEST(Discovery, TellsAllInOneAnswer) {
  SmallCluster cluster(0);
  cluster.accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
  const auto answer = cluster.call("GET", "/apis");
  EXPECT_EQ(answer.headers.get("Content-Type"),
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");
  const json::value groups = SmallCluster::body(answer);
  EXPECT_EQ(text_at(groups, "kind"), "APIGroupDiscoveryList");
  EXPECT_NE(answer.body.find("selfsubjectaccessreviews"), std::string::npos);
  const json::value core = cluster.get("/api");
  EXPECT_NE(json::serialize(core).find(R"("subresource":"eviction")"), std::string::npos);
}

TEST(Discovery, OpenApiNamesTheFieldsOfATypeAndWhatACallTakes) {
  SmallCluster cluster(0);
  EXPECT_NE(cluster.call("GET", "/openapi/v3").body.find("/openapi/v3/apis/apps/v1"), std::string::npos);
  const json::value document = cluster.get("/openapi/v3/api/v1");
  const std::string patch = json::serialize(*find(find(document, "paths"), "/api/v1/nodes/{name}"));
  EXPECT_NE(patch.find("fieldValidation"), std::string::npos);
  const json::value* schemas = value_at(document, "components.schemas");
  EXPECT_NE(find(find(find(schemas, "io.k8s.PodSpec"), "properties"), "nodeName"), nullptr);
  EXPECT_EQ(cluster.call("GET", "/openapi/v3/apis/none/v1").status, 404);
}

}  // namespace
}  // namespace ferryman::sandbox
