// SPDX-License-Identifier: Apache-2.0
// BalancedWorld: an EngineWorld with two target groups and a classic balancer.
#pragma once

#include <string>

#include "unit/termination/engine_world.h"

namespace ferryman::test {

inline const std::string web = FakeBalancers::arn("web");
inline const std::string api = FakeBalancers::arn("api");

/// Ending nodes are registered in all of them.
class BalancedWorld : public EngineWorld {
 public:
  BalancedWorld() {
    balancers.add_group("web", termination::BalancerType::application, std::chrono::seconds{30});
    balancers.add_group("api", termination::BalancerType::application, std::chrono::seconds{10});
    balancers.add_classic("old", std::chrono::seconds{15});
  }
  void put_everywhere(int n) {
    for (const std::string& pool : {web, api}) balancers.put(pool, instance(n), 30080);
    balancers.put("old", instance(n));
  }
  /// `n` registers, sends its message and starts to end, all within a moment.
  void end(int n) {
    put_everywhere(n);
    const termination::Event event = ending_node(n);
    cluster.edit_node(node_name(n), [&](termination::Node& node) { node.created = sim.clock.wall(); });
    send("m" + std::to_string(n), event);
  }
  [[nodiscard]] bool held(int n) const {
    return balancers.holds(web, instance(n)) || balancers.holds(api, instance(n)) ||
           balancers.holds("old", instance(n));
  }
  [[nodiscard]] bool in_everything(int n) const {
    return balancers.holds(web, instance(n)) && balancers.holds(api, instance(n)) &&
           balancers.holds("old", instance(n));
  }
  [[nodiscard]] Duration when(const std::string& operation, const std::string& what = {}) const {
    return script.calls().at(script.first(operation, what)).at - begin;
  }
};

}  // namespace ferryman::test
