// SPDX-License-Identifier: Apache-2.0
// Replica: one daemon of a scene with its own way to the world, its log, its chance and its files.
#pragma once

#include <memory>
#include <string>

#include "app/daemon.h"
#include "net/local_client.h"
#include "support/simulation.h"

namespace ferryman::sim {

/// In memory: the kubeconfig and nothing else.
class SceneFiles final : public Files {
 public:
  explicit SceneFiles(std::string kubeconfig) : kubeconfig_(std::move(kubeconfig)) {}

  Result<std::string> read(const std::string& path) override;

 private:
  std::string kubeconfig_;
};

/// Each call takes a while, whatever else becomes of it.
class SlowCalls final : public net::CallInterceptor {
 public:
  SlowCalls(Duration latency, net::CallInterceptor* inner) : latency_(latency), inner_(inner) {}

  net::CallFate on_call(const net::HttpRequest& request) override {
    net::CallFate fate = inner_ == nullptr ? net::CallFate() : inner_->on_call(request);
    fate.latency += latency_;
    return fate;
  }

 private:
  Duration latency_;
  net::CallInterceptor* inner_;
};

/// Who a cluster's daemons are, and where its API server is.
class Identity {
 public:
  explicit Identity(const std::string& cluster);

  [[nodiscard]] std::string kubeconfig() const;

  std::string kube_host;  // "kube.sim", "kube-other.sim"
  std::string access_key;
  std::string secret_key = "simulated-secret-access-key";
  std::string token = "simulated-bearer-token";
  std::string arn;
};

class Replica {
 public:
  Replica(test::Simulation& sim, Scope& servers, const Identity& identity, std::uint64_t seed);

  /// As a crash does: nothing gets in or out any more.
  void cut() { client.cut(); }

  net::LocalClient client;
  std::unique_ptr<SlowCalls> slow;
  Random random;
  test::LogCapture logs;
  Environment environment;
  SceneFiles files;
  NoPrograms programs;
  std::unique_ptr<app::Daemon> daemon;
  bool ended = false;
};

}  // namespace ferryman::sim
