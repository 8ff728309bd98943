// SPDX-License-Identifier: Apache-2.0
// Credentials, where they come from (CredentialSource, one file each) and who hands them out
// (CredentialProvider, implemented by CredentialChain).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.h"
#include "base/result.h"
#include "base/secret.h"
#include "base/task.h"
#include "base/time.h"

namespace ferryman::aws {

class Credentials {
 public:
  Credentials() = default;

  std::string access_key_id;
  Secret secret_access_key;
  Secret session_token;             // empty for long-lived keys
  std::optional<WallTime> expires;  // empty: never
  std::string source;               // the source's name, for texts
};

class CredentialSource {
 public:
  virtual ~CredentialSource() = default;

  /// "environment", "web identity": for logs and texts.
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Always fresh ones. Error not_found: this source is not set up here, and `text` says what it lacks; the
  /// next one is asked. Any other error: it is set up but failed, and no other is asked in its place.
  virtual Task<Result<Credentials>> fetch(Deadline deadline) = 0;
};

class CredentialProvider {
 public:
  virtual ~CredentialProvider() = default;

  /// Valid ones, cached or fresh.
  virtual Task<Result<Credentials>> get(Deadline deadline) = 0;

  /// AWS says that these have expired: the next `get` gives fresh ones.
  virtual void expired(const Credentials& used) = 0;
};

}  // namespace ferryman::aws
