// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/sandbox/aws/sqs_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

class Sqs : public ::testing::Test {
 protected:
  json::value batch(const std::string& operation, json::array entries) {
    return bench.answer(operation, {{"Entries", std::move(entries)}});
  }
  /// The ids in the list, comma-separated.
  static std::string ids(const json::value& answer, std::string_view list) {
    std::string text;
    const json::array* entries = array_at(&answer, list);
    if (entries == nullptr) return "none";
    for (const json::value& entry : *entries)
      text += (text.empty() ? "" : ",") + std::string(string_at(entry, "Id"));
    return text;
  }
  /// Messages of q that were received three times go to "dead".
  void redrive() {
    bench.sqs("CreateQueue", {{"QueueName", "dead"}});
    const char* policy =
        R"({"deadLetterTargetArn":"arn:aws:sqs:us-west-2:123456789012:dead","maxReceiveCount":"3"})";
    ASSERT_EQ(bench.refusal("SetQueueAttributes", {{"Attributes", {{"RedrivePolicy", policy}}}}), "ok");
  }
  json::array dead_letters() {
    return bench.receive({{"QueueUrl", SqsBench::url_of("dead")}, {"AttributeNames", {"All"}}});
  }
  Queue& queue(const char* name = "q") { return *bench.world.queues().find(name); }

  SqsBench bench;
};

TEST_F(Sqs, BatchOfDeletesTellsBadHandlesFromGoodOnes) {
  bench.send_text();
  const std::string receipt = SqsBench::receipt_of(bench.receive().at(0));
  const json::value answer = batch("DeleteMessageBatch", {{{"Id", "a"}, {"ReceiptHandle", receipt}},
                                                          {{"Id", "b"}, {"ReceiptHandle", "garbage"}}});
  EXPECT_EQ(ids(answer, "Successful"), "a");
  EXPECT_EQ(ids(answer, "Failed"), "b");
  EXPECT_EQ(string_at(array_at(&answer, "Failed")->at(0), "Code"), "ReceiptHandleIsInvalid");
  EXPECT_TRUE(queue().messages().empty());
  EXPECT_EQ(bench.times_of("message.deleted").size(), 1U);
}

TEST_F(Sqs, BatchOfVisibilityChangesReleasesEach) {
  bench.send_text("1");
  bench.send_text("2");
  const json::array got = bench.receive();
  const json::value answer = batch(
      "ChangeMessageVisibilityBatch",
      {{{"Id", "a"}, {"ReceiptHandle", SqsBench::receipt_of(got.at(0))}, {"VisibilityTimeout", 0}},
       {{"Id", "b"}, {"ReceiptHandle", SqsBench::receipt_of(got.at(1))}, {"VisibilityTimeout", 50'000}}});
  EXPECT_EQ(ids(answer, "Successful"), "a");
  EXPECT_EQ(ids(answer, "Failed"), "b");
  EXPECT_EQ(bench.times_of("message.hidden").size(), 1U);
  EXPECT_EQ(bench.receive().size(), 1U);
}

TEST_F(Sqs, BatchesOfAnotherFormAreRefusedAsAWhole) {
  const auto refused = [this](json::array entries) {
    return bench.refusal("DeleteMessageBatch", {{"Entries", std::move(entries)}});
  };
  const json::object one{{"Id", "a"}, {"ReceiptHandle", "r"}};
  EXPECT_EQ(refused({}), "AWS.SimpleQueueService.EmptyBatchRequest");
  EXPECT_EQ(refused({one, one}), "AWS.SimpleQueueService.BatchEntryIdsNotDistinct");
  EXPECT_EQ(refused({{{"Id", "no blank"}}}), "AWS.SimpleQueueService.InvalidBatchEntryId");
  json::array eleven;
  for (int i = 0; i < 11; ++i) eleven.push_back(json::object{{"Id", std::to_string(i)}});
  EXPECT_EQ(refused(eleven), "AWS.SimpleQueueService.TooManyEntriesInBatchRequest");
  const auto response = bench.call("DeleteMessageBatch", {{"Entries", json::array()}});
  EXPECT_EQ(string_at(*parse_json(response.body), "__type"), "com.amazonaws.sqs#EmptyBatchRequest");
}

TEST_F(Sqs, MessageReceivedTooOftenGoesToTheDeadLetterQueue) {
  redrive();
  const std::string id = bench.send_text();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(bench.receive({{"VisibilityTimeout", 0}}).size(), 1U);
  EXPECT_TRUE(dead_letters().empty()) << "it goes when somebody asks for it once more";
  EXPECT_TRUE(bench.receive().empty());
  const json::array dead = dead_letters();
  ASSERT_EQ(dead.size(), 1U);
  EXPECT_EQ(string_at(dead[0], "MessageId"), id);
  const json::value* attributes = find(dead[0], "Attributes");
  EXPECT_EQ(string_at(attributes, "ApproximateReceiveCount"), "4");
  EXPECT_EQ(string_at(attributes, "DeadLetterQueueSourceArn"), "arn:aws:sqs:us-west-2:123456789012:q");
  EXPECT_EQ(bench.times_of("message.dead").size(), 1U);
}

TEST_F(Sqs, DeadLettersKeepTheAgeTheyHad) {
  redrive();
  bench.call("SetQueueAttributes", {{"Attributes", {{"MessageRetentionPeriod", "600"}}}});
  bench.call("SetQueueAttributes",
             {{"QueueUrl", SqsBench::url_of("dead")}, {"Attributes", {{"MessageRetentionPeriod", "500"}}}});
  bench.send_text();
  bench.sim.clock.advance(400s);
  for (int i = 0; i < 4; ++i) bench.receive({{"VisibilityTimeout", 0}});
  EXPECT_EQ(queue("dead").messages().size(), 1U);
  bench.sim.clock.advance(100s);
  EXPECT_TRUE(queue("dead").messages().empty());
}

TEST_F(Sqs, ShorterRetentionEndsMessagesThatAreThere) {
  bench.send_text();
  bench.sim.clock.advance(100s);
  bench.call("SetQueueAttributes", {{"Attributes", {{"MessageRetentionPeriod", "60"}}}});
  bench.sim.clock.advance(0s);
  EXPECT_TRUE(queue().messages().empty());
}

TEST_F(Sqs, RedrivePolicyThatCannotWorkIsRefused) {
  const auto set = [this](const char* policy) {
    return bench.refusal("SetQueueAttributes", {{"Attributes", {{"RedrivePolicy", policy}}}});
  };
  EXPECT_EQ(set("no json"), "InvalidParameterValue");
  EXPECT_EQ(set(R"({"deadLetterTargetArn":"arn:aws:sqs:us-west-2:123456789012:none","maxReceiveCount":3})"),
            "InvalidParameterValue");
  EXPECT_EQ(set(R"({"deadLetterTargetArn":"arn:aws:sqs:us-west-2:123456789012:q","maxReceiveCount":0})"),
            "InvalidParameterValue");
  EXPECT_EQ(set(""), "ok");
}

TEST_F(Sqs, SourcesOfADeadLetterQueueAreListed) {
  redrive();
  const json::value answer =
      bench.answer("ListDeadLetterSourceQueues", {{"QueueUrl", SqsBench::url_of("dead")}});
  EXPECT_EQ(array_at(&answer, "queueUrls")->at(0).as_string(), SqsBench::url);
}

TEST_F(Sqs, AttributesAreCheckedByNameAndRange) {
  const auto set = [this](const char* name, const char* value) {
    return bench.refusal("SetQueueAttributes", {{"Attributes", {{name, value}}}});
  };
  EXPECT_EQ(set("VisibilityTimeout", "43201"), "InvalidAttributeValue");
  EXPECT_EQ(set("MessageRetentionPeriod", "59"), "InvalidAttributeValue");
  EXPECT_EQ(set("FifoQueue", "false"), "InvalidAttributeName");
  EXPECT_EQ(bench.refusal("GetQueueAttributes", {{"AttributeNames", {"Colour"}}}), "InvalidAttributeName");
}

TEST_F(Sqs, DelayOfTheQueueHoldsForItsMessages) {
  bench.call("SetQueueAttributes", {{"Attributes", {{"DelaySeconds", "5"}}}});
  bench.send_text();
  EXPECT_TRUE(bench.receive().empty());
  EXPECT_EQ(queue().counts().delayed, 1U);
  bench.sim.clock.advance(5s);
  EXPECT_EQ(bench.receive().size(), 1U);
}

TEST_F(Sqs, MessageAttributesCountForTheSizeAndHaveADigest) {
  const json::object team{{"DataType", "String"}, {"StringValue", "payments"}};
  const json::value sent =
      bench.answer("SendMessage", {{"MessageBody", "m"}, {"MessageAttributes", {{"team", team}}}});
  EXPECT_EQ(string_at(sent, "MD5OfMessageAttributes"), "5e4eb369c1b8bb01fd6ab7869e9269b5");
  bench.call("SetQueueAttributes", {{"Attributes", {{"MaximumMessageSize", "1024"}}}});
  const std::string body(1'015, 'x');
  EXPECT_EQ(bench.refusal("SendMessage", {{"MessageBody", body}}), "ok");
  EXPECT_EQ(bench.refusal("SendMessage", {{"MessageBody", body}, {"MessageAttributes", {{"team", team}}}}),
            "InvalidParameterValue");
}

TEST_F(Sqs, MessageAttributesOfAnotherFormAreRefused) {
  const auto sent = [this](const char* name, json::object value) {
    return bench.refusal("SendMessage", {{"MessageBody", "m"}, {"MessageAttributes", {{name, value}}}});
  };
  EXPECT_EQ(sent("team.name-1", {{"DataType", "String"}, {"StringValue", "v"}}), "ok");
  EXPECT_EQ(sent("a b", {{"DataType", "String"}, {"StringValue", "v"}}), "InvalidParameterValue");
  EXPECT_EQ(sent("a", {{"DataType", "Colour"}, {"StringValue", "v"}}), "InvalidParameterValue");
  EXPECT_EQ(sent("a", {{"DataType", "String"}}), "InvalidParameterValue");
  EXPECT_EQ(sent("a", {{"DataType", "String"}, {"StringValue", "\x01"}}), "InvalidParameterValue");
}

TEST_F(Sqs, OnlyAskedMessageAttributesAreReceived) {
  const json::object text{{"DataType", "String"}, {"StringValue", "v"}};
  const json::object attributes{{"team.name", text}, {"team.size", text}, {"other", text}};
  bench.call("SendMessage", {{"MessageBody", "m"}, {"MessageAttributes", attributes}});
  const auto received = [&](const char* asked) {
    const json::array got = bench.receive({{"VisibilityTimeout", 0}, {"MessageAttributeNames", {asked}}});
    const json::value* own = find(got.at(0), "MessageAttributes");
    return own == nullptr ? 0U : own->as_object().size();
  };
  EXPECT_EQ(received("All"), 3U);
  EXPECT_EQ(received("team.*"), 2U);
  EXPECT_EQ(received("other"), 1U);
  EXPECT_EQ(received("nothing"), 0U);
}

TEST_F(Sqs, QueuesAreListedInPages) {
  for (const char* name : {"q1", "q2", "q3"}) bench.sqs("CreateQueue", {{"QueueName", name}});
  const json::value first = bench.sqs_body("ListQueues", {{"MaxResults", 3}});
  EXPECT_EQ(array_at(&first, "QueueUrls")->size(), 3U);
  const json::value rest =
      bench.sqs_body("ListQueues", {{"MaxResults", 3}, {"NextToken", string_at(first, "NextToken")}});
  EXPECT_EQ(array_at(&rest, "QueueUrls")->size(), 1U);
  EXPECT_EQ(find(rest, "NextToken"), nullptr);
}

TEST_F(Sqs, PurgeMayNotBeRepeatedWithinAMinute) {
  bench.send_text();
  EXPECT_EQ(bench.refusal("PurgeQueue"), "ok");
  EXPECT_TRUE(bench.receive().empty());
  EXPECT_EQ(bench.call("PurgeQueue").status, 403);
  EXPECT_EQ(bench.refusal("PurgeQueue"), "AWS.SimpleQueueService.PurgeQueueInProgress");
  bench.sim.clock.advance(60s);
  EXPECT_EQ(bench.refusal("PurgeQueue"), "ok");
}

TEST_F(Sqs, DeletedQueueIsGoneAndItsNameComesBackAfterAMinute) {
  bench.send_text();
  EXPECT_EQ(bench.refusal("DeleteQueue"), "ok");
  EXPECT_EQ(bench.refusal("ReceiveMessage"), "AWS.SimpleQueueService.NonExistentQueue");
  EXPECT_EQ(bench.refusal("CreateQueue", {{"QueueName", "q"}}),
            "AWS.SimpleQueueService.QueueDeletedRecently");
  bench.sim.clock.advance(60s);
  EXPECT_EQ(bench.refusal("CreateQueue", {{"QueueName", "q"}}), "ok");
  EXPECT_TRUE(bench.receive().empty());
}

TEST_F(Sqs, TagsAreSetShownAndTaken) {
  bench.call("TagQueue", {{"Tags", {{"team", "payments"}, {"env", "test"}}}});
  bench.call("UntagQueue", {{"TagKeys", {"env"}}});
  EXPECT_EQ(json::serialize(bench.answer("ListQueueTags")), R"({"Tags":{"team":"payments"}})");
}

}  // namespace
}  // namespace ferryman::sandbox::test
