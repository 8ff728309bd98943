// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "unit/sandbox/aws/sqs_bench.h"

namespace ferryman::sandbox::test {
namespace {

class SqsQueryProtocol : public ::testing::Test {
 protected:
  SqsBench bench;
};

TEST_F(SqsQueryProtocol, MessageGoesThroughItsWholeLife) {
  const auto sent = bench.form("SendMessage", {{"MessageBody", "x < \xC3\xB6 & y"}});
  EXPECT_EQ(sent.headers.get("Content-Type"), "text/xml;charset=UTF-8");
  EXPECT_EQ(xml_at(sent, "/SendMessageResponse/SendMessageResult/MD5OfMessageBody"),
            "c562eee75404ec32162dc222105969e1");
  const auto got = bench.form("ReceiveMessage", {{"AttributeName.1", "All"}, {"MaxNumberOfMessages", "10"}});
  const std::string message = "/ReceiveMessageResponse/ReceiveMessageResult/Message";
  EXPECT_EQ(xml_at(got, (message + "/Body").c_str()), "x < \xC3\xB6 & y");
  EXPECT_EQ(xml_at(got, (message + "/Attribute[Name='ApproximateReceiveCount']/Value").c_str()), "1");
  const std::string receipt = xml_at(got, (message + "/ReceiptHandle").c_str());
  const auto deleted = bench.form("DeleteMessage", {{"ReceiptHandle", receipt}});
  EXPECT_EQ(deleted.status, 200);
  EXPECT_EQ(xml_at(deleted, "/DeleteMessageResponse/DeleteMessageResult"), "none");
  EXPECT_NE(xml_at(deleted, "/DeleteMessageResponse/ResponseMetadata/RequestId"), "none");
  EXPECT_TRUE(bench.receive().empty());
}

TEST_F(SqsQueryProtocol, QueueMayBeNamedByThePath) {
  net::HttpRequest request("POST", SqsBench::url);
  request.headers.add("Content-Type", "application/x-www-form-urlencoded");
  request.body = "Action=SendMessage&Version=2012-11-05&MessageBody=by+path";
  EXPECT_EQ(bench.send(std::move(request)).status, 200);
  EXPECT_EQ(string_at(bench.receive().at(0), "Body"), "by path");
}

TEST_F(SqsQueryProtocol, CarriageReturnsSurvive) {
  bench.form("SendMessage", {{"MessageBody", "a\r\nb"}});
  EXPECT_EQ(xml_at(bench.form("ReceiveMessage"), "//Body"), "a\r\nb");
}

TEST_F(SqsQueryProtocol, EmptyReceiveHasAnEmptyResult) {
  const auto got = bench.form("ReceiveMessage");
  EXPECT_EQ(xml_at(got, "/ReceiveMessageResponse/ReceiveMessageResult"), "");
}

TEST_F(SqsQueryProtocol, AttributesAreFlatPairs) {
  bench.form("SetQueueAttributes", {{"Attribute.1.Name", "VisibilityTimeout"}, {"Attribute.1.Value", "77"}});
  const auto got = bench.form("GetQueueAttributes", {{"AttributeName.1", "VisibilityTimeout"}});
  EXPECT_EQ(xml_at(got, "//GetQueueAttributesResult/Attribute[Name='VisibilityTimeout']/Value"), "77");
  EXPECT_EQ(xml_count(got, "//Attribute"), 1U);
}

TEST_F(SqsQueryProtocol, MessageAttributesKeepTheirTypes) {
  bench.form("SendMessage", {{"MessageBody", "m"},
                             {"MessageAttribute.1.Name", "team"},
                             {"MessageAttribute.1.Value.StringValue", "payments"},
                             {"MessageAttribute.1.Value.DataType", "String"}});
  const auto got = bench.form("ReceiveMessage", {{"MessageAttributeName.1", "All"}});
  EXPECT_EQ(xml_at(got, "//MessageAttribute[Name='team']/Value/StringValue"), "payments");
  EXPECT_EQ(xml_at(got, "//MessageAttribute[Name='team']/Value/DataType"), "String");
  EXPECT_EQ(xml_at(got, "//MD5OfMessageAttributes"), "5e4eb369c1b8bb01fd6ab7869e9269b5");
}

TEST_F(SqsQueryProtocol, BatchSaysForEachEntryHowItWent) {
  const auto sent = bench.form("SendMessageBatch", {{"SendMessageBatchRequestEntry.1.Id", "good"},
                                                    {"SendMessageBatchRequestEntry.1.MessageBody", "m"},
                                                    {"SendMessageBatchRequestEntry.2.Id", "bad"},
                                                    {"SendMessageBatchRequestEntry.2.MessageBody", ""}});
  EXPECT_EQ(xml_at(sent, "//SendMessageBatchResult/SendMessageBatchResultEntry/Id"), "good");
  EXPECT_EQ(xml_at(sent, "//SendMessageBatchResult/BatchResultErrorEntry/Id"), "bad");
  EXPECT_EQ(xml_at(sent, "//BatchResultErrorEntry/Code"), "MissingParameter");
  EXPECT_EQ(xml_at(sent, "//BatchResultErrorEntry/SenderFault"), "true");
}

TEST_F(SqsQueryProtocol, RefusalsHaveTheQueryProtocolsForm) {
  const auto answer = bench.query("2012-11-05", "GetQueueUrl", {{"QueueName", "none"}});
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(xml_at(answer, "/ErrorResponse/Error/Code"), "AWS.SimpleQueueService.NonExistentQueue");
  EXPECT_EQ(xml_at(answer, "/ErrorResponse/Error/Type"), "Sender");
  EXPECT_FALSE(answer.headers.has("x-amzn-query-error"));
}

TEST_F(SqsQueryProtocol, BytesThatAreNoUtf8AreRefused) {
  const auto answer = bench.form("SendMessage", {{"MessageBody", "a\xFFz"}});
  EXPECT_EQ(xml_at(answer, "//Code"), "InvalidMessageContents");
}

TEST_F(SqsQueryProtocol, QueuesAreListed) {
  bench.sqs("CreateQueue", {{"QueueName", "q2"}});
  const auto listed = bench.query("2012-11-05", "ListQueues", {{"QueueNamePrefix", "q"}});
  EXPECT_EQ(xml_count(listed, "//ListQueuesResult/QueueUrl"), 2U);
  EXPECT_EQ(xml_at(listed, "//QueueUrl"), SqsBench::url);
}

}  // namespace
}  // namespace ferryman::sandbox::test
