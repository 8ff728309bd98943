// SPDX-License-Identifier: Apache-2.0
// KubeTokens: whose bearer tokens the API server accepts, and until when. Until a first one is set everybody
// is an administrator.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/secret.h"
#include "base/time.h"
#include "sandbox/kube/access_rules.h"

namespace ferryman::sandbox {

class KubeTokens {
 public:
  /// Without `expires` for ever.
  void accept(const Secret& token, KubeUser user, std::optional<WallTime> expires = std::nullopt);
  void refuse(const Secret& token);

  /// Whose the value of an Authorization header is; empty: 401.
  [[nodiscard]] std::optional<KubeUser> user_of(std::string_view authorization, WallTime now) const;

 private:
  struct Holder {
    KubeUser user;
    std::optional<WallTime> expires;
  };

  std::map<std::string, Holder, std::less<>> holders_;  // by token
  bool open_ = true;
};

}  // namespace ferryman::sandbox
