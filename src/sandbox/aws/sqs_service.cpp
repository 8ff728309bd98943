// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/sqs_service.h"

#include <algorithm>
#include <array>

#include "base/ids.h"
#include "base/json.h"
#include "net/url.h"
#include "sandbox/aws/sqs_messages.h"

namespace ferryman::sandbox {

namespace {

Error no_queue() {
  return Error(Fault::not_found, "AWS.SimpleQueueService.NonExistentQueue",
               "The specified queue does not exist.");
}

Error bad_receipt(std::string_view receipt) {
  return Error(Fault::invalid, "ReceiptHandleIsInvalid",
               "The input receipt handle \"" + std::string(receipt.substr(0, 100)) +
                   "\" is not a valid receipt handle.");
}

Error bad_value(std::string text) {
  return Error(Fault::invalid, "InvalidParameterValue", std::move(text));
}

bool queue_name_is_good(std::string_view name) {
  return !name.empty() && name.size() <= 80 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
  });
}

/// "…/123456789012/name" → "name".
std::string_view queue_name_in(std::string_view url) {
  return url.substr(url.rfind('/') + 1);
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

constexpr SqsNumber most_messages{"MaxNumberOfMessages", 1, 10, 1};
constexpr SqsNumber delay_seconds{"DelaySeconds", 0, 900, 0};

}  // namespace

Task<Result<json::value>> SqsService::answer(AwsCall& call) {
  auto body = parse_json(call.request.body.empty() ? "{}" : call.request.body);
  if (!body || !body->is_object()) {
    co_return Error(Fault::invalid, "MalformedInput", "The request's body is not a JSON object.");
  }
  if (call.operation == "ReceiveMessage") co_return co_await receive_message(call, *body);
  using Operation = Answer (SqsService::*)(AwsCall&, const json::value&);
  static constexpr std::array<std::pair<std::string_view, Operation>, 9> operations{{
      {"CreateQueue", &SqsService::create_queue},
      {"GetQueueUrl", &SqsService::get_queue_url},
      {"ListQueues", &SqsService::list_queues},
      {"SendMessage", &SqsService::send_message},
      {"DeleteMessage", &SqsService::delete_message},
      {"ChangeMessageVisibility", &SqsService::change_message_visibility},
      {"GetQueueAttributes", &SqsService::get_queue_attributes},
      {"SetQueueAttributes", &SqsService::set_queue_attributes},
      {"PurgeQueue", &SqsService::purge_queue},
  }};
  for (const auto& [name, operation] : operations) {
    if (name == call.operation) co_return (this->*operation)(call, *body);
  }
  co_return Error(Fault::invalid, "InvalidAction",
                  "The action " + call.operation + " is not valid for this endpoint.");
}

Result<Queue*> SqsService::queue_of(AwsCall& call, const json::value& body) {
  const std::string_view url = string_at(body, "QueueUrl");
  if (url.empty())
    return Error(Fault::invalid, "MissingParameter", "The request must contain the parameter QueueUrl.");
  Queue* queue = world_.queues().find(queue_name_in(url));
  if (queue == nullptr) return no_queue();
  call.details["queue"] = queue->name();
  return queue;
}

std::string SqsService::url_of(const AwsCall& call, const Queue& queue) const {
  const auto url = net::parse_url(call.request.url);
  const std::string place = url ? url->scheme + "://" + url->authority() : "http://localhost";
  return place + "/" + world_.settings().account + "/" + queue.name();
}

SqsService::Answer SqsService::create_queue(AwsCall& call, const json::value& body) {
  const std::string name(string_at(body, "QueueName"));
  if (!queue_name_is_good(name)) {
    return bad_value("Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length");
  }
  const Queue* existing = world_.queues().find(name);
  QueueSettings settings = existing != nullptr ? existing->settings : QueueSettings();
  if (auto applied = apply_attributes(find(body, "Attributes"), settings); !applied)
    return std::move(applied).error();
  if (existing != nullptr && !(settings == existing->settings)) {
    return Error(Fault::conflict, "QueueAlreadyExists",
                 "A queue already exists with the same name and a different value for an attribute");
  }
  Queue& queue = world_.queues().create(name);
  queue.settings = settings;
  call.details["queue"] = name;
  return json::value(json::object{{"QueueUrl", url_of(call, queue)}});
}

SqsService::Answer SqsService::get_queue_url(AwsCall& call, const json::value& body) {
  const Queue* queue = world_.queues().find(string_at(body, "QueueName"));
  if (queue == nullptr) return no_queue();
  return json::value(json::object{{"QueueUrl", url_of(call, *queue)}});
}

SqsService::Answer SqsService::list_queues(AwsCall& call, const json::value& body) {
  const std::string_view prefix = string_at(body, "QueueNamePrefix");
  json::array urls;
  for (const auto& [name, queue] : world_.queues().all()) {
    if (name.starts_with(prefix)) urls.emplace_back(url_of(call, *queue));
  }
  return json::value(json::object{{"QueueUrls", urls}});
}

SqsService::Answer SqsService::send_message(AwsCall& call, const json::value& body) {
  auto queue = queue_of(call, body);
  if (!queue) return std::move(queue).error();
  auto delay = read_number(body, delay_seconds);
  if (!delay) return std::move(delay).error();
  QueueMessage message;
  message.body = string_at(body, "MessageBody");
  if (auto checked = check_message_body(message.body); !checked) return std::move(checked).error();
  const json::value* attributes = find(body, "MessageAttributes");
  if (attributes != nullptr && attributes->is_object()) message.attributes = attributes->as_object();
  const std::string md5 = md5_hex(message.body);
  const std::string instance = instance_in(message.body);
  std::map<std::string, std::string> about;
  if (!instance.empty()) about["instance"] = instance;
  call.subject = (*queue)->send(std::move(message), std::chrono::seconds{*delay}, about);
  return json::value{{"MessageId", call.subject}, {"MD5OfMessageBody", md5}};
}

Task<SqsService::Answer> SqsService::receive_message(AwsCall& call, const json::value& body) {
  FERRYMAN_TRY(queue, queue_of(call, body));
  const auto in_seconds = [](Duration d) {
    return std::chrono::duration_cast<std::chrono::seconds>(d).count();
  };
  FERRYMAN_TRY(most, read_number(body, most_messages));
  FERRYMAN_TRY(wait, read_number(body, {"WaitTimeSeconds", 0, 20, in_seconds(queue->settings.receive_wait)}));
  FERRYMAN_TRY(hidden, read_number(body, {"VisibilityTimeout", 0, 43'200,
                                          in_seconds(queue->settings.visibility_timeout)}));
  const auto messages = co_await queue->receive(static_cast<std::size_t>(most), std::chrono::seconds{wait},
                                                std::chrono::seconds{hidden});
  if (messages.empty()) co_return json::value(json::object());
  json::array list;
  std::string ids;
  for (const QueueMessage& message : messages) {
    list.emplace_back(received_message(message, body));
    ids += (ids.empty() ? "" : ",") + message.id;
  }
  call.subject = messages.front().id;
  call.details["messages"] = ids;
  co_return json::value(json::object{{"Messages", list}});
}

SqsService::Answer SqsService::delete_message(AwsCall& call, const json::value& body) {
  auto queue = queue_of(call, body);
  if (!queue) return std::move(queue).error();
  const std::string_view receipt = string_at(body, "ReceiptHandle");
  const ReceiptAnswer removed = (*queue)->remove(receipt);
  if (removed.kind == ReceiptAnswer::Kind::invalid) return bad_receipt(receipt);
  call.subject = removed.message_id;
  call.details["deleted"] = removed.kind == ReceiptAnswer::Kind::ok ? "true" : "false";
  return json::value(json::object());
}

SqsService::Answer SqsService::change_message_visibility(AwsCall& call, const json::value& body) {
  auto queue = queue_of(call, body);
  if (!queue) return std::move(queue).error();
  if (find(body, "VisibilityTimeout") == nullptr) {
    return Error(Fault::invalid, "MissingParameter",
                 "The request must contain the parameter VisibilityTimeout.");
  }
  auto hidden = read_number(body, {"VisibilityTimeout", 0, 43'200, 0});
  if (!hidden) return std::move(hidden).error();
  const std::string receipt(string_at(body, "ReceiptHandle"));
  const ReceiptAnswer changed = (*queue)->change_visibility(receipt, std::chrono::seconds{*hidden});
  call.subject = changed.message_id;
  call.details["timeout"] = std::to_string(*hidden);
  switch (changed.kind) {
    case ReceiptAnswer::Kind::ok:
      return json::value(json::object());
    case ReceiptAnswer::Kind::invalid:
      return bad_receipt(receipt);
    case ReceiptAnswer::Kind::not_in_flight:
      return Error(Fault::invalid, "AWS.SimpleQueueService.MessageNotInflight",
                   "The specified message isn't in flight.");
    case ReceiptAnswer::Kind::too_long:
      return bad_value("Value " + std::to_string(*hidden) +
                       " for parameter VisibilityTimeout is invalid. Reason: Total "
                       "VisibilityTimeout for the message is beyond the limit [43200 seconds].");
    case ReceiptAnswer::Kind::stale:
      break;
  }
  return bad_value("Value " + receipt +
                   " for parameter ReceiptHandle is invalid. Reason: Message does not exist or is "
                   "not available for visibility timeout change.");
}

SqsService::Answer SqsService::get_queue_attributes(AwsCall& call, const json::value& body) {
  auto queue = queue_of(call, body);
  if (!queue) return std::move(queue).error();
  const std::string arn =
      "arn:aws:sqs:" + world_.settings().region + ":" + world_.settings().account + ":" + (*queue)->name();
  json::object asked;
  for (const auto& [name, value] : queue_attributes(**queue, arn)) {
    if (asks_for(body, "AttributeNames", name)) asked[name] = value;
  }
  if (asked.empty()) return json::value(json::object());
  return json::value(json::object{{"Attributes", asked}});
}

SqsService::Answer SqsService::set_queue_attributes(AwsCall& call, const json::value& body) {
  auto queue = queue_of(call, body);
  if (!queue) return std::move(queue).error();
  QueueSettings settings = (*queue)->settings;
  if (auto applied = apply_attributes(find(body, "Attributes"), settings); !applied)
    return std::move(applied).error();
  (*queue)->settings = settings;
  return json::value(json::object());
}

SqsService::Answer SqsService::purge_queue(AwsCall& call, const json::value& body) {
  auto queue = queue_of(call, body);
  if (!queue) return std::move(queue).error();
  (*queue)->purge();
  return json::value(json::object());
}

}  // namespace ferryman::sandbox
