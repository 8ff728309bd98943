// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/sqs_message_calls.h"

#include <fmt/format.h>

#include "base/ids.h"
#include "base/json.h"
#include "sandbox/aws/sqs_batch.h"
#include "sandbox/aws/sqs_messages.h"
#include "sandbox/aws/sqs_refusals.h"

namespace ferryman::sandbox {

namespace {

constexpr sqs::Number most_messages{"MaxNumberOfMessages", 1, 10, 1};

std::int64_t in_seconds(Duration duration) {
  return std::chrono::duration_cast<std::chrono::seconds>(duration).count();
}

/// Whom an event that a client sends is about: the journal's reader wants to know. Empty for other texts.
std::string instance_in(std::string_view body) {
  const auto event = parse_json(body);
  if (!event) return {};
  const json::value* detail = find(*event, "detail");
  for (const std::string_view found : {string_at(detail, "EC2InstanceId"), string_at(detail, "instance-id"),
                                       string_at(*event, "EC2InstanceId")}) {
    if (parse_instance_id(found)) return std::string(found);
  }
  return {};
}

/// SendMessage's answer; its details are a batch entry's too.
Result<json::object> send_one(Queue& queue, const json::value& request) {
  auto delay = sqs::read_number(request, {"DelaySeconds", 0, 900, in_seconds(queue.settings.delay)});
  if (!delay) return std::move(delay).error();
  auto message = sqs::read_message(request, queue.settings.largest_message);
  if (!message) return std::move(message).error();
  message->system["SenderId"] = "AIDAFERRYMANSANDBOX";
  json::object answer{{"MD5OfMessageBody", sqs::md5_hex(message->body)}};
  const std::string md5 = sqs::md5_of_attributes(message->attributes);
  if (!md5.empty()) answer["MD5OfMessageAttributes"] = md5;
  const auto trace = message->system.find("AWSTraceHeader");
  if (trace != message->system.end()) {
    answer["MD5OfMessageSystemAttributes"] = sqs::md5_of_attributes(
        {{"AWSTraceHeader", {{"DataType", "String"}, {"StringValue", trace->second}}}});
  }
  std::map<std::string, std::string> about;
  const std::string instance = instance_in(message->body);
  if (!instance.empty()) about["instance"] = instance;
  answer["MessageId"] = queue.send(std::move(*message), std::chrono::seconds{*delay}, about);
  return answer;
}

Result<ReceiptAnswer> remove_one(Queue& queue, const json::value& request) {
  const std::string_view receipt = string_at(request, "ReceiptHandle");
  if (receipt.empty()) return sqs::missing_parameter("ReceiptHandle");
  const ReceiptAnswer removed = queue.remove(receipt);
  if (removed.kind == ReceiptAnswer::Kind::invalid) return sqs::bad_receipt(receipt);
  return removed;
}

Result<ReceiptAnswer> change_one(Queue& queue, const json::value& request) {
  const std::string_view receipt = string_at(request, "ReceiptHandle");
  if (receipt.empty()) return sqs::missing_parameter("ReceiptHandle");
  if (find(request, "VisibilityTimeout") == nullptr) return sqs::missing_parameter("VisibilityTimeout");
  auto hidden = sqs::read_number(request, {"VisibilityTimeout", 0, 43'200, 0});
  if (!hidden) return std::move(hidden).error();
  const ReceiptAnswer changed = queue.change_visibility(receipt, std::chrono::seconds{*hidden});
  switch (changed.kind) {
    case ReceiptAnswer::Kind::ok:
      return changed;
    case ReceiptAnswer::Kind::invalid:
      return sqs::bad_receipt(receipt);
    case ReceiptAnswer::Kind::not_in_flight:
      return sqs::prefixed("MessageNotInflight", "The specified message isn't in flight.");
    case ReceiptAnswer::Kind::too_long:
      return sqs::bad_value(fmt::format(
          "Value {} for parameter VisibilityTimeout is invalid. Reason: Total VisibilityTimeout for the "
          "message is beyond the limit [43200 seconds].",
          *hidden));
    case ReceiptAnswer::Kind::stale:
      break;
  }
  return sqs::bad_value(fmt::format(
      "Value {} for parameter ReceiptHandle is invalid. Reason: Message does not exist or is not available "
      "for visibility timeout change.",
      receipt));
}

}  // namespace

SqsMessageCalls::Answer SqsMessageCalls::send(AwsCall& call, Queue& queue, const json::value& body) {
  auto sent = send_one(queue, body);
  if (!sent) return std::move(sent).error();
  call.subject = sent->at("MessageId").as_string();
  return json::value(std::move(*sent));
}

SqsMessageCalls::Answer SqsMessageCalls::send_batch(AwsCall& /*call*/, Queue& queue,
                                                    const json::value& body) {
  auto entries = sqs::read_entries(body, "SendMessageBatchRequestEntry");
  if (!entries) return std::move(entries).error();
  std::size_t size = 0;
  for (const json::value& entry : *entries) size += string_at(entry, "MessageBody").size();
  if (size > queue.settings.largest_message) {
    return sqs::prefixed("BatchRequestTooLong",
                         fmt::format("Batch requests cannot be longer than {} bytes. You have sent {} bytes.",
                                     queue.settings.largest_message, size));
  }
  sqs::BatchAnswer answer;
  for (const json::value& entry : *entries) {
    auto sent = send_one(queue, entry);
    if (sent) {
      answer.succeed(entry, std::move(*sent));
    } else {
      answer.fail(entry, sent.error());
    }
  }
  return answer.value();
}

Task<SqsMessageCalls::Answer> SqsMessageCalls::receive(AwsCall& call, Queue& queue, const json::value& body) {
  const QueueSettings& usual = queue.settings;
  FERRYMAN_TRY(most, sqs::read_number(body, most_messages));
  FERRYMAN_TRY(wait, sqs::read_number(body, {"WaitTimeSeconds", 0, 20, in_seconds(usual.receive_wait)}));
  FERRYMAN_TRY(
      hidden, sqs::read_number(body, {"VisibilityTimeout", 0, 43'200, in_seconds(usual.visibility_timeout)}));
  const auto messages = co_await queue.receive(static_cast<std::size_t>(most), std::chrono::seconds{wait},
                                               std::chrono::seconds{hidden});
  if (messages.empty()) co_return json::value(json::object());
  json::array list;
  std::string ids;
  for (const QueueMessage& message : messages) {
    list.emplace_back(sqs::received_message(message, body));
    ids += (ids.empty() ? "" : ",") + message.id;
  }
  call.subject = messages.front().id;
  call.details["messages"] = ids;
  co_return json::value(json::object{{"Messages", list}});
}

SqsMessageCalls::Answer SqsMessageCalls::remove(AwsCall& call, Queue& queue, const json::value& body) {
  auto removed = remove_one(queue, body);
  if (!removed) return std::move(removed).error();
  call.subject = removed->message_id;
  call.details["deleted"] = removed->kind == ReceiptAnswer::Kind::ok ? "true" : "false";
  return json::value(json::object());
}

SqsMessageCalls::Answer SqsMessageCalls::remove_batch(AwsCall& call, Queue& queue, const json::value& body) {
  auto entries = sqs::read_entries(body, "DeleteMessageBatchRequestEntry");
  if (!entries) return std::move(entries).error();
  sqs::BatchAnswer answer;
  for (const json::value& entry : *entries) {
    const auto removed = remove_one(queue, entry);
    if (!removed) {
      answer.fail(entry, removed.error());
      continue;
    }
    answer.succeed(entry);
    if (removed->kind == ReceiptAnswer::Kind::ok)
      journal_.fact("message.deleted", removed->message_id,
                    {{"queue", queue.name()}, {"caller", call.caller_arn}});
  }
  return answer.value();
}

SqsMessageCalls::Answer SqsMessageCalls::change_visibility(AwsCall& call, Queue& queue,
                                                           const json::value& body) {
  auto changed = change_one(queue, body);
  if (!changed) return std::move(changed).error();
  call.subject = changed->message_id;
  call.details["timeout"] = std::to_string(*sqs::read_number(body, {"VisibilityTimeout", 0, 43'200, 0}));
  return json::value(json::object());
}

SqsMessageCalls::Answer SqsMessageCalls::change_visibility_batch(AwsCall& /*call*/, Queue& queue,
                                                                 const json::value& body) {
  auto entries = sqs::read_entries(body, "ChangeMessageVisibilityBatchRequestEntry");
  if (!entries) return std::move(entries).error();
  sqs::BatchAnswer answer;
  for (const json::value& entry : *entries) {
    const auto changed = change_one(queue, entry);
    if (!changed) {
      answer.fail(entry, changed.error());
      continue;
    }
    answer.succeed(entry);
    const auto timeout = sqs::read_number(entry, {"VisibilityTimeout", 0, 43'200, 0});
    journal_.fact("message.hidden", changed->message_id,
                  {{"queue", queue.name()}, {"timeout", std::to_string(*timeout)}});
  }
  return answer.value();
}

}  // namespace ferryman::sandbox
