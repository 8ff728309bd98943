// SPDX-License-Identifier: Apache-2.0
// CredentialChain: asks its sources in order, keeps what the first one gives and renews it before it expires.
// One refresh at a time serves all who wait; while the old credentials are valid nobody waits for it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "aws/credentials.h"
#include "base/log.h"
#include "base/random.h"
#include "base/scope.h"

namespace ferryman::aws {

class CredentialChain final : public CredentialProvider {
 public:
  using Sources = std::vector<std::unique_ptr<CredentialSource>>;

  /// The SDKs' order is: settings, environment, web identity, profile, container, instance metadata
  /// (docs/adr/0011-credentials.md). `scope` runs the refreshes; it must be cancelled and joined before the
  /// chain dies.
  CredentialChain(Clock& clock, Random& random, Log log, Scope& scope, Sources sources);

  Task<Result<Credentials>> get(Deadline deadline) override;
  void expired(const Credentials& used) override;

 private:
  [[nodiscard]] const Credentials* usable() const;  // null: none, or expired
  void refresh_if_due();
  Task<void> refresh();
  Task<Result<Credentials>> ask_sources(Deadline deadline);
  void keep(Credentials fresh);
  void failed(Error error);

  Clock& clock_;
  Random& random_;
  Log log_;
  Scope& scope_;
  Sources sources_;
  Signal refreshed_;

  std::optional<Credentials> current_;
  SteadyTime valid_until_ = SteadyTime::max();
  SteadyTime refresh_at_ = SteadyTime::max();
  std::optional<Error> last_error_;
  int failures_ = 0;  // in a row
  bool refreshing_ = false;
};

}  // namespace ferryman::aws
