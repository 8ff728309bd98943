// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/sts_service.h"

#include <fmt/format.h>

#include <charconv>

#include "sandbox/aws/xml_reply.h"

namespace ferryman::sandbox {

namespace {

Error missing(std::string_view name) {
  return Error(
      Fault::invalid, "ValidationError",
      fmt::format("1 validation error detected: Value null at '{}' failed to satisfy constraint: Member must "
                  "not be null",
                  name));
}

/// 15 minutes to 12 hours, an hour by default.
Result<std::chrono::seconds> duration_of(const AwsCall& call) {
  const std::string text = call.has("DurationSeconds") ? call.parameter("DurationSeconds") : "3600";
  int number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && number >= 900 &&
      number <= 43'200) {
    return std::chrono::seconds{number};
  }
  return Error(
      Fault::invalid, "ValidationError",
      fmt::format(
          "1 validation error detected: Value '{}' at 'durationSeconds' failed to satisfy constraint: "
          "Member must be between 900 and 43200",
          text));
}

}  // namespace

Result<void> StsService::answer(AwsCall& call, pugi::xml_node result) {
  if (call.operation == "GetCallerIdentity") return get_caller_identity(call, result);
  if (call.operation == "AssumeRoleWithWebIdentity") return assume_role_with_web_identity(call, result);
  if (call.operation == "AssumeRole") return assume_role(call, result, {"RoleArn", "RoleSessionName"});
  return Error(Fault::invalid, "InvalidAction",
               "Could not find operation " + call.operation + " for version 2011-06-15");
}

Result<void> StsService::get_caller_identity(const AwsCall& call, pugi::xml_node result) {
  add_text(result, "Arn", call.caller_arn);
  add_text(result, "UserId", "AIDAFERRYMANSANDBOX");
  add_text(result, "Account", world_.settings().account);
  return {};
}

Result<void> StsService::assume_role_with_web_identity(AwsCall& call, pugi::xml_node result) {
  auto assumed = assume_role(call, result, {"RoleArn", "RoleSessionName", "WebIdentityToken"});
  if (!assumed) return assumed;
  add_text(result, "SubjectFromWebIdentityToken", "system:serviceaccount:ferryman:ferryman");
  add_text(result, "Audience", "sts.amazonaws.com");
  return {};
}

// Whom a role trusts is not asked.
Result<void> StsService::assume_role(AwsCall& call, pugi::xml_node result,
                                     std::initializer_list<const char*> required) {
  for (const char* name : required) {
    if (call.parameter(name).empty()) return missing(name);
  }
  auto duration = duration_of(call);
  if (!duration) return std::move(duration).error();
  const std::string role_arn = call.parameter("RoleArn");
  const std::string session = call.parameter("RoleSessionName");
  if (!role_arn.starts_with("arn:") || role_arn.find(":role/") == std::string::npos) {
    return Error(Fault::invalid, "ValidationError", role_arn + " is invalid");
  }
  const std::string role = role_arn.substr(role_arn.rfind('/') + 1);
  const std::string arn =
      fmt::format("arn:aws:sts::{}:assumed-role/{}/{}", world_.settings().account, role, session);
  const WallTime expires = world_.clock().wall() + *duration;
  const AccessKey& key = keys_.add_temporary(arn, expires);
  call.details["role"] = role;
  pugi::xml_node credentials = result.append_child("Credentials");
  add_text(credentials, "AccessKeyId", key.id);
  add_text(credentials, "SecretAccessKey", key.secret.reveal());
  add_text(credentials, "SessionToken", key.session_token.reveal());
  add_text(credentials, "Expiration", format_rfc3339(expires));
  pugi::xml_node user = result.append_child("AssumedRoleUser");
  add_text(user, "AssumedRoleId", "AROAFERRYMANSANDBOX:" + session);
  add_text(user, "Arn", arn);
  return {};
}

}  // namespace ferryman::sandbox
