// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/access_keys.h"

#include <fmt/format.h>

#include <algorithm>

#include "aws/sigv4.h"
#include "sandbox/aws/fresh_ids.h"

namespace ferryman::sandbox {

namespace {

constexpr Duration allowed_skew = std::chrono::minutes{15};

/// EC2 has one code for all strangers.
Error stranger(const AwsCall& call, std::string code, std::string text) {
  if (call.speaks(AwsProtocol::ec2)) {
    return Error(Fault::denied, "AuthFailure",
                 "AWS was not able to validate the provided access credentials");
  }
  return Error(Fault::denied, std::move(code), std::move(text));
}

Error expired(const AwsCall& call, std::string code, std::string text) {
  if (call.speaks(AwsProtocol::ec2)) {
    return Error(Fault::invalid, "RequestExpired", "Request has expired.");
  }
  return Error(Fault::denied, std::move(code), std::move(text));
}

/// "20260301T120000Z" as a time.
std::optional<WallTime> parse_basic(std::string_view text) {
  if (text.size() != 16) return std::nullopt;
  const auto part = [&](std::size_t at, std::size_t length) { return text.substr(at, length); };
  return parse_rfc3339(fmt::format("{}-{}-{}T{}:{}:{}", part(0, 4), part(4, 2), part(6, 2), part(9, 2),
                                   part(11, 2), part(13, 3)));
}

Result<void> check_date(const AwsCall& call, const aws::Authorization& who, WallTime now) {
  const std::string date(call.request.headers.get("X-Amz-Date"));
  const auto signed_at = parse_basic(date);
  if (!signed_at || who.scope.date != date.substr(0, 8)) {
    return stranger(call, "IncompleteSignature",
                    "Date must be in ISO-8601 'basic format'. Got '" + date + "' and the scope's '" +
                        who.scope.date + "'");
  }
  const std::string ours = format_basic(now);
  if (*signed_at < now - allowed_skew) {
    const std::string bound = format_basic(now - allowed_skew);
    return expired(
        call, "SignatureDoesNotMatch",
        fmt::format("Signature expired: {} is now earlier than {} ({} - 15 min.)", date, bound, ours));
  }
  if (*signed_at > now + allowed_skew) {
    const std::string bound = format_basic(now + allowed_skew);
    return expired(call, "SignatureDoesNotMatch",
                   fmt::format("Signature not yet current: {} is still later than {} ({} + 15 min.)", date,
                               bound, ours));
  }
  return {};
}

Result<void> check_scope(const AwsCall& call, const aws::Authorization& who, const std::string& region) {
  if (who.scope.service != call.service->signing_name) {
    return stranger(
        call, "SignatureDoesNotMatch",
        fmt::format("Credential should be scoped to correct service: '{}'.", call.service->signing_name));
  }
  if (who.scope.region != region) {
    return stranger(call, "SignatureDoesNotMatch", "Credential should be scoped to a valid region.");
  }
  const auto& names = who.signed_headers;
  if (std::find(names.begin(), names.end(), "host") == names.end()) {
    return stranger(call, "SignatureDoesNotMatch",
                    "'Host' must be a 'SignedHeader' in the AWS Authorization.");
  }
  return {};
}

Result<void> check_signature(const AwsCall& call, const aws::Authorization& who, const AccessKey& key) {
  const auto expected = aws::expected_signature(call.request, who.signed_headers, who.scope, key.secret);
  if (expected && *expected == who.signature) return {};
  return stranger(
      call, "SignatureDoesNotMatch",
      "The request signature we calculated does not match the signature you provided. Check your AWS "
      "Secret Access Key and signing method. Consult the service documentation for details.");
}

}  // namespace

const AccessKey& AccessKeys::add_temporary(std::string arn, WallTime expires) {
  constexpr std::string_view capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  constexpr std::string_view base64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  AccessKey key;
  key.id = "ASIA" + fresh_text(random_, 16, capitals);
  key.secret = Secret(fresh_text(random_, 40, base64));
  key.session_token = Secret("IQoJb3JpZ2luX2Vj" + fresh_text(random_, 320, base64));
  key.arn = std::move(arn);
  key.expires = expires;
  return keys_[key.id] = std::move(key);
}

Result<void> AccessKeys::check(AwsCall& call, WallTime now) const {
  if (call.service->name == "sts" && call.operation == "AssumeRoleWithWebIdentity") return {};
  const auto who = aws::parse_authorization(call.request.headers.get("Authorization"));
  const auto found = who ? keys_.find(who->access_key_id) : keys_.end();
  call.caller_arn = found != keys_.end() ? found->second.arn : "arn:aws:iam::" + settings_.account + ":root";
  if (!checking) return {};
  if (!who)
    return Error(Fault::denied, "MissingAuthenticationToken", "Request is missing Authentication Token");
  const std::string_view token = call.request.headers.get("X-Amz-Security-Token");
  if (found == keys_.end() || found->second.session_token.reveal() != token) {
    return stranger(call, "InvalidClientTokenId", "The security token included in the request is invalid.");
  }
  if (auto scope = check_scope(call, *who, settings_.region); !scope) return scope;
  if (auto date = check_date(call, *who, now); !date) return date;
  if (auto signature = check_signature(call, *who, found->second); !signature) return signature;
  const std::optional<WallTime>& expires = found->second.expires;
  if (expires && *expires <= now) {
    return expired(call, "ExpiredToken", "The security token included in the request is expired");
  }
  return {};
}

Result<void> AccessKeys::check_right(const AwsCall& call, const std::string& resource) const {
  // Who somebody is may be asked by everybody; and a web identity has no rights yet.
  const bool free = call.operation == "GetCallerIdentity" || call.operation == "AssumeRoleWithWebIdentity";
  if ((call.service->name == "sts" && free) || rights.allow(action_of(call))) return {};
  return lacking_right(call, resource);
}

}  // namespace ferryman::sandbox
