// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/sqs_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/json.h"
#include "net/url.h"
#include "sandbox/aws/xml_reply.h"

namespace ferryman::sandbox::sqs {

namespace {

using Form = std::map<std::string, std::string, std::less<>>;

/// A member that is no single text. Lists and maps are flattened: "Attribute.1.Name", "Attribute.1.Value".
struct Member {
  std::string_view json;
  std::string_view form;
  std::string_view key;  // of a map's entries; empty for a list
};
constexpr std::array<Member, 7> in_requests{{
    {"AttributeNames", "AttributeName", ""},
    {"MessageSystemAttributeNames", "MessageSystemAttributeName", ""},
    {"MessageAttributeNames", "MessageAttributeName", ""},
    {"TagKeys", "TagKey", ""},
    {"Attributes", "Attribute", "Name"},
    {"Tags", "Tag", "Key"},
    {"MessageSystemAttributes", "MessageSystemAttribute", "Name"},
}};
constexpr std::string_view attribute_form = "MessageAttribute";
constexpr std::array<std::string_view, 3> entry_forms{"SendMessageBatchRequestEntry",
                                                      "DeleteMessageBatchRequestEntry",
                                                      "ChangeMessageVisibilityBatchRequestEntry"};

json::array read_list(const Form& form, std::string_view prefix) {
  json::array list;
  for (int n = 1;; ++n) {
    const auto found = form.find(fmt::format("{}.{}", prefix, n));
    if (found == form.end()) return list;
    list.emplace_back(found->second);
  }
}

/// {"StringValue": …, "DataType": …} from "prefix.Value.StringValue" and its siblings.
json::object read_typed_value(const Form& form, const std::string& prefix) {
  json::object value;
  for (const char* part : {"StringValue", "BinaryValue", "DataType"}) {
    const auto found = form.find(prefix + ".Value." + part);
    if (found != form.end()) value[part] = found->second;
  }
  return value;
}

json::object read_map(const Form& form, std::string_view prefix, std::string_view key) {
  json::object map;
  for (int n = 1;; ++n) {
    const std::string entry = fmt::format("{}.{}", prefix, n);
    const auto name = form.find(fmt::format("{}.{}", entry, key));
    if (name == form.end()) return map;
    const auto plain = form.find(entry + ".Value");
    map[name->second] =
        plain == form.end() ? json::value(read_typed_value(form, entry)) : json::value(plain->second);
  }
}

/// The members of a request, or of a batch's entry.
json::object read_members(const Form& form) {
  json::object members;
  for (const auto& [name, value] : form) {
    if (name.find('.') == std::string::npos) members[name] = value;
  }
  for (const Member& member : in_requests) {
    if (member.key.empty()) {
      json::array list = read_list(form, member.form);
      if (!list.empty()) members[member.json] = std::move(list);
      continue;
    }
    json::object map = read_map(form, member.form, member.key);
    if (!map.empty()) members[member.json] = std::move(map);
  }
  json::object attributes = read_map(form, attribute_form, "Name");
  if (!attributes.empty()) members["MessageAttributes"] = std::move(attributes);
  return members;
}

json::array read_entries(const Form& form, std::string_view entry_form) {
  json::array entries;
  for (int n = 1;; ++n) {
    const std::string prefix = fmt::format("{}.{}.", entry_form, n);
    Form entry;
    for (auto at = form.lower_bound(prefix); at != form.end() && at->first.starts_with(prefix); ++at)
      entry.emplace(at->first.substr(prefix.size()), at->second);
    if (entry.empty()) return entries;
    entries.emplace_back(read_members(entry));
  }
}

constexpr std::array<Member, 8> in_answers{{
    {"QueueUrls", "QueueUrl", ""},
    {"queueUrls", "QueueUrl", ""},
    {"Messages", "Message", ""},
    {"Attributes", "Attribute", "Name"},
    {"MessageAttributes", "MessageAttribute", "Name"},
    {"Tags", "Tag", "Key"},
    {"Failed", "BatchResultErrorEntry", ""},
    {"Successful", "", ""},  // named after the operation
}};

std::string form_name(const Member& member, std::string_view operation) {
  return member.form.empty() ? fmt::format("{}ResultEntry", operation) : std::string(member.form);
}

void write_text(pugi::xml_node parent, const std::string& name, const json::value& value) {
  if (value.is_bool()) return add_text(parent, name.c_str(), std::string(value.as_bool() ? "true" : "false"));
  if (value.is_string()) add_text(parent, name.c_str(), std::string(value.as_string()));
}

void write_members(pugi::xml_node parent, const json::object& members, std::string_view operation);

void write_value(pugi::xml_node parent, const std::string& name, const json::value& value,
                 std::string_view operation) {
  if (!value.is_object()) return write_text(parent, name, value);
  write_members(parent.append_child(name.c_str()), value.as_object(), operation);
}

void write_member(pugi::xml_node parent, const Member& member, const json::value& value,
                  std::string_view operation) {
  const std::string name = form_name(member, operation);
  if (value.is_array()) {
    for (const json::value& item : value.as_array()) write_value(parent, name, item, operation);
    return;
  }
  if (!value.is_object()) return write_text(parent, name, value);
  for (const auto& [key, item] : value.as_object()) {
    pugi::xml_node entry = parent.append_child(name.c_str());
    add_text(entry, std::string(member.key).c_str(), std::string(key));
    write_value(entry, "Value", item, operation);
  }
}

void write_members(pugi::xml_node parent, const json::object& members, std::string_view operation) {
  for (const auto& [name, value] : members) {
    const auto* member = std::find_if(in_answers.begin(), in_answers.end(),
                                      [&](const Member& known) { return known.json == name; });
    if (member != in_answers.end()) {
      write_member(parent, *member, value, operation);
    } else {
      write_text(parent, std::string(name), value);
    }
  }
}

}  // namespace

json::object read_form(const AwsCall& call) {
  json::object request = read_members(call.parameters);
  for (const std::string_view entry_form : entry_forms) {
    json::array entries = read_entries(call.parameters, entry_form);
    if (!entries.empty()) request["Entries"] = std::move(entries);
  }
  const auto url = net::parse_url(call.request.url);
  if (!request.contains("QueueUrl") && url && url->path.size() > 1) request["QueueUrl"] = url->path;
  return request;
}

bool has_result(std::string_view operation) {
  static constexpr std::array<std::string_view, 7> without{"DeleteMessage",      "ChangeMessageVisibility",
                                                           "SetQueueAttributes", "PurgeQueue",
                                                           "DeleteQueue",        "TagQueue",
                                                           "UntagQueue"};
  return std::find(without.begin(), without.end(), operation) == without.end();
}

void write_answer(pugi::xml_node result, const std::string& operation, const json::value& answer) {
  write_members(result, answer.as_object(), operation);
}

}  // namespace ferryman::sandbox::sqs
