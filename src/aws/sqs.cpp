// SPDX-License-Identifier: Apache-2.0
#include "aws/sqs.h"

#include <boost/json/serialize.hpp>
#include <charconv>

#include "base/json.h"

namespace ferryman::aws {

namespace {

Error not_as_expected(std::string what) {
  return Error(Fault::unexpected, std::move(what));
}

Result<json::value> parse_object(std::string_view body) {
  auto document =
      parse_json(body, JsonText::any_bytes);  // bodies are strangers': one must not hide the others
  if (!document) return not_as_expected(document.error().text);
  if (!document->is_object()) return not_as_expected("the answer is no JSON object");
  return document;
}

/// SQS writes numbers as strings.
int receive_count_of(const json::value& message) {
  const std::string_view text = string_at(find(message, "Attributes"), "ApproximateReceiveCount");
  int count = 1;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), count);
  return parsed.ec == std::errc() && count > 0 ? count : 1;
}

Call call_for(std::string operation, const json::object& parameters) {
  Call call;
  call.operation = std::move(operation);
  call.body = json::serialize(parameters);
  return call;
}

}  // namespace

Result<std::vector<termination::Message>> parse_messages(std::string_view body, int& dropped) {
  auto document = parse_object(body);
  if (!document) return std::move(document).error();
  std::vector<termination::Message> messages;
  const json::value* list = find(*document, "Messages");
  if (list == nullptr || list->is_null()) return messages;
  if (!list->is_array()) return not_as_expected("the answer's Messages is no list");
  for (const json::value& entry : list->get_array()) {
    termination::Message message;
    message.id = string_at(entry, "MessageId");
    message.receipt_handle = string_at(entry, "ReceiptHandle");
    message.body = string_at(entry, "Body");
    message.receive_count = receive_count_of(entry);
    if (message.receipt_handle.empty()) {
      ++dropped;
    } else {
      messages.push_back(std::move(message));
    }
  }
  return messages;
}

Task<Result<std::vector<termination::Message>>> Sqs::receive_message(Receive what, Deadline deadline) {
  json::object parameters;
  parameters["QueueUrl"] = what.queue_url;
  parameters["MaxNumberOfMessages"] = what.most;
  parameters["WaitTimeSeconds"] = what.wait.count();
  parameters["VisibilityTimeout"] = what.visibility.count();
  // AttributeNames is the old name; emulators know one or the other, SQS both.
  parameters["AttributeNames"] = json::array({"ApproximateReceiveCount"});
  parameters["MessageSystemAttributeNames"] = json::array({"ApproximateReceiveCount"});
  Call call = call_for("ReceiveMessage", parameters);
  call.extra_time = what.wait;
  call.retried = false;  // a second long poll would outlast the deadline, and hide what nobody hears of
  call.max_answer_bytes = limits::sqs_answer_bytes;
  FERRYMAN_TRY(body, co_await client_.send(call, deadline));
  int dropped = 0;
  auto messages = parse_messages(body, dropped);
  if (!messages) co_return client_.misread(call, messages.error());
  if (dropped > 0) client_.context().log.warn("sqs.messages_unusable", {{"count", dropped}});
  co_return messages;
}

Task<Result<void>> Sqs::delete_message(std::string queue_url, std::string receipt_handle, Deadline deadline) {
  json::object parameters;
  parameters["QueueUrl"] = queue_url;
  parameters["ReceiptHandle"] = receipt_handle;
  auto answer = co_await client_.send(call_for("DeleteMessage", parameters), deadline);
  co_return answer ? Result<void>() : Result<void>(std::move(answer).error());
}

Task<Result<void>> Sqs::change_message_visibility(std::string queue_url, std::string receipt_handle,
                                                  std::chrono::seconds visibility, Deadline deadline) {
  json::object parameters;
  parameters["QueueUrl"] = queue_url;
  parameters["ReceiptHandle"] = receipt_handle;
  parameters["VisibilityTimeout"] = visibility.count();
  auto answer = co_await client_.send(call_for("ChangeMessageVisibility", parameters), deadline);
  co_return answer ? Result<void>() : Result<void>(std::move(answer).error());
}

}  // namespace ferryman::aws
