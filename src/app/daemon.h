// SPDX-License-Identifier: Apache-2.0
// Daemon: the whole of `ferryman serve` below its sockets: AWS, Kubernetes and the product put together. It
// opens nothing and reads no clock but the platform's, so simulations run it as it is.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/platform.h"
#include "app/probes.h"
#include "app/settings.h"
#include "base/scope.h"

namespace ferryman::app {

class Daemon final : private StatusSource {
 public:
  Daemon(Settings settings, const Platform& platform);
  Daemon(const Daemon&) = delete;
  Daemon& operator=(const Daemon&) = delete;
  /// Only before `run` or after it has ended.
  ~Daemon() override;

  /// Settings that cannot work, each with its cure. When there are any, `run` must not be called.
  [[nodiscard]] const std::vector<std::string>& problems() const;

  /// Works until it is stopped, or until the queue says that it cannot work (`refusal`); an unreachable queue
  /// or API server does not end it. End it with `stop`, never by cancelling.
  Task<void> run();

  /// From now on no new messages; running work may go on to a durable point. `run` ends by `deadline`.
  void stop(Deadline deadline);

  /// Why `run` ended by itself: names the setting, the value and the cure. Empty: it did not.
  [[nodiscard]] const std::string& refusal() const { return refusal_; }

  /// Probes, metrics and status page.
  net::HttpHandler& probes() { return probes_; }
  [[nodiscard]] bool ready() { return status().ready(); }
  /// Coroutines that ended by a bug; 0 in a sound program.
  [[nodiscard]] std::uint64_t failures() const;

 private:
  struct Parts;

  StatusReport status() override;
  std::string metrics_text() override;
  void add_health(StatusReport& report);
  Task<void> watch_readiness();
  Task<void> end_when_refused();
  Task<void> end(Deadline deadline);

  Settings settings_;
  Platform platform_;
  Log log_;
  WallTime started_;
  Signal stopping_;
  std::optional<Deadline> stop_by_;
  Scope scope_;  // reflectors, credential refreshes, the readiness watch
  std::unique_ptr<Parts> parts_;
  std::vector<std::string> problems_;
  std::string refusal_;
  Probes probes_{*this};
};

}  // namespace ferryman::app
