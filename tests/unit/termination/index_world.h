// SPDX-License-Identifier: Apache-2.0
// IndexWorld: a Membership over fakes, for an account with many target groups of which a few are the
// cluster's.
#pragma once

#include "termination/balancers/membership.h"
#include "unit/termination/world.h"

namespace ferryman::test {

class IndexWorld : public World {
 public:
  IndexWorld() { cluster.add_node(node_of(1)); }
  ~IndexWorld() {
    scans.cancel();
    sim.clock.advance(Duration{0});
  }
  IndexWorld(const IndexWorld&) = delete;
  IndexWorld& operator=(const IndexWorld&) = delete;

  static std::string name(int n) { return "g" + std::to_string(n); }
  static std::string arn(int n) { return FakeBalancers::arn(name(n)); }

  /// Groups 0 … n − 1; node 1 is in the first `own`, strangers are in the others.
  void add_groups(int n, int own) {
    for (int i = 0; i < n; ++i) {
      balancers.add_group(name(i), termination::BalancerType::application, std::chrono::seconds{30});
      balancers.put(arn(i), i < own ? instance(1) : instance(1000 + i), 80);
    }
  }
  void start() {
    scans.spawn("index", membership.run());
    sim.clock.advance(std::chrono::minutes{2});
  }
  /// For a node that has been in the cluster for long; the index answers for it.
  [[nodiscard]] termination::balancers::Sought sought(int n = 1) const {
    termination::balancers::Sought sought(instance(n));
    sought.listed_since = sim.clock.now() - std::chrono::seconds{10};
    return sought;
  }
  termination::balancers::Found find(termination::balancers::Sought sought) {
    return sim.run(membership.of(std::move(sought), within(std::chrono::minutes{1})));
  }
  [[nodiscard]] std::size_t reads() const { return script.count("balancers.health"); }

  Scope scans{sim.clock, sim.log};
  termination::balancers::PoolCalls pool_calls{balancers};
  termination::balancers::Rights rights{context};
  termination::balancers::Membership membership{context, pool_calls, cluster, rights, scans};
};

}  // namespace ferryman::test
