// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "unit/sandbox/aws/aws_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

constexpr const char* url = "http://aws.sandbox/123456789012/q";

class SqsQueue : public ::testing::Test {
 protected:
  SqsQueue() { bench.sqs("CreateQueue", {{"QueueName", "q"}}); }

  std::string send(const std::string& body = "hello") {
    return std::string(
        string_at(bench.sqs_body("SendMessage", {{"QueueUrl", url}, {"MessageBody", body}}), "MessageId"));
  }
  json::array receive(int wait = 0, int hidden = 30, int most = 10) {
    const json::value answer = bench.sqs_body("ReceiveMessage", {{"QueueUrl", url},
                                                                 {"MaxNumberOfMessages", most},
                                                                 {"WaitTimeSeconds", wait},
                                                                 {"VisibilityTimeout", hidden},
                                                                 {"AttributeNames", {"All"}}});
    const json::array* messages = array_at(&answer, "Messages");
    return messages == nullptr ? json::array() : *messages;
  }
  net::HttpResponse with_receipt(const std::string& operation, const std::string& receipt, int timeout = 0) {
    return bench.sqs(operation,
                     {{"QueueUrl", url}, {"ReceiptHandle", receipt}, {"VisibilityTimeout", timeout}});
  }
  static std::string receipt_of(const json::value& message) {
    return std::string(string_at(message, "ReceiptHandle"));
  }
  static std::string query_error(const net::HttpResponse& response) {
    return std::string(response.headers.get("x-amzn-query-error"));
  }
  double elapsed() { return seconds(bench.sim.clock.now() - bench.start); }

  AwsBench bench;
};

TEST_F(SqsQueue, ReceivedMessageIsHiddenUntilItsTimeoutEnds) {
  send();
  EXPECT_EQ(receive().size(), 1U);
  bench.sim.clock.advance(29s);
  EXPECT_TRUE(receive().empty());
  bench.sim.clock.advance(1s);
  const json::array again = receive();
  ASSERT_EQ(again.size(), 1U);
  EXPECT_EQ(string_at(find(again[0], "Attributes"), "ApproximateReceiveCount"), "2");
}

TEST_F(SqsQueue, EachReceiveHasANewHandleAndOnlyTheNewestDeletes) {
  send();
  const std::string old_receipt = receipt_of(receive(0, 0)[0]);
  const std::string new_receipt = receipt_of(receive(0, 0)[0]);
  EXPECT_NE(old_receipt, new_receipt);
  EXPECT_EQ(with_receipt("DeleteMessage", old_receipt).status, 200);
  EXPECT_EQ(receive(0, 0).size(), 1U);
}

TEST_F(SqsQueue, DeletingTwiceIsASuccess) {
  send();
  const std::string receipt = receipt_of(receive()[0]);
  EXPECT_EQ(with_receipt("DeleteMessage", receipt).status, 200);
  EXPECT_EQ(with_receipt("DeleteMessage", receipt).status, 200);
  EXPECT_TRUE(bench.world.queues().find("q")->messages().empty());
}

TEST_F(SqsQueue, NewestHandleDeletesEvenAfterItsTimeout) {
  send();
  const std::string receipt = receipt_of(receive(0, 5)[0]);
  bench.sim.clock.advance(10s);
  with_receipt("DeleteMessage", receipt);
  EXPECT_TRUE(receive().empty());
}

TEST_F(SqsQueue, MessageReleasedByVisibilityZeroIsThereAtOnce) {
  send();
  const std::string receipt = receipt_of(receive()[0]);
  EXPECT_EQ(with_receipt("ChangeMessageVisibility", receipt, 0).status, 200);
  EXPECT_EQ(receive().size(), 1U);
}

TEST_F(SqsQueue, WhatIsGivenBackGoesBehindThoseThatWait) {
  for (const char* body : {"a", "b", "c"}) send(body);
  with_receipt("ChangeMessageVisibility", receipt_of(receive(0, 30, 1)[0]));
  std::string order;
  for (const json::value& message : receive()) order += string_at(message, "Body");
  EXPECT_EQ(order, "bca");
}

TEST_F(SqsQueue, WhatBecameVisibleFirstIsReceivedFirst) {
  for (const char* body : {"a", "b"}) send(body);
  const json::array both = receive(0, 300);
  with_receipt("ChangeMessageVisibility", receipt_of(both[1]), 5);
  with_receipt("ChangeMessageVisibility", receipt_of(both[0]), 10);
  bench.sim.clock.advance(10s);
  send("c");
  std::string order;
  for (const json::value& message : receive()) order += string_at(message, "Body");
  EXPECT_EQ(order, "bac");
}

TEST_F(SqsQueue, ALongQueueIsReceivedTenAtATimeAndNothingTwice) {
  constexpr int messages = 10'000;
  Queue& queue = *bench.world.queues().find("q");
  for (int i = 0; i < messages; ++i) queue.send("m");
  std::set<std::string> ids;
  for (int i = 0; i < messages / 10; ++i) {
    for (const QueueMessage& message : bench.sim.run(queue.receive(10, 0s, 1h))) ids.insert(message.id);
  }
  EXPECT_EQ(ids.size(), static_cast<std::size_t>(messages));
  EXPECT_TRUE(bench.sim.run(queue.receive(10, 0s, 1h)).empty());
}

TEST_F(SqsQueue, VisibilityOfWhatIsNotInFlightIsRefused) {
  send();
  const std::string receipt = receipt_of(receive(0, 5)[0]);
  bench.sim.clock.advance(6s);
  EXPECT_EQ(query_error(with_receipt("ChangeMessageVisibility", receipt, 10)),
            "AWS.SimpleQueueService.MessageNotInflight;Sender");
  receive();
  EXPECT_EQ(query_error(with_receipt("ChangeMessageVisibility", receipt, 10)),
            "InvalidParameterValue;Sender");
}

TEST_F(SqsQueue, HiddenForMoreThanTwelveHoursIsRefused) {
  send();
  const std::string receipt = receipt_of(receive(0, 43'200)[0]);
  bench.sim.clock.advance(1h);
  EXPECT_EQ(with_receipt("ChangeMessageVisibility", receipt, 39'600).status, 200);
  EXPECT_EQ(query_error(with_receipt("ChangeMessageVisibility", receipt, 39'601)),
            "InvalidParameterValue;Sender");
}

TEST_F(SqsQueue, LongPollEndsWhenAMessageIsSent) {
  bench.timeline.after(7s, [this] { bench.world.queues().find("q")->send("late"); });
  EXPECT_EQ(receive(20).size(), 1U);
  EXPECT_EQ(elapsed(), 7);
}

TEST_F(SqsQueue, LongPollEndsWhenAVisibilityTimeoutRunsOut) {
  send();
  receive(0, 12);
  EXPECT_EQ(receive(20).size(), 1U);
  EXPECT_EQ(elapsed(), 12);
}

TEST_F(SqsQueue, LongPollOfAnEmptyQueueAnswersAnEmptyObjectAtItsEnd) {
  EXPECT_EQ(bench.sqs("ReceiveMessage", {{"QueueUrl", url}, {"WaitTimeSeconds", 20}}).body, "{}");
  EXPECT_EQ(elapsed(), 20);
}

TEST_F(SqsQueue, MessagesEndWithTheirRetention) {
  bench.sqs("SetQueueAttributes", {{"QueueUrl", url}, {"Attributes", {{"MessageRetentionPeriod", "300"}}}});
  const std::string id = send();
  bench.sim.clock.advance(299s);
  EXPECT_EQ(receive(0, 0).size(), 1U);
  bench.sim.clock.advance(1s);
  EXPECT_TRUE(receive().empty());
  EXPECT_EQ(bench.times_of("message.expired"), std::vector<double>{300});
}

TEST_F(SqsQueue, AttributesCountWhatIsVisibleAndWhatIsInFlight) {
  send();
  send();
  send();
  receive(0, 30, 1);
  const json::value answer =
      bench.sqs_body("GetQueueAttributes", {{"QueueUrl", url}, {"AttributeNames", {"All"}}});
  const json::value* attributes = find(answer, "Attributes");
  EXPECT_EQ(string_at(attributes, "ApproximateNumberOfMessages"), "2");
  EXPECT_EQ(string_at(attributes, "ApproximateNumberOfMessagesNotVisible"), "1");
  EXPECT_EQ(string_at(attributes, "QueueArn"), "arn:aws:sqs:us-west-2:123456789012:q");
}

TEST_F(SqsQueue, EventSentByAClientIsJournaledWithItsInstance) {
  const std::string id = send(R"({"detail":{"EC2InstanceId":"i-0123456789abcdef0"}})");
  const JournalEntry& sent = *(bench.journal.entries().end() - 2);
  EXPECT_EQ(sent.operation, "message.sent");
  EXPECT_EQ(sent.subject, id);
  EXPECT_EQ(sent.details.at("instance"), "i-0123456789abcdef0");
}

TEST_F(SqsQueue, MissingQueueIsNamedInBothProtocolsWords) {
  const auto answer = bench.sqs("ReceiveMessage", {{"QueueUrl", "http://aws.sandbox/123456789012/none"}});
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(string_at(*parse_json(answer.body), "__type"), "com.amazonaws.sqs#QueueDoesNotExist");
  EXPECT_EQ(query_error(answer), "AWS.SimpleQueueService.NonExistentQueue;Sender");
  EXPECT_FALSE(answer.headers.get("x-amzn-RequestId").empty());
}

TEST_F(SqsQueue, GarbageForAReceiptIsRefused) {
  EXPECT_EQ(query_error(with_receipt("DeleteMessage", "garbage")), "ReceiptHandleIsInvalid;Sender");
}

TEST_F(SqsQueue, NumbersOutsideTheirRangeAreRefused) {
  const auto refused = [this](const char* name, int value) {
    return query_error(bench.sqs("ReceiveMessage", {{"QueueUrl", url}, {name, value}}));
  };
  EXPECT_EQ(refused("WaitTimeSeconds", 21), "InvalidParameterValue;Sender");
  EXPECT_EQ(refused("MaxNumberOfMessages", 11), "InvalidParameterValue;Sender");
  EXPECT_EQ(refused("VisibilityTimeout", 43'201), "InvalidParameterValue;Sender");
}

TEST_F(SqsQueue, ControlCharactersInAMessageAreRefused) {
  const auto answer = bench.sqs("SendMessage", {{"QueueUrl", url}, {"MessageBody", "a\x01z"}});
  EXPECT_EQ(query_error(answer), "InvalidMessageContents;Sender");
}

TEST_F(SqsQueue, BodyThatIsNoJsonIsRefusedAsSuch) {
  const auto answer = bench.send(AwsBench::sqs_request("ReceiveMessage", "{\"QueueUrl\":"));
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(string_at(*parse_json(answer.body), "__type"), "com.amazon.coral.service#SerializationException");
}

}  // namespace
}  // namespace ferryman::sandbox::test
