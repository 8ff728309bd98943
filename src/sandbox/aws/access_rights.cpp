// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/access_rights.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/glob.h"
#include "base/json.h"

namespace ferryman::sandbox {

namespace {

/// Actions are compared without case.
std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
  return out;
}

bool is_action(std::string_view text) {
  const std::size_t colon = text.find(':');
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == ':' ||
           c == '*' || c == '?' || c == '-';
  });
  return plain && (text == "*" || (colon != 0 && colon != std::string_view::npos && colon + 1 < text.size()));
}

}  // namespace

Result<void> AccessRights::add(std::string_view action) {
  if (!is_action(action)) {
    return Error(
        Fault::invalid,
        fmt::format("\"{}\" is no action; they look like sqs:ReceiveMessage or autoscaling:Describe*",
                    action));
  }
  if (!actions_) actions_.emplace();
  actions_->emplace_back(action);
  return {};
}

Result<AccessRights> AccessRights::of_list(std::string_view text) {
  constexpr std::string_view separators = ", \t\n";
  AccessRights rights;
  while (true) {
    const std::size_t first = text.find_first_not_of(separators);
    if (first == std::string_view::npos) return rights;
    text.remove_prefix(first);
    const std::string_view action = text.substr(0, text.find_first_of(separators));
    text.remove_prefix(action.size());
    if (auto added = rights.add(action); !added) return std::move(added).error();
  }
}

Result<void> AccessRights::add_all(const json::array& actions) {
  for (const json::value& action : actions) {
    if (auto added = add(action.is_string() ? std::string_view(action.as_string()) : ""); !added)
      return added;
  }
  return {};
}

Result<AccessRights> AccessRights::of_actions(const json::array& actions) {
  AccessRights rights;
  rights.actions_.emplace();
  if (auto added = rights.add_all(actions); !added) return std::move(added).error();
  return rights;
}

Result<AccessRights> AccessRights::of_policy(const json::value& policy) {
  const json::array* statements = array_at(&policy, "Statement");
  if (statements == nullptr) return Error(Fault::invalid, "a policy has a list of statements, \"Statement\"");
  AccessRights rights;
  rights.actions_.emplace();
  for (const json::value& statement : *statements) {
    if (string_at(statement, "Effect") != "Allow")
      return Error(Fault::invalid, "the Effect of each statement must be Allow");
    const json::array* list = array_at(&statement, "Action");
    const json::array one{string_at(statement, "Action")};
    if (auto added = rights.add_all(list == nullptr ? one : *list); !added) return std::move(added).error();
  }
  return rights;
}

bool AccessRights::allow(std::string_view action) const {
  if (!actions_) return true;
  return std::any_of(actions_->begin(), actions_->end(),
                     [&](const std::string& pattern) { return matches_glob(lower(pattern), lower(action)); });
}

// A right to do it to one message is a right to do it to ten.
std::string action_of(const AwsCall& call) {
  constexpr std::string_view batch = "Batch";
  if (call.service->name == "sqs" && call.operation.ends_with(batch)) {
    return fmt::format("sqs:{}", call.operation.substr(0, call.operation.size() - batch.size()));
  }
  return fmt::format("{}:{}", call.service->signing_name, call.operation);
}

Error lacking_right(const AwsCall& call, const std::string& resource) {
  // SQS alone writes the action in small letters.
  const std::string action = call.service->name == "sqs" ? lower(action_of(call)) : action_of(call);
  const std::string on = resource.empty() ? "" : " on resource: " + resource;
  const std::string text = fmt::format(
      "User: {} is not authorized to perform: {}{} because no identity-based policy allows the "
      "{} action",
      call.caller_arn, action, on, action);
  if (call.speaks(AwsProtocol::ec2)) {
    return Error(Fault::denied, "UnauthorizedOperation",
                 "You are not authorized to perform this operation. " + text);
  }
  return Error(Fault::denied, "AccessDenied", text);
}

}  // namespace ferryman::sandbox
