// SPDX-License-Identifier: Apache-2.0
// A cluster adapter in front of the fake API server, in simulated time.
#pragma once

#include <memory>
#include <string>

#include "kube/cluster.h"
#include "net/local_client.h"
#include "support/simulation.h"
#include "unit/kube/fake_api_server.h"

namespace ferryman::test {

/// An instance id whose digits end in `n`.
inline InstanceId instance(int n) {
  std::string digits = std::to_string(n);
  return InstanceId("i-" + std::string(17 - digits.size(), '0') + digits);
}

class KubeFixture {
 public:
  explicit KubeFixture(std::shared_ptr<kube::TokenSource> token = kube::static_token(Secret("t1"))) {
    http.route("*", server);
    kube::Access access;
    access.server = "https://api.test:6443";
    access.token = std::move(token);
    client = std::make_unique<kube::Client>(http, sim.clock, random, std::move(access), metrics);
    cluster =
        std::make_unique<kube::KubeCluster>(kube::Context(*client, sim.clock, random, sim.log, metrics));
  }
  ~KubeFixture() {
    sim.scope.cancel();
    sim.clock.advance(std::chrono::seconds{0});
  }
  KubeFixture(const KubeFixture&) = delete;
  KubeFixture& operator=(const KubeFixture&) = delete;

  /// Starts the reflectors and lets them work for a while.
  void start(Duration duration = std::chrono::seconds{1}) {
    cluster->start(sim.scope);
    pass(duration);
  }
  void pass(Duration duration) { sim.clock.advance(duration); }
  [[nodiscard]] Deadline soon() const { return Deadline::after(sim.clock, std::chrono::seconds{30}); }

  Simulation sim;
  FakeApiServer server{sim.clock};
  net::LocalClient http{sim.clock, sim.scope};
  Random random{7};
  kube::Metrics metrics;
  std::unique_ptr<kube::Client> client;
  std::unique_ptr<kube::KubeCluster> cluster;
};

}  // namespace ferryman::test
