// SPDX-License-Identifier: Apache-2.0
#include "aws/sqs.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <charconv>
#include <limits>

#include "aws/error_reply.h"
#include "aws/queue_address.h"
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

/// SQS writes numbers as strings, and inside a redrive policy as either.
std::optional<std::int64_t> number_at(const json::value* parent, std::string_view key) {
  if (const auto number = integer_at(parent, key)) return number;
  const std::string_view text = string_at(parent, key);
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  return whole ? std::optional<std::int64_t>(number) : std::nullopt;
}

int receive_count_of(const json::value& message) {
  const auto count = number_at(find(message, "Attributes"), "ApproximateReceiveCount");
  return count && *count > 0 && *count <= std::numeric_limits<int>::max() ? static_cast<int>(*count) : 1;
}

Call call_for(std::string operation, const json::object& parameters) {
  Call call;
  call.operation = std::move(operation);
  call.body = json::serialize(parameters);
  return call;
}

Call batch_call(std::string operation, const std::string& queue_url, json::array entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i].as_object()["Id"] = std::to_string(i);
  json::object parameters;
  parameters["QueueUrl"] = queue_url;
  parameters["Entries"] = std::move(entries);
  return call_for(std::move(operation), parameters);
}

/// As if the entry had been a call of its own.
Error entry_error(const json::value& failed) {
  const std::string_view code = string_at(failed, "Code");
  const int status = bool_at(&failed, "SenderFault") ? 400 : 500;
  return {fault_of(code, status), std::string(code),
          fmt::format("{}: {}", code.empty() ? "no code" : code, string_at(failed, "Message"))};
}

/// The place of the entry that `entry` of the answer is about.
std::optional<std::size_t> place_of(const json::value& entry, std::size_t entries) {
  const auto place = number_at(&entry, "Id");
  const bool known = place && *place >= 0 && static_cast<std::size_t>(*place) < entries;
  return known ? std::optional<std::size_t>(static_cast<std::size_t>(*place)) : std::nullopt;
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

Result<std::vector<Result<void>>> parse_batch(std::string_view body, std::size_t entries) {
  auto document = parse_object(body);
  if (!document) return std::move(document).error();
  std::vector<Result<void>> results(entries, not_as_expected("the answer does not say what became of it"));
  if (const json::array* successful = array_at(&*document, "Successful")) {
    for (const json::value& entry : *successful) {
      if (const auto place = place_of(entry, entries)) results[*place] = Result<void>();
    }
  }
  if (const json::array* failed = array_at(&*document, "Failed")) {
    for (const json::value& entry : *failed) {
      if (const auto place = place_of(entry, entries)) results[*place] = entry_error(entry);
    }
  }
  return results;
}

Result<termination::QueueFacts> parse_queue_facts(std::string_view body) {
  auto document = parse_object(body);
  if (!document) return std::move(document).error();
  const json::value* attributes = find(*document, "Attributes");
  termination::QueueFacts facts;
  facts.arn = string_at(attributes, "QueueArn");
  if (facts.arn.empty()) return not_as_expected("the answer names no QueueArn");
  facts.account = account_of_arn(facts.arn);
  facts.delay = std::chrono::seconds{number_at(attributes, "DelaySeconds").value_or(0)};
  if (const auto retention = number_at(attributes, "MessageRetentionPeriod"))
    facts.retention = std::chrono::seconds{*retention};
  facts.kms_key = string_at(attributes, "KmsMasterKeyId");
  const std::string_view redrive = string_at(attributes, "RedrivePolicy");
  if (redrive.empty()) return facts;
  const auto policy = parse_json(redrive);
  if (!policy) return policy.error().within("reading its RedrivePolicy");
  if (const auto most = number_at(&*policy, "maxReceiveCount")) facts.most_receives = static_cast<int>(*most);
  return facts;
}

Task<Result<std::vector<Result<void>>>> Sqs::delete_messages(std::string queue_url,
                                                             std::vector<std::string> receipt_handles,
                                                             Deadline deadline) {
  json::array entries;
  for (const std::string& handle : receipt_handles)
    entries.push_back(json::object{{"ReceiptHandle", handle}});
  co_return co_await send_batch(batch_call("DeleteMessageBatch", queue_url, std::move(entries)),
                                receipt_handles.size(), deadline);
}

Task<Result<std::vector<Result<void>>>> Sqs::change_visibilities(std::string queue_url,
                                                                 std::vector<termination::Hiding> wishes,
                                                                 Deadline deadline) {
  json::array entries;
  for (const termination::Hiding& wish : wishes) {
    entries.push_back(
        json::object{{"ReceiptHandle", wish.receipt_handle}, {"VisibilityTimeout", wish.visibility.count()}});
  }
  co_return co_await send_batch(batch_call("ChangeMessageVisibilityBatch", queue_url, std::move(entries)),
                                wishes.size(), deadline);
}

Task<Result<std::vector<Result<void>>>> Sqs::send_batch(Call call, std::size_t entries, Deadline deadline) {
  FERRYMAN_TRY(body, co_await client_.send(call, deadline));
  auto results = parse_batch(body, entries);
  if (!results) co_return client_.misread(call, results.error());
  const std::string doing = fmt::format("calling sqs {}", call.operation);
  for (Result<void>& result : *results) {
    if (!result) result = result.error().within(doing);
  }
  co_return results;
}

Task<Result<std::string>> Sqs::queue_url(std::string queue_name, Deadline deadline) {
  json::object parameters;
  parameters["QueueName"] = queue_name;
  const Call call = call_for("GetQueueUrl", parameters);
  FERRYMAN_TRY(body, co_await client_.send(call, deadline));
  const auto document = parse_object(body);
  if (!document) co_return client_.misread(call, document.error());
  std::string url(string_at(*document, "QueueUrl"));
  if (url.empty()) co_return client_.misread(call, not_as_expected("the answer names no QueueUrl"));
  co_return url;
}

Task<Result<termination::QueueFacts>> Sqs::queue_attributes(std::string queue_url, Deadline deadline) {
  json::object parameters;
  parameters["QueueUrl"] = queue_url;
  parameters["AttributeNames"] =
      json::array({"QueueArn", "DelaySeconds", "MessageRetentionPeriod", "RedrivePolicy", "KmsMasterKeyId"});
  const Call call = call_for("GetQueueAttributes", parameters);
  FERRYMAN_TRY(body, co_await client_.send(call, deadline));
  auto facts = parse_queue_facts(body);
  if (!facts) co_return client_.misread(call, facts.error());
  co_return facts;
}

}  // namespace ferryman::aws
