// SPDX-License-Identifier: Apache-2.0
// sim_explore: random worlds with random faults, by seed, until the time is up. Ends with "R runs, B broken";
// each broken run is told with its seed, which replays it exactly: sim_explore --seed N --runs 1.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "sim/faulty_calls.h"
#include "sim/scene_events.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

SceneShape random_shape(Random& random) {
  SceneShape shape;
  shape.nodes = static_cast<int>(2 + random.below(6));
  shape.terminate = static_cast<int>(1 + random.below(static_cast<std::uint64_t>(shape.nodes)));
  shape.replicas = static_cast<int>(1 + random.below(12));
  shape.heartbeat_timeout = std::chrono::seconds{60 + random.below(240)};
  shape.pod_grace = std::chrono::seconds{1 + random.below(60)};
  shape.pod_end = std::chrono::seconds{random.below(90)};
  shape.ready_after = std::chrono::seconds{random.below(30)};
  // With no node left, a budget can never allow the last pod to go before the final deadline.
  shape.target_groups = static_cast<int>(random.below(6));
  shape.classic_elbs = static_cast<int>(random.below(3));
  shape.deregistration_delay = std::chrono::seconds{random.below(120)};
  shape.budget = random.below(2) == 0 && shape.terminate < shape.nodes;
  shape.state_changes = random.below(3) == 0;
  if (random.below(3) == 0) shape.arguments = {"--hook=drain"};
  return shape;
}

/// What else AWS says meanwhile: of the same instances, more than once, and of strangers.
void disturb(Scene& scene, Random& random) {
  SceneEvents events(scene);
  for (int i = 0; i < scene.cluster().shape().terminate; ++i) {
    const InstanceId& id = scene.instances().at(static_cast<std::size_t>(i));
    const Duration when = std::chrono::seconds{random.below(90)};
    const std::uint64_t what = random.below(5);
    scene.aws().timeline().after(when, [&scene, id, what] {
      if (what == 0) scene.aws().interruptions().spot(id);
      if (what == 1) SceneEvents(scene).spot(id);
      if (what == 2) SceneEvents(scene).rebalance(id);
    });
  }
  for (const InstanceId& id : events.foreign(static_cast<int>(random.below(20)), Foreign::unknown))
    events.spot(id);
}

std::string run(std::uint64_t seed, bool verbose) {
  Random random(seed);
  Scene scene(random_shape(random), seed);
  RandomCalls calls(random.next(), 0.15 * random.unit(), true);
  Replica* replica = &scene.start(&calls);
  scene.advance(std::chrono::seconds{random.below(10)});
  // A hook that is named is ours even when the event that would tell of it is lost.
  const bool lost = !scene.cluster().shape().arguments.empty() && random.below(2) == 0;
  if (lost) scene.aws().events().lose_next();
  scene.terminate();
  disturb(scene, random);
  const auto healthy_from = std::chrono::seconds{20 + random.below(300)};
  // Until everything was said that will be, and the troubles are over.
  const auto at_least = std::max<std::chrono::seconds>(100s, healthy_from + 1s);
  for (auto second = 0s; second < 3h && (second < at_least || !scene.over()); ++second) {
    scene.advance(1s);
    if (second == healthy_from) calls.heal();
    if (!replica->client.is_cut()) continue;
    scene.advance(std::chrono::seconds{random.below(10)});
    replica = &scene.start(&calls);
  }
  scene.advance(60s);
  scene.run_to_the_end(10min);  // a state change that was told a moment ago is held until its work is over
  // Two crashes within one hook's timeout can lose more time than the hook has: each hides the messages anew.
  // What nobody told of is found when a third of that timeout is over at the earliest.
  scene.terms().hooks_may_time_out = lost || scene.replicas().size() > 2;
  std::string text = scene.over() ? "" : "not over after 3 hours\n";
  text += scene.broken();
  if (!verbose) return text;
  for (const auto& each : scene.replicas()) {
    text += "--- replica\n";
    for (const auto& line : each->logs.lines) text += line + "\n";
  }
  return text;
}

struct Options {
  std::uint64_t seed = 1;
  std::uint64_t runs = 0;  // 0: until the time is up
  std::chrono::seconds time{10};
  bool verbose = false;
};

int explore(const Options& options) {
  const auto until = std::chrono::steady_clock::now() + options.time;
  std::uint64_t runs = 0;
  std::uint64_t broken = 0;
  const auto more = [&] {
    return options.runs > 0 ? runs < options.runs : std::chrono::steady_clock::now() < until;
  };
  for (std::uint64_t seed = options.seed; more(); ++seed, ++runs) {
    const std::string text = run(seed, options.verbose);
    if (options.verbose) std::cout << text;
    if (text.empty() || options.verbose) continue;
    ++broken;
    std::cout << fmt::format("seed {}:\n{}", seed, text);
  }
  std::cout << fmt::format("{} runs, {} broken\n", runs, broken);
  return broken == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace ferryman::sim

int main(int argc, char** argv) {
  constexpr std::string_view help =
      "sim_explore: random worlds with random faults in simulated time; ends with \"R runs, B broken\".\n"
      "  --seconds N  go on so long (10)\n"
      "  --runs N     or so many runs\n"
      "  --seed N     of the first run; each next one counts on\n"
      "  --verbose    print each run's log and what it broke\n";
  ferryman::sim::Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    const bool takes_value = name == "--seconds" || name == "--seed" || name == "--runs";
    if (name == "--seconds") options.time = std::chrono::seconds{std::atol(value)};
    if (name == "--seed") options.seed = std::strtoull(value, nullptr, 10);
    if (name == "--runs") options.runs = std::strtoull(value, nullptr, 10);
    if (name == "--verbose") options.verbose = true;
    i += takes_value ? 1 : 0;
    if (takes_value || name == "--verbose") continue;
    const bool asked = name == "--help" || name == "-h";
    (asked ? std::cout : std::cerr) << (asked ? "" : "sim_explore: what is " + std::string(name) + "?\n")
                                    << help;
    return asked ? 0 : 2;
  }
  return ferryman::sim::explore(options);
}
