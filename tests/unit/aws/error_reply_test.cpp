// SPDX-License-Identifier: Apache-2.0
#include "aws/error_reply.h"

#include <gtest/gtest.h>

namespace ferryman::aws {
namespace {

net::HttpResponse reply(int status, std::string body) {
  return {status, std::move(body)};
}

std::string auto_scaling_error(std::string_view code) {
  return "<ErrorResponse xmlns=\"http://autoscaling.amazonaws.com/doc/2011-01-01/\">\n <Error>\n  "
         "<Type>Sender</Type>\n"
         "  <Code>" +
         std::string(code) +
         "</Code>\n  <Message>why</Message>\n </Error>\n <RequestId>r</RequestId>\n"
         "</ErrorResponse>\n";
}

std::string ec2_error(std::string_view code) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Response><Errors><Error><Code>" + std::string(code) +
         "</Code><Message>why</Message></Error></Errors><RequestID>r</RequestID></Response>";
}

std::string json_error(std::string_view type) {
  return R"({"__type":")" + std::string(type) + R"(","message":"why"})";
}

struct Case {
  int status;
  std::string_view code;
  Fault fault;
};

constexpr Case cases[] = {
    {400, "Throttling", Fault::throttled},
    {400, "ThrottlingException", Fault::throttled},
    {503, "RequestLimitExceeded", Fault::throttled},
    {400, "RequestThrottled", Fault::throttled},
    {400, "TooManyRequestsException", Fault::throttled},
    {503, "SlowDown", Fault::throttled},
    {400, "PriorRequestNotComplete", Fault::throttled},
    {429, "Whatever", Fault::throttled},
    {403, "AccessDenied", Fault::denied},
    {400, "AccessDeniedException", Fault::denied},
    {403, "SignatureDoesNotMatch", Fault::denied},
    {403, "InvalidClientTokenId", Fault::denied},
    {403, "ExpiredToken", Fault::denied},
    {401, "AuthFailure", Fault::denied},
    {400, "UnrecognizedClientException", Fault::denied},
    {403, "OptInRequired", Fault::denied},
    {400, "RequestExpired", Fault::denied},
    {403, "UnauthorizedOperation", Fault::denied},
    {403, "SomethingNew", Fault::denied},
    {400, "InvalidIdentityToken", Fault::denied},
    {400, "InvalidInstanceID.NotFound", Fault::not_found},
    {400, "QueueDoesNotExist", Fault::not_found},
    {400, "AWS.SimpleQueueService.NonExistentQueue", Fault::not_found},
    {400, "ValidationError", Fault::invalid},
    {400, "InvalidInstanceID.Malformed", Fault::invalid},
    {400, "ReceiptHandleIsInvalid", Fault::invalid},
    {404, "InvalidAction", Fault::invalid},
    {500, "InternalFailure", Fault::unexpected},
    {500, "ResourceContention", Fault::unexpected},
    {503, "ServiceUnavailable", Fault::unexpected},
    {400, "IDPCommunicationError", Fault::unexpected},
};

TEST(ErrorReply, EachCodeHasItsFaultInEachForm) {
  for (const Case& each : cases) {
    SCOPED_TRACE(each.code);
    for (const std::string& body :
         {auto_scaling_error(each.code), ec2_error(each.code), json_error(each.code),
          json_error("com.amazonaws.sqs#" + std::string(each.code))}) {
      const Error error = error_of(reply(each.status, body));
      EXPECT_EQ(name_of(error.fault), name_of(each.fault)) << body;
      EXPECT_EQ(error.text, std::string(each.code) + ": why") << body;
    }
  }
}

TEST(ErrorReply, TheQueryCodeOfAJsonErrorComesFirst) {
  net::HttpResponse response = reply(400, json_error("com.amazonaws.sqs#QueueDoesNotExist"));
  response.headers.add("x-amzn-query-error", "AWS.SimpleQueueService.NonExistentQueue;Sender");
  const Error error = error_of(response);
  EXPECT_EQ(error.code, "NonExistentQueue") << "without the name that SQS puts in front";
  EXPECT_EQ(error.text, "AWS.SimpleQueueService.NonExistentQueue: why");
}

TEST(ErrorReply, BothSpellingsOfMessageAreRead) {
  EXPECT_EQ(error_of(reply(403, R"({"__type":"AccessDeniedException","Message":"who are you"})")).text,
            "AccessDeniedException: who are you");
}

TEST(ErrorReply, ATypeInTheHeaderAloneIsEnough) {
  net::HttpResponse response = reply(400, "");
  response.headers.add("x-amzn-ErrorType", "ThrottlingException:http://internal.amazon.com/");
  const Error error = error_of(response);
  EXPECT_EQ(error.code, "ThrottlingException");
  EXPECT_EQ(error.fault, Fault::throttled);
}

TEST(ErrorReply, WhatIsNotAwsOwnIsJudgedByItsStatus) {
  const std::string html = "<html><head><title>502</title></head><body><h1>Bad<br>Gateway</h1></body></html>";
  EXPECT_EQ(error_of(reply(500, html)).fault, Fault::unexpected);
  EXPECT_EQ(error_of(reply(500, "")).fault, Fault::unexpected);
  EXPECT_EQ(error_of(reply(502, html)).fault, Fault::unexpected);
  EXPECT_EQ(error_of(reply(503, "")).fault, Fault::throttled);
  EXPECT_EQ(error_of(reply(503, html)).fault, Fault::unexpected);
  EXPECT_EQ(error_of(reply(429, "")).fault, Fault::throttled);
  EXPECT_EQ(error_of(reply(403, html)).fault, Fault::denied);
  EXPECT_EQ(error_of(reply(404, html)).fault, Fault::unexpected) << "a proxy, not the service";
  EXPECT_EQ(error_of(reply(302, "")).fault, Fault::unexpected);
  EXPECT_EQ(error_of(reply(500, html)).text, "HTTP 500 without an error that we understand");
}

TEST(ErrorReply, GarbageNeverCrashes) {
  for (const std::string& body :
       {std::string("{"), std::string("{\"__type\":7}"), std::string("<"),
        std::string("<ErrorResponse><Error>"), std::string("<ErrorResponse/>"),
        std::string("<ErrorResponse><Error/></ErrorResponse>"), std::string(1'000'000, '{'),
        std::string("<a>") + std::string(100'000, '<'), std::string("\xff\x00\xfe", 3), std::string("   "),
        std::string("[]"), std::string("null")}) {
    const Error error = error_of(reply(400, body));
    EXPECT_EQ(error.fault, Fault::unexpected) << body.substr(0, 30);
    EXPECT_EQ(error.code, "");
  }
}

TEST(ErrorReply, RetryAfterIsKept) {
  net::HttpResponse response = reply(503, "");
  response.headers.add("Retry-After", "7");
  EXPECT_EQ(error_of(response).retry_after, std::chrono::seconds{7});
}

}  // namespace
}  // namespace ferryman::aws
