// SPDX-License-Identifier: Apache-2.0
#include "aws/message_queue.h"

#include <gtest/gtest.h>

#include "unit/aws/sqs_world.h"

namespace ferryman::aws {
namespace {

using std::chrono::seconds;
using test::SqsWorld;

TEST(MessageQueue, TheQueuesAttributesAreReadInFull) {
  SqsWorld world;
  world.remote.answer(
      200, R"({"Attributes":{"QueueArn":"arn:aws:sqs:us-west-2:123456789012:nodes","DelaySeconds":"5",)"
           R"("MessageRetentionPeriod":"300","KmsMasterKeyId":"alias/aws/sqs",)"
           R"("RedrivePolicy":"{\"deadLetterTargetArn\":\"arn:x\",\"maxReceiveCount\":\"7\"}"}})");
  const auto facts = world.sim.run(world.queue.facts(world.soon()));
  ASSERT_TRUE(facts.ok()) << facts.error().text;
  EXPECT_EQ(world.last().headers.get("X-Amz-Target"), "AmazonSQS.GetQueueAttributes");
  EXPECT_EQ(world.last().body, R"({"QueueUrl":"https://sqs.us-west-2.amazonaws.com/123456789012/nodes",)"
                               R"("AttributeNames":["QueueArn","DelaySeconds","MessageRetentionPeriod",)"
                               R"("RedrivePolicy","KmsMasterKeyId"]})");
  EXPECT_EQ(facts->arn, "arn:aws:sqs:us-west-2:123456789012:nodes");
  EXPECT_EQ(facts->delay, seconds{5});
  EXPECT_EQ(facts->retention, seconds{300});
  EXPECT_EQ(facts->kms_key, "alias/aws/sqs");
  EXPECT_EQ(facts->most_receives, 7);
}

TEST(MessageQueue, AQueueKnownByItsNameIsLookedUpOnce) {
  SqsWorld world;
  world.remote.answer(200, R"({"QueueUrl":"https://sqs.us-west-2.amazonaws.com/210987654321/nodes"})");
  world.remote.answer(200, "{}");
  for (int i = 0; i < 2; ++i)
    ASSERT_TRUE(world.sim.run(world.named.receive(10, seconds{0}, seconds{30}, world.soon())).ok());
  ASSERT_EQ(world.remote.requests.size(), 3U);
  EXPECT_EQ(world.remote.requests[0].headers.get("X-Amz-Target"), "AmazonSQS.GetQueueUrl");
  EXPECT_EQ(world.remote.requests[0].body, R"({"QueueName":"nodes"})");
  for (const std::size_t receive : {1U, 2U})
    EXPECT_TRUE(world.remote.requests[receive].body.starts_with(
        R"({"QueueUrl":"https://sqs.us-west-2.amazonaws.com/210987654321/nodes",)"));
}

TEST(MessageQueue, AQueueThatIsNotFoundByItsNameIsLookedUpAgain) {
  SqsWorld world;
  world.remote.answer(400, R"({"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"no queue"})");
  const auto missing = world.sim.run(world.named.facts(world.soon()));
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().fault, Fault::not_found);
  EXPECT_TRUE(missing.error().text.starts_with("finding the queue \"nodes\": calling sqs GetQueueUrl: "))
      << missing.error().text;
  for (const auto& one : world.sim.run(world.named.remove({"a", "b"}, world.soon())))
    EXPECT_EQ(one.error().fault, Fault::not_found);
  world.remote.answers.clear();
  world.remote.answer(200, "{}");
  const auto unreadable = world.sim.run(world.named.facts(world.soon()));
  EXPECT_NE(unreadable.error().text.find("the answer names no QueueUrl"), std::string::npos);
  world.remote.answers.clear();
  world.remote.answer(200, R"({"QueueUrl":"https://sqs.us-west-2.amazonaws.com/1/nodes"})");
  world.remote.answer(200, R"({"Attributes":{"QueueArn":"arn:aws:sqs:us-west-2:123456789012:nodes"}})");
  EXPECT_EQ(world.sim.run(world.named.facts(world.soon()))->account, "123456789012");
}

TEST(MessageQueue, AttributesThatAreMissingHaveSqssDefaults) {
  for (const char* body :
       {R"({"Attributes":{"QueueArn":"a"}})", R"({"Attributes":{"QueueArn":"a",)"
                                              R"("DelaySeconds":"soon","RedrivePolicy":"{}"}})"}) {
    SqsWorld world;
    world.remote.answer(200, body);
    const auto facts = world.sim.run(world.queue.facts(world.soon()));
    ASSERT_TRUE(facts.ok()) << facts.error().text;
    EXPECT_EQ(facts->delay, seconds{0});
    EXPECT_EQ(facts->retention, std::chrono::days{4});
    EXPECT_EQ(facts->kms_key, "");
    EXPECT_EQ(facts->most_receives, std::nullopt);
  }
}

TEST(MessageQueue, AttributesThatCannotBeReadAreAnError) {
  for (const char* body :
       {"", "{}", R"({"Attributes":7})", R"({"Attributes":{"QueueArn":"a","RedrivePolicy":"{"}})"}) {
    SqsWorld world;
    world.remote.answer(200, body);
    const auto facts = world.sim.run(world.queue.facts(world.soon()));
    ASSERT_FALSE(facts.ok()) << body;
    EXPECT_TRUE(facts.error().text.starts_with("reading the answer of sqs GetQueueAttributes: ")) << body;
  }
}

}  // namespace
}  // namespace ferryman::aws
