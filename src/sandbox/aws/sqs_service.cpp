// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/sqs_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json.h"
#include "net/url.h"
#include "sandbox/aws/paging.h"
#include "sandbox/aws/sqs_attributes.h"
#include "sandbox/aws/sqs_messages.h"
#include "sandbox/aws/sqs_refusals.h"

namespace ferryman::sandbox {

namespace {

constexpr Duration between_purges = std::chrono::seconds{60};
constexpr Duration before_namesake = std::chrono::seconds{60};

bool queue_name_is_good(std::string_view name) {
  return !name.empty() && name.size() <= 80 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
  });
}

/// "…/123456789012/name" → "name".
std::string_view queue_name_in(std::string_view url) {
  return url.substr(url.rfind('/') + 1);
}

Error unknown_action(const AwsCall& call) {
  return Error(Fault::invalid, "InvalidAction",
               "The action " + call.operation + " is not valid for this endpoint.");
}

json::value nothing() {
  return json::value(json::object());
}

}  // namespace

Task<Result<json::value>> SqsService::answer(AwsCall& call, const json::value& body) {
  if (call.operation == "CreateQueue") co_return create_queue(call, body);
  if (call.operation == "GetQueueUrl") co_return get_queue_url(call, body);
  if (call.operation == "ListQueues") co_return list_queues(call, body);
  if (call.operation != "ReceiveMessage") co_return of_queue(call, body);
  FERRYMAN_TRY(queue, queue_of(call, body));
  co_return co_await messages_.receive(call, *queue, body);
}

Result<Queue*> SqsService::queue_of(AwsCall& call, const json::value& body) {
  const std::string_view url = string_at(body, "QueueUrl");
  if (url.empty()) return sqs::missing_parameter("QueueUrl");
  Queue* queue = world_.queues().find(queue_name_in(url));
  if (queue == nullptr) return sqs::no_queue();
  call.details["queue"] = queue->name();
  return queue;
}

SqsService::Answer SqsService::of_queue(AwsCall& call, const json::value& body) {
  using MessageCall = Answer (SqsMessageCalls::*)(AwsCall&, Queue&, const json::value&);
  static constexpr std::array<std::pair<std::string_view, MessageCall>, 6> message_calls{{
      {"SendMessage", &SqsMessageCalls::send},
      {"SendMessageBatch", &SqsMessageCalls::send_batch},
      {"DeleteMessage", &SqsMessageCalls::remove},
      {"DeleteMessageBatch", &SqsMessageCalls::remove_batch},
      {"ChangeMessageVisibility", &SqsMessageCalls::change_visibility},
      {"ChangeMessageVisibilityBatch", &SqsMessageCalls::change_visibility_batch},
  }};
  using QueueCall = Answer (SqsService::*)(AwsCall&, Queue&, const json::value&);
  static constexpr std::array<std::pair<std::string_view, QueueCall>, 8> queue_calls{{
      {"DeleteQueue", &SqsService::delete_queue},
      {"GetQueueAttributes", &SqsService::get_attributes},
      {"SetQueueAttributes", &SqsService::set_attributes},
      {"PurgeQueue", &SqsService::purge},
      {"ListDeadLetterSourceQueues", &SqsService::list_sources},
      {"TagQueue", &SqsService::tag},
      {"UntagQueue", &SqsService::untag},
      {"ListQueueTags", &SqsService::list_tags},
  }};
  const auto* of_messages = std::find_if(message_calls.begin(), message_calls.end(),
                                         [&](const auto& known) { return known.first == call.operation; });
  const auto* of_queues = std::find_if(queue_calls.begin(), queue_calls.end(),
                                       [&](const auto& known) { return known.first == call.operation; });
  if (of_messages == message_calls.end() && of_queues == queue_calls.end()) return unknown_action(call);
  auto queue = queue_of(call, body);
  if (!queue) return std::move(queue).error();
  if (of_queues != queue_calls.end()) return (this->*of_queues->second)(call, **queue, body);
  return (messages_.*of_messages->second)(call, **queue, body);
}

std::string SqsService::resource_of(const json::value& body) const {
  std::string_view name = queue_name_in(string_at(body, "QueueUrl"));
  if (name.empty()) name = string_at(body, "QueueName");
  return name.empty() ? std::string() : world_.queues().arn_of(std::string(name));
}

std::string SqsService::url_of(const AwsCall& call, const std::string& queue) const {
  const auto url = net::parse_url(call.request.url);
  const std::string place = url ? url->scheme + "://" + url->authority() : "http://localhost";
  return place + "/" + world_.settings().account + "/" + queue;
}

Result<void> SqsService::check_grave(const QueueSettings& settings) {
  const std::string& name = settings.dead_letter_queue;
  if (name.empty() || world_.queues().find(name) != nullptr) return {};
  return sqs::bad_value(fmt::format(
      "Value {} for parameter RedrivePolicy is invalid. Reason: Dead letter target does not exist.",
      settings.other.at("RedrivePolicy")));
}

SqsService::Answer SqsService::create_queue(AwsCall& call, const json::value& body) {
  const std::string name(string_at(body, "QueueName"));
  if (name.empty()) return sqs::missing_parameter("QueueName");
  if (!queue_name_is_good(name)) {
    return sqs::bad_value(
        "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length");
  }
  const auto removed = world_.queues().removed(name);
  if (removed && world_.clock().now() < *removed + before_namesake) {
    return sqs::prefixed("QueueDeletedRecently",
                         "You must wait 60 seconds after deleting a queue before you can create another with "
                         "the same name.");
  }
  const Queue* existing = world_.queues().find(name);
  QueueSettings settings = existing != nullptr ? existing->settings : QueueSettings();
  if (auto applied = sqs::apply_attributes(find(body, "Attributes"), settings); !applied)
    return std::move(applied).error();
  if (auto known = check_grave(settings); !known) return std::move(known).error();
  if (existing != nullptr && !(settings == existing->settings)) {
    return Error(Fault::conflict, "QueueAlreadyExists",
                 "A queue already exists with the same name and a different value for an attribute");
  }
  Queue& queue = world_.queues().create(name);
  if (existing == nullptr) queue.settings = settings;
  call.details["queue"] = name;
  // The parameter is written small in one model and is a Tags member in others.
  for (const char* tags : {"tags", "Tags"}) {
    if (find(body, tags) != nullptr) (void)tag(call, queue, json::object{{"Tags", *find(body, tags)}});
  }
  return json::value(json::object{{"QueueUrl", url_of(call, name)}});
}

SqsService::Answer SqsService::get_queue_url(AwsCall& call, const json::value& body) {
  const std::string name(string_at(body, "QueueName"));
  if (name.empty()) return sqs::missing_parameter("QueueName");
  if (world_.queues().find(name) == nullptr) return sqs::no_queue();
  return json::value(json::object{{"QueueUrl", url_of(call, name)}});
}

/// URLs of the named queues, in pages only when the caller sets a size.
Result<json::object> SqsService::page(const AwsCall& call, const std::vector<std::string>& names,
                                      const json::value& body, std::string_view list_name) {
  auto size = sqs::read_number(body, {"MaxResults", 1, 1'000, 1'000});
  if (!size) return std::move(size).error();
  PageRequest asked;
  asked.size = static_cast<std::size_t>(*size);
  if (const std::string_view token = string_at(body, "NextToken"); !token.empty()) {
    auto after = key_in_token(token, "InvalidParameterValue");
    if (!after) return std::move(after).error();
    asked.after = *after;
  }
  const Page found = page_of(names, asked);
  json::array urls;
  for (const std::string& name : found.keys) urls.emplace_back(url_of(call, name));
  json::object answer{{list_name, urls}};
  if (!found.next_token.empty() && find(body, "MaxResults") != nullptr)
    answer["NextToken"] = found.next_token;
  return answer;
}

SqsService::Answer SqsService::list_queues(AwsCall& call, const json::value& body) {
  const std::string_view prefix = string_at(body, "QueueNamePrefix");
  std::vector<std::string> names;
  for (const auto& [name, queue] : world_.queues().all()) {
    if (name.starts_with(prefix)) names.push_back(name);
  }
  auto answer = page(call, names, body, "QueueUrls");
  if (!answer) return std::move(answer).error();
  return json::value(std::move(*answer));
}

SqsService::Answer SqsService::list_sources(AwsCall& call, Queue& queue, const json::value& body) {
  std::vector<std::string> names;
  for (const auto& [name, source] : world_.queues().all()) {
    if (source->settings.dead_letter_queue == queue.name()) names.push_back(name);
  }
  auto answer = page(call, names, body, "queueUrls");
  if (!answer) return std::move(answer).error();
  return json::value(std::move(*answer));
}

SqsService::Answer SqsService::delete_queue(AwsCall& /*call*/, Queue& queue, const json::value& /*body*/) {
  world_.queues().remove(queue.name());
  return nothing();
}

SqsService::Answer SqsService::get_attributes(AwsCall& /*call*/, Queue& queue, const json::value& body) {
  auto asked =
      sqs::asked_attributes(queue, world_.queues().arn_of(queue.name()), array_at(&body, "AttributeNames"));
  if (!asked) return std::move(asked).error();
  if (asked->empty()) return nothing();
  return json::value(json::object{{"Attributes", std::move(*asked)}});
}

SqsService::Answer SqsService::set_attributes(AwsCall& /*call*/, Queue& queue, const json::value& body) {
  QueueSettings settings = queue.settings;
  if (auto applied = sqs::apply_attributes(find(body, "Attributes"), settings); !applied)
    return std::move(applied).error();
  if (auto known = check_grave(settings); !known) return std::move(known).error();
  queue.change(std::move(settings));
  return nothing();
}

SqsService::Answer SqsService::purge(AwsCall& /*call*/, Queue& queue, const json::value& /*body*/) {
  if (queue.purged && world_.clock().now() < *queue.purged + between_purges) {
    return sqs::prefixed(
        "PurgeQueueInProgress",
        fmt::format("Only one PurgeQueue operation on {} is allowed every 60 seconds.", queue.name()),
        Fault::denied);
  }
  queue.purge();
  return nothing();
}

SqsService::Answer SqsService::tag(AwsCall& /*call*/, Queue& queue, const json::value& body) {
  const json::value* tags = find(body, "Tags");
  if (tags == nullptr || !tags->is_object()) return sqs::missing_parameter("Tags");
  for (const auto& [key, value] : tags->as_object()) {
    if (value.is_string()) queue.tags[key] = value.as_string();
  }
  return nothing();
}

SqsService::Answer SqsService::untag(AwsCall& /*call*/, Queue& queue, const json::value& body) {
  const json::array* keys = array_at(&body, "TagKeys");
  if (keys == nullptr) return sqs::missing_parameter("TagKeys");
  for (const json::value& key : *keys) {
    if (key.is_string()) queue.tags.erase(std::string(key.as_string()));
  }
  return nothing();
}

SqsService::Answer SqsService::list_tags(AwsCall& /*call*/, Queue& queue, const json::value& /*body*/) {
  json::object tags;
  for (const auto& [key, value] : queue.tags) tags[key] = value;
  return tags.empty() ? nothing() : json::value(json::object{{"Tags", std::move(tags)}});
}

}  // namespace ferryman::sandbox
