// SPDX-License-Identifier: Apache-2.0
#include "kube/client.h"

#include <gtest/gtest.h>

#include "kube/status.h"
#include "unit/kube/kube_fixture.h"
#include "unit/kube/memory_files.h"

namespace ferryman::test {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

kube::Call get(std::string path) {
  return {"GET", std::move(path)};
}

/// Answers all requests alike.
FakeApiServer::Answer always(net::HttpResponse response) {
  return [response = std::move(response)](const net::HttpRequest&) { return net::HttpReply(response); };
}

Error error_of(int code, const std::string& reason) {
  return kube::to_error(kube::read_status(FakeApiServer::status(code, reason)));
}

}  // namespace

TEST(KubeClient, SaysWhoItIsAndBringsItsToken) {
  KubeFixture kube;
  kube.server.add_node("a", instance(1).str());
  ASSERT_TRUE(kube.sim.run(kube.client->call(get("/api/v1/nodes/a"), kube.soon())).ok());
  const net::Headers& headers = kube.server.log.at(0).headers;
  EXPECT_EQ(headers.get("Authorization"), "Bearer t1");
  EXPECT_EQ(headers.get("User-Agent"), "ferryman/" FERRYMAN_VERSION);
  EXPECT_FALSE(headers.has("Content-Type"));
}

TEST(KubeClient, ReadsTheTokenFileAgainAfterA401AndAsksOnceMore) {
  Simulation time;
  MemoryFiles files;
  files.texts["/token"] = "t1";
  KubeFixture kube(kube::token_file("/token", files, time.clock));
  kube.server.add_node("a", instance(1).str());
  ASSERT_TRUE(kube.sim.run(kube.client->call(get("/api/v1/nodes/a"), kube.soon())).ok());
  kube.server.token = files.texts["/token"] = "t2";
  EXPECT_TRUE(kube.sim.run(kube.client->call(get("/api/v1/nodes/a"), kube.soon())).ok());
  EXPECT_EQ(kube.server.log.size(), 3U);
  kube.server.token = "t3";  // the file has not caught up: no use in asking again
  const auto refused = kube.sim.run(kube.client->call(get("/api/v1/nodes/a"), kube.soon()));
  EXPECT_EQ(refused.error().fault, Fault::denied);
  EXPECT_EQ(kube.server.log.size(), 4U);
}

TEST(KubeClient, StatusObjectsBecomeErrors) {
  EXPECT_EQ(error_of(404, "NotFound").fault, Fault::not_found);
  EXPECT_EQ(error_of(409, "Conflict").fault, Fault::conflict);
  EXPECT_EQ(error_of(410, "Gone").code, "Expired");
  EXPECT_EQ(error_of(401, "Unauthorized").fault, Fault::denied);
  EXPECT_EQ(error_of(403, "Forbidden").fault, Fault::denied);
  EXPECT_EQ(error_of(422, "Invalid").fault, Fault::invalid);
  EXPECT_EQ(error_of(400, "BadRequest").fault, Fault::invalid);
  EXPECT_EQ(error_of(500, "InternalError").fault, Fault::unexpected);
  EXPECT_EQ(error_of(504, "Timeout").fault, Fault::unexpected);
  const auto denied = kube::to_error(kube::read_status(
      FakeApiServer::status(403, "Forbidden", "nodes is forbidden: User \"x\" cannot\nlist")));
  EXPECT_NE(denied.text.find("nodes is forbidden: User \"x\" cannot list"), std::string::npos) << denied.text;
}

TEST(KubeClient, AStrangersPageIsNoAnswerOfTheApiServer) {
  for (const int code : {404, 409, 410}) {
    EXPECT_EQ(kube::to_error(kube::read_status(net::HttpResponse(code, "<html>nginx</html>"))).fault,
              Fault::unexpected);
    EXPECT_EQ(kube::to_error(kube::read_status(net::HttpResponse(code, R"({"kind":5})"))).fault,
              Fault::unexpected);
  }
  // The API server's own overload filter answers in plain text.
  net::HttpResponse busy(429, "Too many requests, please try again later.\n");
  busy.headers.add("Retry-After", "7");
  const Error error = kube::to_error(kube::read_status(busy));
  EXPECT_EQ(error.fault, Fault::throttled);
  EXPECT_EQ(error.retry_after, seconds{7});
}

TEST(KubeClient, RepeatsAfterTroubleAndObeysRetryAfter) {
  KubeFixture kube;
  kube.server.add_node("a", instance(1).str());
  int calls = 0;
  kube.server.intercept = [&](const net::HttpRequest&) -> std::optional<net::HttpReply> {
    if (++calls > 2) return std::nullopt;
    return FakeApiServer::status(429, "TooManyRequests", "busy", {{"retryAfterSeconds", 3}});
  };
  const SteadyTime start = kube.sim.clock.now();
  EXPECT_TRUE(kube.sim.run(kube.client->call(get("/api/v1/nodes/a"), kube.soon())).ok());
  EXPECT_EQ(calls, 3);
  EXPECT_GE(kube.sim.clock.now() - start, seconds{6});
}

TEST(KubeClient, GivesUpAtTheDeadlineWhenNobodyAnswers) {
  class Hang final : public net::CallInterceptor {
    net::CallFate on_call(const net::HttpRequest&) override {
      return net::CallFate(net::CallFate::Kind::hang_before);
    }
  } hang;
  KubeFixture kube;
  kube.http.intercept(&hang);
  const SteadyTime start = kube.sim.clock.now();
  const auto answer = kube.sim.run(kube.client->call(get("/api/v1/nodes/a"), kube.soon()));
  EXPECT_EQ(answer.error().fault, Fault::deadline);
  EXPECT_NE(answer.error().text.find("https://api.test:6443"), std::string::npos) << answer.error().text;
  EXPECT_LE(kube.sim.clock.now() - start, seconds{30});
}

TEST(KubeClient, WhatIsNotJsonIsAnError) {
  for (const std::string body : {"", "<html></html>", "{", "{}{}", "\xff", "nul"}) {
    KubeFixture kube;
    kube.server.intercept = always(net::HttpResponse(200, body));
    const auto answer = kube.sim.run(kube.client->call(get("/api/v1/nodes/a"), kube.soon()));
    ASSERT_FALSE(answer.ok()) << body;
    EXPECT_EQ(answer.error().fault, Fault::unexpected);
  }
}

TEST(KubeClient, AnAnswerWithoutEndIsCutAtItsBound) {
  KubeFixture kube;
  kube.server.intercept = always(net::HttpResponse(200, std::string(std::size_t{9} << 20U, ' ')));
  const auto answer = kube.sim.run(kube.client->call(get("/api/v1/nodes/a"), kube.soon()));
  EXPECT_EQ(answer.error().code, "TooLarge");
}

}  // namespace ferryman::test
