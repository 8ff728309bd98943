// SPDX-License-Identifier: Apache-2.0
#include "aws/sqs.h"

#include <gtest/gtest.h>

#include "aws/message_queue.h"
#include "unit/aws/world.h"

namespace ferryman::aws {
namespace {

using std::chrono::seconds;
using test::World;

constexpr const char* queue_url = "https://sqs.us-west-2.amazonaws.com/123456789012/nodes";

class SqsWorld : public World {
 public:
  SqsWorld() : World(Service::sqs) {}

  Result<std::vector<termination::Message>> receive() {
    return sim.run(queue.receive(10, seconds{20}, seconds{30}, soon()));
  }

  Sqs sqs{*client};
  SqsMessageQueue queue{sqs, sim.clock, queue_url};
};

TEST(Sqs, ReceiveSaysExactlyThis) {
  SqsWorld world;
  ASSERT_TRUE(world.receive().ok());
  const net::HttpRequest& sent = world.last();
  EXPECT_EQ(sent.method, "POST");
  EXPECT_EQ(sent.url, "https://aws.test/");
  EXPECT_EQ(sent.headers.get("Content-Type"), "application/x-amz-json-1.0");
  EXPECT_EQ(sent.headers.get("X-Amz-Target"), "AmazonSQS.ReceiveMessage");
  EXPECT_EQ(sent.headers.get("X-Amz-Date"), "20260301T120000Z");
  EXPECT_EQ(sent.headers.get("X-Amz-Security-Token"), "thesessiontoken");
  EXPECT_TRUE(
      sent.headers.get("Authorization")
          .starts_with("AWS4-HMAC-SHA256 Credential=AKIDFIXED/20260301/us-west-2/sqs/aws4_request, "
                       "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, "));
  EXPECT_EQ(
      sent.body,
      R"({"QueueUrl":"https://sqs.us-west-2.amazonaws.com/123456789012/nodes","MaxNumberOfMessages":10,)"
      R"("WaitTimeSeconds":20,"VisibilityTimeout":30,"AttributeNames":["ApproximateReceiveCount"],)"
      R"("MessageSystemAttributeNames":["ApproximateReceiveCount"]})");
}

TEST(Sqs, AReceivedMessageIsReadInFull) {
  SqsWorld world;
  world.remote.answer(200, R"({"Messages":[{"MessageId":"m-1","ReceiptHandle":"r-1","MD5OfBody":"x",)"
                           R"("Body":"{\"a\":\"ö\"}","Attributes":{"ApproximateReceiveCount":"7"}}]})");
  const auto messages = world.receive();
  ASSERT_TRUE(messages.ok()) << messages.error().text;
  ASSERT_EQ(messages->size(), 1U);
  EXPECT_EQ((*messages)[0].id, "m-1");
  EXPECT_EQ((*messages)[0].receipt_handle, "r-1");
  EXPECT_EQ((*messages)[0].body, "{\"a\":\"ö\"}");
  EXPECT_EQ((*messages)[0].receive_count, 7);
}

TEST(Sqs, BothFormsOfAnEmptyReceiveAreEmpty) {
  for (const char* body : {"{}", R"({"Messages":[]})", R"({"Messages":null})"}) {
    SqsWorld world;
    world.remote.answer(200, body);
    const auto messages = world.receive();
    ASSERT_TRUE(messages.ok()) << body << messages.error().text;
    EXPECT_TRUE(messages->empty());
  }
}

TEST(Sqs, MessagesWithHolesNeverCrash) {
  SqsWorld world;
  world.remote.answer(200,
                      R"({"Messages":[{"ReceiptHandle":"r-1"},{"MessageId":"m-2","Body":"b"},7,null,"x",[],)"
                      R"({"MessageId":3,"ReceiptHandle":"r-3","Body":4,)"
                      R"("Attributes":{"ApproximateReceiveCount":"many"}}]})");
  const auto messages = world.receive();
  ASSERT_TRUE(messages.ok()) << messages.error().text;
  ASSERT_EQ(messages->size(), 2U);
  EXPECT_EQ((*messages)[0].receipt_handle, "r-1");
  EXPECT_EQ((*messages)[0].body, "");
  EXPECT_EQ((*messages)[1].receipt_handle, "r-3");
  EXPECT_EQ((*messages)[1].receive_count, 1);
  EXPECT_EQ(world.sim.logs.with("sqs.messages_unusable count=5").size(), 1U);
}

TEST(Sqs, GarbageForAReceiveIsAnError) {
  for (const char* body : {"", "[", "[]", "7", "<html>", R"({"Messages":)", R"({"Messages":7})",
                           R"({"Messages":{}})", "{\"Messages\":[]}trailing", "\xff\xfe"}) {
    SqsWorld world;
    world.remote.answer(200, body);
    const auto messages = world.receive();
    ASSERT_FALSE(messages.ok()) << body;
    EXPECT_EQ(messages.error().fault, Fault::unexpected) << body;
    EXPECT_TRUE(messages.error().text.starts_with("reading the answer of sqs ReceiveMessage: ")) << body;
    EXPECT_EQ(world.counted().errors[Fault::unexpected].value(), 1U);
  }
}

TEST(Sqs, ALongPollMayTakeAsLongAsItAsksFor) {
  SqsWorld world;
  world.remote.delay = seconds{25};
  EXPECT_TRUE(world.receive().ok());
}

TEST(Sqs, ALongPollThatHangsEndsTenSecondsAfterItsWait) {
  SqsWorld world;
  world.remote.delay = seconds{3600};
  const SteadyTime started = world.sim.clock.now();
  const auto messages = world.receive();
  ASSERT_FALSE(messages.ok());
  EXPECT_EQ(messages.error().fault, Fault::deadline);
  EXPECT_EQ(world.sim.clock.now() - started, seconds{30});
  EXPECT_EQ(world.remote.requests.size(), 1U);
}

TEST(Sqs, TheWaitIsCutToWhatTheDeadlineLeaves) {
  SqsWorld world;
  ASSERT_TRUE(world.sim.run(world.queue.receive(99, seconds{99}, seconds{30}, world.in(seconds{12}))).ok());
  EXPECT_NE(world.last().body.find(R"("MaxNumberOfMessages":10,"WaitTimeSeconds":10,)"), std::string::npos);
  ASSERT_TRUE(world.sim.run(world.queue.receive(0, seconds{-5}, seconds{30}, world.in(seconds{1}))).ok());
  EXPECT_NE(world.last().body.find(R"("MaxNumberOfMessages":1,"WaitTimeSeconds":0,)"), std::string::npos);
}

TEST(Sqs, DeleteNamesTheReceiptHandle) {
  SqsWorld world;
  world.remote.answer(200, "");
  ASSERT_TRUE(world.sim.run(world.queue.remove("r\"1", world.soon())).ok());
  EXPECT_EQ(world.last().headers.get("X-Amz-Target"), "AmazonSQS.DeleteMessage");
  EXPECT_EQ(
      world.last().body,
      R"({"QueueUrl":"https://sqs.us-west-2.amazonaws.com/123456789012/nodes","ReceiptHandle":"r\"1"})");
}

TEST(Sqs, DeletingWhatIsGoneIsASuccess) {
  SqsWorld world;
  world.remote.answer(400,
                      R"({"__type":"com.amazonaws.sqs#ReceiptHandleIsInvalid","message":"The receipt…"})");
  EXPECT_TRUE(world.sim.run(world.queue.remove("r-1", world.soon())).ok());
}

TEST(Sqs, DeletingFromAQueueThatIsGoneIsNotFound) {
  for (const auto& [type, query] :
       {std::pair{"com.amazonaws.sqs#QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue;Sender"},
        std::pair{"com.amazonaws.sqs#QueueDoesNotExist", ""}}) {
    SqsWorld world;
    world.remote.answer(400, std::string(R"({"__type":")") + type + R"(","message":"no queue"})",
                        "x-amzn-query-error", query);
    const auto removed = world.sim.run(world.queue.remove("r-1", world.soon()));
    ASSERT_FALSE(removed.ok());
    EXPECT_EQ(removed.error().fault, Fault::not_found);
    EXPECT_EQ(removed.error().code, *query != '\0' ? "NonExistentQueue" : "QueueDoesNotExist");
  }
}

TEST(Sqs, VisibilityIsInWholeSecondsAndMayBeZero) {
  SqsWorld world;
  world.remote.answer(200, "");
  ASSERT_TRUE(world.sim.run(world.queue.set_visibility("r-1", seconds{0}, world.soon())).ok());
  EXPECT_EQ(world.last().headers.get("X-Amz-Target"), "AmazonSQS.ChangeMessageVisibility");
  EXPECT_EQ(world.last().body, R"({"QueueUrl":"https://sqs.us-west-2.amazonaws.com/123456789012/nodes",)"
                               R"("ReceiptHandle":"r-1","VisibilityTimeout":0})");
  ASSERT_TRUE(world.sim.run(world.queue.set_visibility("r-1", seconds{99'999}, world.soon())).ok());
  EXPECT_NE(world.last().body.find(R"("VisibilityTimeout":43200})"), std::string::npos);
}

TEST(Sqs, AStaleHandleCannotChangeVisibility) {
  SqsWorld world;
  world.remote.answer(400, R"({"__type":"com.amazonaws.sqs#MessageNotInflight","message":"gone"})");
  const auto set = world.sim.run(world.queue.set_visibility("r-1", seconds{1}, world.soon()));
  ASSERT_FALSE(set.ok());
  EXPECT_EQ(set.error().fault, Fault::invalid);
}

TEST(Sqs, ReceiptHandlesAndBodiesAreNotLogged) {
  SqsWorld world;
  world.remote.answer(200,
                      R"({"Messages":[{"MessageId":"m-1","ReceiptHandle":"the-handle","Body":"the-body"}]})");
  ASSERT_TRUE(world.receive().ok());
  ASSERT_TRUE(world.sim.run(world.queue.remove("the-handle", world.soon())).ok());
  EXPECT_TRUE(world.sim.logs.with("the-handle").empty());
  EXPECT_TRUE(world.sim.logs.with("the-body").empty());
  EXPECT_EQ(world.sim.logs.with("aws.call service=sqs operation=DeleteMessage status=200").size(), 1U);
}

}  // namespace
}  // namespace ferryman::aws
