// SPDX-License-Identifier: Apache-2.0
#include "aws/sqs.h"

#include <gtest/gtest.h>

#include "unit/aws/sqs_world.h"

namespace ferryman::aws {
namespace {

using std::chrono::seconds;
using test::SqsWorld;

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

TEST(Sqs, OneDeleteNamesAllReceiptHandles) {
  SqsWorld world;
  world.remote.answer(200, R"({"Successful":[{"Id":"0"},{"Id":"1"}],"Failed":[]})");
  const auto removed = world.remove({"r\"1", "r-2"});
  ASSERT_EQ(removed.size(), 2U);
  EXPECT_TRUE(removed[0].ok() && removed[1].ok());
  EXPECT_EQ(world.last().headers.get("X-Amz-Target"), "AmazonSQS.DeleteMessageBatch");
  EXPECT_EQ(world.last().body,
            R"({"QueueUrl":"https://sqs.us-west-2.amazonaws.com/123456789012/nodes",)"
            R"("Entries":[{"ReceiptHandle":"r\"1","Id":"0"},{"ReceiptHandle":"r-2","Id":"1"}]})");
}

TEST(Sqs, EachEntryOfABatchHasItsOwnResult) {
  SqsWorld world;
  world.remote.answer(
      200, R"({"Successful":[{"Id":"2"}],"Failed":[)"
           R"({"Id":"0","SenderFault":true,"Code":"InvalidParameterValue","Message":"not in flight"},)"
           R"({"Id":"3","SenderFault":false,"Code":"InternalError","Message":"try again"},)"
           R"({"Id":"4","SenderFault":true,"Code":"RequestThrottled","Message":"slow down"}]})");
  const auto removed = world.remove({"a", "b", "c", "d", "e"});
  ASSERT_EQ(removed.size(), 5U);
  ASSERT_FALSE(removed[0].ok());
  EXPECT_EQ(removed[0].error().fault, Fault::invalid);
  EXPECT_EQ(removed[0].error().code, "InvalidParameterValue");
  EXPECT_EQ(removed[0].error().text, "calling sqs DeleteMessageBatch: InvalidParameterValue: not in flight");
  ASSERT_FALSE(removed[1].ok());  // the answer forgot it
  EXPECT_EQ(removed[1].error().fault, Fault::unexpected);
  EXPECT_TRUE(removed[2].ok());
  ASSERT_FALSE(removed[3].ok());
  EXPECT_EQ(removed[3].error().fault, Fault::unexpected);
  ASSERT_FALSE(removed[4].ok());
  EXPECT_EQ(removed[4].error().fault, Fault::throttled);
}

TEST(Sqs, ABatchThatFailsAsAWholeFailsForEachEntry) {
  SqsWorld world;
  world.remote.answer(403, R"({"__type":"com.amazon.coral.service#AccessDeniedException","Message":"no"})");
  const auto hidden = world.hide({{"a", seconds{0}}, {"b", seconds{1}}});
  ASSERT_EQ(hidden.size(), 2U);
  for (const auto& one : hidden) {
    ASSERT_FALSE(one.ok());
    EXPECT_EQ(one.error().fault, Fault::denied);
  }
}

TEST(Sqs, GarbageForABatchFailsForEachEntryAndNeverCrashes) {
  for (const char* body :
       {"", "[]", "7", R"({"Successful":7,"Failed":"x"})", R"({"Successful":[7,null,{}],"Failed":[[]]})",
        R"({"Successful":[{"Id":"7"},{"Id":"-1"},{"Id":"0x"},{"Id":"99999999999999999999"}]})"}) {
    SqsWorld world;
    world.remote.answer(200, body);
    const auto removed = world.remove({"a", "b"});
    ASSERT_EQ(removed.size(), 2U) << body;
    for (const auto& one : removed) {
      ASSERT_FALSE(one.ok()) << body;
      EXPECT_EQ(one.error().fault, Fault::unexpected) << body;
    }
  }
}

TEST(Sqs, ABatchOfNothingCostsNoCall) {
  SqsWorld world;
  EXPECT_TRUE(world.remove({}).empty());
  EXPECT_TRUE(world.hide({}).empty());
  EXPECT_TRUE(world.remote.requests.empty());
}

TEST(Sqs, DeletingWhatIsGoneIsASuccess) {
  SqsWorld world;
  world.remote.answer(200, R"({"Failed":[{"Id":"0","SenderFault":true,"Code":"ReceiptHandleIsInvalid"}]})");
  EXPECT_TRUE(world.remove({"r-1"}).front().ok());
}

TEST(Sqs, DeletingFromAQueueThatIsGoneIsNotFound) {
  for (const auto& [type, query] :
       {std::pair{"com.amazonaws.sqs#QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue;Sender"},
        std::pair{"com.amazonaws.sqs#QueueDoesNotExist", ""}}) {
    SqsWorld world;
    world.remote.answer(400, std::string(R"({"__type":")") + type + R"(","message":"no queue"})",
                        "x-amzn-query-error", query);
    const auto removed = world.remove({"r-1"}).front();
    ASSERT_FALSE(removed.ok());
    EXPECT_EQ(removed.error().fault, Fault::not_found);
    EXPECT_EQ(removed.error().code, *query != '\0' ? "NonExistentQueue" : "QueueDoesNotExist");
  }
}

TEST(Sqs, VisibilityIsInWholeSecondsAndMayBeZero) {
  SqsWorld world;
  world.remote.answer(200, R"({"Successful":[{"Id":"0"},{"Id":"1"}]})");
  const auto hidden = world.hide({{"r-1", seconds{0}}, {"r-2", seconds{99'999}}});
  ASSERT_EQ(hidden.size(), 2U);
  EXPECT_TRUE(hidden[0].ok() && hidden[1].ok());
  EXPECT_EQ(world.last().headers.get("X-Amz-Target"), "AmazonSQS.ChangeMessageVisibilityBatch");
  EXPECT_EQ(world.last().body, R"({"QueueUrl":"https://sqs.us-west-2.amazonaws.com/123456789012/nodes",)"
                               R"("Entries":[{"ReceiptHandle":"r-1","VisibilityTimeout":0,"Id":"0"},)"
                               R"({"ReceiptHandle":"r-2","VisibilityTimeout":43200,"Id":"1"}]})");
}

TEST(Sqs, AStaleHandleCannotChangeVisibility) {
  SqsWorld world;
  world.remote.answer(
      200, R"({"Failed":[{"Id":"0","SenderFault":true,"Code":"MessageNotInflight","Message":""}]})");
  const auto set = world.hide({{"r-1", seconds{1}}}).front();
  ASSERT_FALSE(set.ok());
  EXPECT_EQ(set.error().fault, Fault::invalid);
}

TEST(Sqs, ReceiptHandlesAndBodiesAreNotLogged) {
  SqsWorld world;
  world.remote.answer(200,
                      R"({"Messages":[{"MessageId":"m-1","ReceiptHandle":"the-handle","Body":"the-body"}]})");
  ASSERT_TRUE(world.receive().ok());
  world.remove({"the-handle"});
  EXPECT_TRUE(world.sim.logs.with("the-handle").empty());
  EXPECT_TRUE(world.sim.logs.with("the-body").empty());
  EXPECT_EQ(world.sim.logs.with("aws.call service=sqs operation=DeleteMessageBatch status=200").size(), 1U);
}

}  // namespace
}  // namespace ferryman::aws
