// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/kube_tokens.h"

namespace ferryman::sandbox {

void KubeTokens::accept(const Secret& token, KubeUser user, std::optional<WallTime> expires) {
  open_ = false;
  holders_[token.reveal()] = Holder{std::move(user), expires};
}

void KubeTokens::refuse(const Secret& token) {
  open_ = false;
  holders_.erase(token.reveal());
}

std::optional<KubeUser> KubeTokens::user_of(std::string_view authorization, WallTime now) const {
  if (open_) return administrator("system:admin");
  constexpr std::string_view scheme = "Bearer ";
  if (!authorization.starts_with(scheme)) return std::nullopt;
  const auto found = holders_.find(authorization.substr(scheme.size()));
  if (found == holders_.end()) return std::nullopt;
  const Holder& holder = found->second;
  if (holder.expires && now >= *holder.expires) return std::nullopt;
  return holder.user;
}

}  // namespace ferryman::sandbox
