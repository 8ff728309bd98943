// SPDX-License-Identifier: Apache-2.0
#include "aws/service_client.h"

#include <gtest/gtest.h>

#include "aws/sigv4.h"
#include "unit/aws/world.h"

namespace ferryman::aws {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using test::World;

std::string query_error(std::string_view code, std::string_view message = "why") {
  return "<ErrorResponse><Error><Code>" + std::string(code) + "</Code><Message>" + std::string(message) +
         "</Message></Error></ErrorResponse>";
}

Call some_call() {
  Call call;
  call.operation = "DescribeLifecycleHooks";
  call.body = "AutoScalingGroupName=g";
  return call;
}

class Caller : public World {
 public:
  Caller() : World(Service::auto_scaling) {}
  Result<std::string> call(Duration limit = seconds{60}) {
    return sim.run(client->send(some_call(), in(limit)));
  }
};

TEST(ServiceClient, EachAttemptIsSignedAnewWithAFreshDate) {
  Caller caller;
  caller.remote.answer(500, "");
  caller.remote.answer(200, "fine");
  const auto answer = caller.call();
  ASSERT_TRUE(answer.ok()) << answer.error().text;
  EXPECT_EQ(*answer, "fine");
  ASSERT_EQ(caller.remote.requests.size(), 2U);
  caller.sim.clock.advance(seconds{5});
  ASSERT_TRUE(caller.call().ok());
  EXPECT_EQ(caller.remote.requests[0].headers.get("X-Amz-Date"), "20260301T120000Z");
  EXPECT_GE(caller.last().headers.get("X-Amz-Date"), "20260301T120005Z");
  for (const net::HttpRequest& request : caller.remote.requests) {
    const auto seen = parse_authorization(request.headers.get("Authorization"));
    ASSERT_TRUE(seen.has_value());
    EXPECT_EQ(*expected_signature(request, seen->signed_headers, seen->scope, Secret("topsecretkey")),
              seen->signature);
  }
}

TEST(ServiceClient, ThrottlingIsCountedAndRetriedLater) {
  Caller caller;
  caller.remote.answer(400, query_error("Throttling"));
  caller.remote.answer(400, query_error("Throttling"), "Retry-After", "9");
  caller.remote.answer(200, "fine");
  const SteadyTime started = caller.sim.clock.now();
  ASSERT_TRUE(caller.call().ok());
  EXPECT_GE(caller.sim.clock.now() - started, seconds{9});
  EXPECT_EQ(caller.metrics.throttles(Service::auto_scaling), 2U);
  EXPECT_EQ(caller.counted().calls.value(), 3U);
  EXPECT_EQ(caller.counted().retries.value(), 2U);
  EXPECT_EQ(caller.counted().errors[Fault::denied].value(), 0U);
}

TEST(ServiceClient, GivesUpAfterFiveAttemptsAndSaysWhat) {
  Caller caller;
  caller.remote.answer(500, "<html>");
  const auto answer = caller.call();
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().fault, Fault::unexpected);
  EXPECT_EQ(answer.error().text,
            "calling autoscaling DescribeLifecycleHooks: HTTP 500 without an error that we understand");
  EXPECT_EQ(caller.remote.requests.size(), 5U);
}

TEST(ServiceClient, ALastingOutageIsNotMultipliedByRetries) {
  Caller caller;
  caller.remote.answer(500, "");
  for (int i = 0; i < 50; ++i) EXPECT_FALSE(caller.call().ok());
  EXPECT_LE(caller.remote.requests.size(), 50U + 20U) << "the budget allows twenty retries";
}

TEST(ServiceClient, ARequestThatIsWrongIsNotRepeated) {
  Caller caller;
  caller.remote.answer(400, query_error("ValidationError"));
  EXPECT_EQ(caller.call().error().fault, Fault::invalid);
  EXPECT_EQ(caller.remote.requests.size(), 1U);
}

TEST(ServiceClient, AnAttemptThatHangsLeavesTimeForTheNext) {
  Caller caller;
  caller.remote.delay = seconds{3600};
  const SteadyTime started = caller.sim.clock.now();
  const auto answer = caller.call(seconds{35});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().fault, Fault::deadline);
  EXPECT_GE(caller.remote.requests.size(), 3U);
  EXPECT_LE(caller.sim.clock.now() - started, seconds{35});
}

TEST(ServiceClient, ExpiredCredentialsAreRenewedOnce) {
  Caller caller;
  caller.remote.answer(403, query_error("ExpiredToken"));
  caller.remote.answer(200, "fine");
  ASSERT_TRUE(caller.call().ok());
  EXPECT_EQ(caller.provider.expired_ids, std::vector<std::string>{"AKIDFIXED"});

  caller.remote.answers.clear();
  caller.remote.answer(403, query_error("ExpiredToken"));
  caller.remote.requests.clear();
  const auto answer = caller.call();
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().fault, Fault::denied);
  EXPECT_EQ(caller.remote.requests.size(), 2U) << "once more, then it is final";
}

TEST(ServiceClient, AWrongClockIsCorrectedByTheDateHeader) {
  for (const char* code :
       {"RequestTimeTooSkewed", "SignatureDoesNotMatch", "RequestExpired", "AuthFailure"}) {
    Caller caller;
    caller.remote.answer(403, query_error(code), "Date", "Sun, 01 Mar 2026 13:30:00 GMT");
    caller.remote.answer(200, "fine");
    ASSERT_TRUE(caller.call().ok()) << code;
    EXPECT_EQ(caller.last().headers.get("X-Amz-Date"), "20260301T133000Z");
    caller.sim.clock.advance(minutes{1});
    ASSERT_TRUE(caller.call().ok());
    EXPECT_EQ(caller.last().headers.get("X-Amz-Date"), "20260301T133100Z") << "remembered";
    EXPECT_EQ(caller.sim.logs.with("aws.clock_skew service=autoscaling seconds=5400").size(), 1U);
  }
}

TEST(ServiceClient, AWrongKeyUnderARightClockIsFinal) {
  Caller caller;
  caller.remote.answer(403, query_error("SignatureDoesNotMatch"), "Date", "Sun, 01 Mar 2026 12:01:00 GMT");
  const auto answer = caller.call();
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, "SignatureDoesNotMatch");
  EXPECT_EQ(answer.error().text,
            "calling autoscaling DescribeLifecycleHooks: SignatureDoesNotMatch: why (credentials: settings)");
  EXPECT_EQ(caller.remote.requests.size(), 1U);
}

TEST(ServiceClient, ASecondClockCorrectionInOneCallIsNotTried) {
  Caller caller;
  caller.remote.answer(403, query_error("RequestTimeTooSkewed"), "Date", "Sun, 01 Mar 2026 13:00:00 GMT");
  caller.remote.answer(403, query_error("RequestTimeTooSkewed"), "Date", "Sun, 01 Mar 2026 14:00:00 GMT");
  EXPECT_FALSE(caller.call().ok());
  EXPECT_EQ(caller.remote.requests.size(), 2U);
}

TEST(ServiceClient, SecretsThatAwsQuotesAreCutOut) {
  Caller caller;
  caller.remote.answer(
      403, query_error("SignatureDoesNotMatch",
                       "The Canonical String should have been x-amz-security-token:thesessiontoken "
                       "signed with topsecretkey"));
  const auto answer = caller.call();
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().text.find("thesessiontoken"), std::string::npos);
  EXPECT_EQ(answer.error().text.find("topsecretkey"), std::string::npos);
  EXPECT_NE(answer.error().text.find("x-amz-security-token:***"), std::string::npos);
  EXPECT_TRUE(caller.sim.logs.with("thesessiontoken").empty());
}

TEST(ServiceClient, ALongComplaintIsCutShort) {
  Caller caller;
  caller.remote.answer(400, query_error("ValidationError", std::string(100'000, 'x')));
  EXPECT_LT(caller.call().error().text.size(), 700U);
}

TEST(ServiceClient, AnAnswerOverTheBoundIsAnError) {
  Caller caller;
  caller.remote.answer(200, std::string(1001, 'x'));
  Call call = some_call();
  call.max_answer_bytes = 1000;
  call.retried = false;
  const auto answer = caller.sim.run(caller.client->send(call, caller.soon()));
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, "TooLarge");
}

TEST(ServiceClient, WithoutCredentialsNothingIsSentAndTheReasonIsTold) {
  Caller caller;
  caller.provider.error = Error(Fault::denied, "NoCredentials", "no AWS credentials found");
  const auto answer = caller.call();
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().text, "calling autoscaling DescribeLifecycleHooks: no AWS credentials found");
  EXPECT_TRUE(caller.remote.requests.empty());
}

Task<void> keep_calling(ServiceClient& client, Clock& clock, Call call, Duration gap) {
  for (;;) {
    (void)co_await client.send(call, Deadline::after(clock, minutes{10}));
    co_await clock.sleep_for(gap);
  }
}

TEST(ServiceClient, CallsStayInsideTheirShareOfTheRate) {
  Caller caller;
  for (int i = 0; i < 10; ++i) {
    caller.sim.scope.spawn("reader",
                           keep_calling(*caller.client, caller.sim.clock, some_call(), Duration{1}));
  }
  caller.sim.clock.advance(seconds{60});
  const auto sent = static_cast<double>(caller.remote.requests.size());
  const Rate whole = *rates_of(Service::auto_scaling).normal;
  EXPECT_LE(sent, (whole.burst + 60 * whole.per_second) * default_share + 1);
  EXPECT_GE(sent, 60 * whole.per_second * default_share);
}

TEST(ServiceClient, HeartbeatsWaitBehindNothingButTheNextToken) {
  Caller caller;
  for (int i = 0; i < 50; ++i) {
    caller.sim.scope.spawn("reader",
                           keep_calling(*caller.client, caller.sim.clock, some_call(), Duration{1}));
  }
  caller.sim.clock.advance(seconds{60});
  Call heartbeat;
  heartbeat.operation = "RecordLifecycleActionHeartbeat";
  heartbeat.lane = Lane::vital;
  const double token = 1 / (rates_of(Service::auto_scaling).normal->per_second * default_share);
  const SteadyTime before = caller.sim.clock.now();
  ASSERT_TRUE(caller.sim.run(caller.client->send(heartbeat, caller.soon())).ok());
  const std::chrono::duration<double> waited = caller.sim.clock.now() - before;
  EXPECT_LE(waited.count(), token + 0.01);
}

TEST(ServiceClient, AThrottledServiceIsCalledMoreSlowly) {
  const auto calls_in_a_minute = [](bool throttled) {
    Caller caller;
    if (throttled) caller.remote.answer(400, query_error("Throttling"));
    caller.remote.answer(200, "fine");
    for (int i = 0; i < 10; ++i) {
      caller.sim.scope.spawn("reader",
                             keep_calling(*caller.client, caller.sim.clock, some_call(), Duration{1}));
    }
    caller.sim.clock.advance(seconds{60});
    return caller.remote.requests.size();
  };
  EXPECT_LT(calls_in_a_minute(true), calls_in_a_minute(false) * 9 / 10);
}

TEST(ServiceClient, ACallWhoseTurnComesTooLateIsNotSent) {
  Caller caller;
  for (int i = 0; i < 200; ++i) {
    caller.sim.scope.spawn("reader",
                           keep_calling(*caller.client, caller.sim.clock, some_call(), Duration{1}));
  }
  caller.sim.clock.advance(seconds{10});
  const auto answer = caller.call(seconds{5});
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().fault, Fault::throttled);
  EXPECT_EQ(caller.metrics.throttles(Service::auto_scaling), 0U) << "AWS did not say so";
}

TEST(ServiceClient, EachCallIsLoggedWithoutItsBody) {
  Caller caller;
  caller.remote.answer(400, query_error("ValidationError"));
  (void)caller.call();
  ASSERT_EQ(caller.sim.logs.with("aws.call").size(), 1U);
  const std::string line = caller.sim.logs.with("aws.call").front();
  EXPECT_NE(
      line.find("service=autoscaling operation=DescribeLifecycleHooks status=400 error=ValidationError"),
      std::string::npos)
      << line;
  EXPECT_EQ(line.find("AutoScalingGroupName"), std::string::npos);
}

}  // namespace
}  // namespace ferryman::aws
