// SPDX-License-Identifier: Apache-2.0
// SqsBench: a queue "q", called in both of SQS's protocols.
#pragma once

#include <string>

#include "unit/sandbox/aws/aws_bench.h"

namespace ferryman::sandbox::test {

class SqsBench : public AwsBench {
 public:
  static constexpr const char* url = "http://aws.sandbox/123456789012/q";

  SqsBench() { sqs("CreateQueue", {{"QueueName", "q"}}); }

  static std::string url_of(const std::string& queue) { return "http://aws.sandbox/123456789012/" + queue; }

  /// The JSON protocol, on the queue.
  net::HttpResponse call(const std::string& operation, json::object more = {}) {
    if (!more.contains("QueueUrl")) more["QueueUrl"] = url;
    return sqs(operation, more);
  }
  json::value answer(const std::string& operation, json::object more = {}) {
    return *parse_json(call(operation, std::move(more)).body);
  }
  /// "InvalidParameterValue": the query protocol's code of a refusal; "ok" for a success.
  std::string refusal(const std::string& operation, json::object more = {}) {
    const net::HttpResponse response = call(operation, std::move(more));
    if (response.status == 200) return "ok";
    const std::string header(response.headers.get("x-amzn-query-error"));
    return header.substr(0, header.find(';'));
  }

  std::string send_text(const std::string& body = "hello") {
    return std::string(string_at(answer("SendMessage", {{"MessageBody", body}}), "MessageId"));
  }
  json::array receive(json::object more = {}) {
    more["MaxNumberOfMessages"] = 10;
    const json::value got = answer("ReceiveMessage", std::move(more));
    const json::array* messages = array_at(&got, "Messages");
    return messages == nullptr ? json::array() : *messages;
  }
  static std::string receipt_of(const json::value& message) {
    return std::string(string_at(message, "ReceiptHandle"));
  }

  /// The query protocol, on the queue.
  net::HttpResponse form(const std::string& action, net::QueryParameters more = {}) {
    more.emplace_back("QueueUrl", url);
    return query("2012-11-05", action, std::move(more));
  }
};

}  // namespace ferryman::sandbox::test
