// SPDX-License-Identifier: Apache-2.0
// Each call of a termination in turn fails, loses its answer, hangs or breaks: it must end well all the same.
#include <gtest/gtest.h>

#include "unit/termination/engine_world.h"

namespace ferryman::termination {
namespace {

using namespace std::chrono_literals;
using test::EngineWorld;
using test::Script;

enum class Harm : std::uint8_t { transport, throttled, conflict, lose_answer, hang, broken };

class Trouble : public testing::TestWithParam<const char*> {
 protected:
  static void order(Script& script, const std::string& operation, Harm harm, int nth) {
    switch (harm) {
      case Harm::transport:
        return script.fail(operation, Error(Fault::transport, "reset"), nth);
      case Harm::throttled:
        return script.fail(operation, Error(Fault::throttled, "slow down"), nth);
      case Harm::conflict:
        return script.fail(operation, Error(Fault::conflict, "modified"), nth);
      case Harm::lose_answer:
        return script.lose_answer(operation, nth);
      case Harm::hang:
        return script.hang(operation, nth);
      case Harm::broken:
        return script.break_at(operation, nth);
    }
  }

  static void run(EngineWorld& world) {
    world.cluster.add_pod(test::FakePod("guarded", test::node_name(1)).refused(2));
    world.script.lose_answer("cluster.patch_node", 2);  // so that the Node is read again
    world.start();
    world.send("m", world.ending_node(1));
    world.run_for(12min);
  }

  static void check(EngineWorld& world, const std::string& which) {
    EXPECT_EQ(world.cloud.completions.size(), 1U) << which;
    EXPECT_EQ(world.queue.size(), 0U) << which;
    EXPECT_TRUE(world.cluster.pods_on(test::node_name(1)).empty()) << which;
    EXPECT_TRUE(world.claim_of(1).closed) << which;
    EXPECT_TRUE(world.claim_of(1).cordoned) << which;
    const auto claimed = world.script.first("cluster.patch_node");
    EXPECT_LT(claimed, world.script.first("queue.remove")) << which;
    EXPECT_LT(claimed, world.script.first("cluster.evict")) << which;
    EXPECT_LT(world.script.first("cluster.refresh"), world.script.first("cloud.complete")) << which;
    EXPECT_TRUE(world.engine->status().empty()) << which;
  }
};

TEST_P(Trouble, AtAnyCallEndsInACompletion) {
  const std::string operation = GetParam();
  EngineWorld clean;
  run(clean);
  check(clean, "without trouble");
  const int calls = std::min(static_cast<int>(clean.script.count(operation)), 6);
  ASSERT_GT(calls, 0);
  for (int nth = 1; nth <= calls; ++nth) {
    for (const Harm harm :
         {Harm::transport, Harm::throttled, Harm::conflict, Harm::lose_answer, Harm::hang, Harm::broken}) {
      EngineWorld world;
      order(world.script, operation, harm, nth);
      run(world);
      check(world, operation + " " + std::to_string(nth) + " " + std::to_string(static_cast<int>(harm)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EachOperation, Trouble,
                         testing::Values("queue.receive", "queue.remove", "cloud.hooks", "cloud.complete",
                                         "cluster.patch_node", "cluster.read_node", "cluster.view_pods",
                                         "cluster.refresh", "cluster.evict"));

}  // namespace
}  // namespace ferryman::termination
