// SPDX-License-Identifier: Apache-2.0
// AccessKeys: who may call. Checks each request's signature against the keys that it knows; temporary keys
// end. Refusals are in the code of the request's service, all of Fault denied.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/random.h"
#include "base/result.h"
#include "base/secret.h"
#include "sandbox/aws/access_rights.h"
#include "sandbox/aws/aws_call.h"
#include "sandbox/aws/aws_settings.h"

namespace ferryman::sandbox {

class AccessKey {
 public:
  AccessKey() = default;

  std::string id;
  Secret secret;
  Secret session_token;             // empty for long-lived keys
  std::string arn;                  // who it is
  std::optional<WallTime> expires;  // empty: never
};

class AccessKeys {
 public:
  AccessKeys(Random& random, const AwsSettings& settings) : random_(random), settings_(settings) {}

  void add(AccessKey key) { keys_[key.id] = std::move(key); }
  /// Makes and keeps a key with a session token.
  const AccessKey& add_temporary(std::string arn, WallTime expires);

  /// Fills in `call.caller_arn`. Without checking, whoever signs is believed.
  Result<void> check(AwsCall& call, WallTime now) const;

  /// AWS' own refusal when the caller may not make the call. `resource`: the ARN that the call names, or
  /// empty.
  [[nodiscard]] Result<void> check_right(const AwsCall& call, const std::string& resource) const;

  bool checking = true;
  AccessRights rights;  // of every caller

 private:
  Random& random_;
  const AwsSettings& settings_;
  std::map<std::string, AccessKey, std::less<>> keys_;
};

}  // namespace ferryman::sandbox
