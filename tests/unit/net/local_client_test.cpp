// SPDX-License-Identifier: Apache-2.0
#include "net/local_client.h"

#include <gtest/gtest.h>

#include "support/simulation.h"

namespace ferryman::net {
namespace {

using namespace std::chrono_literals;
using ferryman::test::Simulation;
using Kind = CallFate::Kind;

class CountingHandler final : public HttpHandler {
 public:
  explicit CountingHandler(Clock& clock) : clock_(clock) {}

  Task<HttpReply> handle(HttpRequest request) override {
    co_await clock_.sleep_for(takes);
    ++calls;
    HttpReply reply(HttpResponse(200, request.method + " " + request.url));
    reply.cut_off = cut_off;
    co_return reply;
  }

  Duration takes{0};
  bool cut_off = false;
  int calls = 0;

 private:
  Clock& clock_;
};

class OneFate final : public CallInterceptor {
 public:
  CallFate on_call(const HttpRequest& /*request*/) override { return fate; }
  CallFate fate;
};

class Local {
 public:
  Local() {
    client.route("*", handler);
    client.intercept(&interceptor);
  }
  Result<HttpResponse> send(Duration within = 10s) {
    return sim.run(client.send(HttpRequest("GET", "http://host/path"), Deadline::after(sim.clock, within)));
  }
  Result<HttpResponse> send_with(Kind kind) {
    interceptor.fate = CallFate(kind);
    return send();
  }

  Simulation sim;
  CountingHandler handler{sim.clock};
  OneFate interceptor;
  LocalClient client{sim.clock, sim.scope};
};

TEST(LocalClient, PassesARequestToItsHandler) {
  Local local;
  const auto answer = local.send();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "GET http://host/path");
}

TEST(LocalClient, AHostWithoutAHandlerCannotBeResolved) {
  Simulation sim;
  LocalClient client(sim.clock, sim.scope);
  const auto answer =
      sim.run(client.send(HttpRequest("GET", "http://host/"), Deadline::after(sim.clock, 1s)));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().fault, Fault::transport);
}

TEST(LocalClient, FailedBeforeTheHandlerSeesNothing) {
  Local local;
  const auto answer = local.send_with(Kind::fail_before);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().fault, Fault::transport);
  EXPECT_EQ(local.handler.calls, 0);
}

TEST(LocalClient, FailedAfterTheHandlerHasDoneItsWork) {
  Local local;
  EXPECT_FALSE(local.send_with(Kind::fail_after));
  EXPECT_EQ(local.handler.calls, 1);
}

TEST(LocalClient, AFailureCanBeAnAnswerWithAStatus) {
  Local local;
  local.interceptor.fate = CallFate(Kind::fail_before);
  local.interceptor.fate.status = 503;
  local.interceptor.fate.body = "busy";
  const auto answer = local.send();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 503);
  EXPECT_EQ(answer->body, "busy");
}

TEST(LocalClient, AHangingCallEndsAtItsDeadlineWhetherItTookEffectOrNot) {
  for (const Kind kind : {Kind::hang_before, Kind::hang_after}) {
    Local local;
    const SteadyTime before = local.sim.clock.now();
    const auto answer = local.send_with(kind);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().fault, Fault::deadline);
    EXPECT_EQ(local.sim.clock.now() - before, 10s);
    EXPECT_EQ(local.handler.calls, kind == Kind::hang_after ? 1 : 0);
  }
}

TEST(LocalClient, AfterACutNothingGetsInOrOut) {
  for (const Kind kind : {Kind::cut_before, Kind::cut_after}) {
    Local local;
    EXPECT_FALSE(local.send_with(kind));
    EXPECT_TRUE(local.client.is_cut());
    const auto next = local.send_with(Kind::pass);
    ASSERT_FALSE(next);
    EXPECT_EQ(next.error().fault, Fault::deadline);
    EXPECT_EQ(local.handler.calls, kind == Kind::cut_after ? 1 : 0);
  }
}

TEST(LocalClient, LatencyDelaysTheAnswer) {
  Local local;
  local.interceptor.fate.latency = 3s;
  const SteadyTime before = local.sim.clock.now();
  EXPECT_TRUE(local.send());
  EXPECT_EQ(local.sim.clock.now() - before, 3s);
}

TEST(LocalClient, AHandlerWorksOnWhenItsClientHasGivenUp) {
  Local local;
  local.handler.takes = 30s;
  const auto answer = local.send(10s);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().fault, Fault::deadline);
  EXPECT_EQ(local.handler.calls, 0);
  local.sim.clock.advance(30s);
  EXPECT_EQ(local.handler.calls, 1);
}

TEST(LocalClient, AnAnswerCutOffIsATransportError) {
  Local local;
  local.handler.cut_off = true;
  const auto answer = local.send();
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().fault, Fault::transport);
}

TEST(LocalClient, AnAnswerOverTheLimitIsTooLarge) {
  Local local;
  HttpRequest request("GET", "http://host/path");
  request.max_response_bytes = 5;
  const auto answer = local.sim.run(local.client.send(request, Deadline::after(local.sim.clock, 1s)));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, "TooLarge");
}

}  // namespace
}  // namespace ferryman::net
