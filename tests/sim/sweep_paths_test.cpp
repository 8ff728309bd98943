// SPDX-License-Identifier: Apache-2.0
// The sweep over the other ways that an instance ends or comes back: a failure, a hang or a crash at every
// call in turn. Each run must reach its end, with no promise broken.
#include <gtest/gtest.h>

#include "sim/faulty_calls.h"
#include "sim/scene_events.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t nothing_spoiled = 1'000'000;

/// One way, without what it does not need: few calls, each of which is spoiled once.
class Path {
 public:
  virtual ~Path() = default;
  virtual void begin(Scene& scene) = 0;
  /// Called every second.
  virtual void go_on(Scene& /*scene*/) {}
  virtual bool over(Scene& scene) = 0;

  static SceneShape shape() {
    SceneShape shape;
    shape.nodes = 2;
    shape.replicas = 2;
    shape.terminate = 0;
    shape.target_groups = 1;
    shape.classic_elbs = 0;
    shape.budget = false;
    return shape;
  }

 protected:
  static bool unschedulable(Scene& scene, const InstanceId& id) {
    const auto node = scene.kube().find_node(id);
    return node && node->unschedulable;
  }
};

/// The claim has to be there within the two minutes that the notice gives.
class SpotPath final : public Path {
 public:
  void begin(Scene& scene) override { scene.aws().interruptions().spot(scene.instances().front()); }
  void go_on(Scene& scene) override {
    cordoned_ = cordoned_ || unschedulable(scene, scene.instances().front());
  }
  bool over(Scene& scene) override {
    return cordoned_ && scene.queue().messages().empty() &&
           !scene.kube().find_node(scene.instances().front());
  }

 private:
  bool cordoned_ = false;
};

class LatePath final : public Path {
 public:
  void begin(Scene& scene) override {
    id_ = scene.cluster().start_late(20s);
    scene.cluster().end(id_);
  }
  bool over(Scene& scene) override {
    return scene.queue().messages().empty() && !scene.cluster().group().members.contains(id_);
  }

 private:
  InstanceId id_;
};

class NeverPath final : public Path {
 public:
  void begin(Scene& scene) override {
    scene.aws().settings().gone_noticed = 3h;
    id_ = scene.cluster().start_late(std::nullopt);
    scene.cluster().end(id_);
  }
  void go_on(Scene& scene) override {
    if (++seconds_ == 30) scene.aws().instances().shut_down(id_);
  }
  bool over(Scene& scene) override {
    return seconds_ > 30 && scene.queue().messages().empty() &&
           scene.aws().groups().actions().waits(id_).empty();
  }

 private:
  InstanceId id_;
  int seconds_ = 0;
};

/// To the warm pool and back.
class ReturnPath final : public Path {
 public:
  void begin(Scene& scene) override {
    sandbox::GroupHook hook;
    hook.name = "join";
    hook.transition = "autoscaling:EC2_INSTANCE_LAUNCHING";
    hook.heartbeat_timeout = 10min;
    scene.cluster().group().hooks["join"] = hook;
    scene.cluster().group().warm_pool = sandbox::WarmPool();
    scene.cluster().end(scene.instances().front());
  }
  void go_on(Scene& scene) override {
    const InstanceId& id = scene.instances().front();
    // For some time after the stop its Node looks as if it were Ready.
    if (!back_ && !scene.kube().find_node(id)->ready) back_ = scene.aws().groups().take_from_warm_pool(id);
  }
  bool over(Scene& scene) override {
    const InstanceId& id = scene.instances().front();
    const auto node = scene.kube().find_node(id);
    return back_ && node && node->ready && !node->unschedulable && scene.queue().messages().empty() &&
           scene.cluster().group().members.at(id) == "InService";
  }

 private:
  bool back_ = false;
};

/// What one spoiled run came to; empty: well.
template <class Way>
class PathRun {
 public:
  PathRun(std::size_t n, const net::CallFate& fate) : calls_(n, fate), scene_(Path::shape(), 7) {
    Replica& first = scene_.start(&calls_);
    scene_.advance(5s);
    way_.begin(scene_);
    for (int second = 0; second < 1200 && !way_.over(scene_); ++second) {
      scene_.advance(1s);
      way_.go_on(scene_);
      if (first.client.is_cut() && !crashed_) restart();
    }
    scene_.advance(20s);
  }

  [[nodiscard]] std::string verdict() {
    std::string text = way_.over(scene_) ? "" : "not over after 20 minutes\n";
    text += scene_.broken();
    if (text.empty()) return text;
    for (const auto& replica : scene_.replicas()) {
      text += "--- replica\n";
      for (const auto& line : replica->logs.lines) text += line + "\n";
    }
    return text;
  }
  [[nodiscard]] const std::vector<std::string>& calls() const { return calls_.calls(); }

 private:
  void restart() {
    crashed_ = true;
    scene_.advance(3s);
    scene_.start();
  }

  Way way_;
  NthCall calls_;
  Scene scene_;
  bool crashed_ = false;
};

template <class Way>
void sweep() {
  const std::vector<std::string> calls = PathRun<Way>(nothing_spoiled, net::CallFate()).calls();
  ASSERT_GT(calls.size(), 5U);
  std::vector<NamedFate> fates = failures_and_hangs();
  for (NamedFate& fate : crashes()) fates.push_back(std::move(fate));
  int shown = 0;
  for (const NamedFate& fate : fates) {
    for (std::size_t n = 0; n < calls.size(); ++n) {
      const std::string verdict = PathRun<Way>(n, fate.fate).verdict();
      EXPECT_EQ(verdict, "") << fate.name << " at call " << n << ": " << calls[n];
      if (!verdict.empty() && ++shown == 3) FAIL() << "more runs left out";
    }
  }
}

TEST(SweepPaths, OfASpotNotice) {
  sweep<SpotPath>();
}

TEST(SweepPaths, OfANodeThatIsLate) {
  sweep<LatePath>();
}

TEST(SweepPaths, OfANodeThatNeverComes) {
  sweep<NeverPath>();
}

TEST(SweepPaths, ToTheWarmPoolAndBack) {
  sweep<ReturnPath>();
}

}  // namespace
}  // namespace ferryman::sim
