// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/sqs_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/json.h"
#include "sandbox/aws/sqs_refusals.h"

namespace ferryman::sandbox::sqs {

namespace {

bool id_is_good(std::string_view id) {
  return !id.empty() && id.size() <= 80 && std::all_of(id.begin(), id.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
  });
}

}  // namespace

Result<json::array> read_entries(const json::value& body, std::string_view entry_name) {
  constexpr std::size_t most = 10;
  const json::array* entries = array_at(&body, "Entries");
  if (entries == nullptr || entries->empty())
    return prefixed("EmptyBatchRequest",
                    fmt::format("There should be at least one {} in the request.", entry_name));
  if (entries->size() > most)
    return prefixed("TooManyEntriesInBatchRequest",
                    fmt::format("Maximum number of entries per request are {}. You have sent {}.", most,
                                entries->size()));
  std::set<std::string_view> ids;
  for (const json::value& entry : *entries) {
    const std::string_view id = string_at(entry, "Id");
    if (!id_is_good(id))
      return prefixed("InvalidBatchEntryId",
                      "A batch entry id can only contain alphanumeric characters, hyphens and underscores. "
                      "It can be at most 80 letters long.");
    if (!ids.insert(id).second)
      return prefixed("BatchEntryIdsNotDistinct", fmt::format("Id {} repeated.", id));
  }
  return *entries;
}

void BatchAnswer::succeed(const json::value& entry, json::object result) {
  result["Id"] = string_at(entry, "Id");
  successful_.push_back(std::move(result));
}

void BatchAnswer::fail(const json::value& entry, const Error& error) {
  failed_.push_back(json::object{
      {"Id", string_at(entry, "Id")}, {"SenderFault", true}, {"Code", error.code}, {"Message", error.text}});
}

json::value BatchAnswer::value() const {
  json::object answer;
  if (!successful_.empty()) answer["Successful"] = successful_;
  if (!failed_.empty()) answer["Failed"] = failed_;
  return answer;
}

}  // namespace ferryman::sandbox::sqs
