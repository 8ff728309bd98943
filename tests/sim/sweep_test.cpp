// SPDX-License-Identifier: Apache-2.0
// The sweep: one termination, rerun with a failure, a hang and a crash at every call in turn, before and
// after the call takes effect. Each run must end with the hook completed, the queue empty and no promise
// broken.
#include <gtest/gtest.h>

#include "sim/faulty_calls.h"
#include "sim/scene.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t nothing_spoiled = 1'000'000;

/// What one spoiled run came to; empty: well.
class Run {
 public:
  Run(std::size_t n, const net::CallFate& fate) : calls_(n, fate), scene_(SceneShape{}, 7) {
    Replica& first = scene_.start(&calls_);
    scene_.advance(5s);
    scene_.terminate();
    for (int second = 0; second < 1200; ++second) {
      scene_.advance(1s);
      if (first.client.is_cut() && !crashed_) restart();
      if (scene_.over()) break;
    }
    scene_.advance(20s);
  }

  [[nodiscard]] std::string verdict() {
    std::string text = scene_.over() ? "" : "not over after 20 minutes\n";
    text += scene_.broken();
    if (!text.empty()) text += log();
    return text;
  }
  [[nodiscard]] const std::vector<std::string>& calls() const { return calls_.calls(); }

 private:
  void restart() {
    crashed_ = true;
    scene_.advance(3s);
    scene_.start();
  }

  [[nodiscard]] std::string log() const {
    std::string all;
    for (const auto& replica : scene_.replicas()) {
      all += "--- replica\n";
      for (const auto& line : replica->logs.lines) all += line + "\n";
    }
    return all;
  }

  NthCall calls_;
  Scene scene_;
  bool crashed_ = false;
};

void sweep(const std::vector<NamedFate>& fates) {
  const std::vector<std::string> calls = Run(nothing_spoiled, net::CallFate()).calls();
  ASSERT_GT(calls.size(), 10U);
  int shown = 0;
  for (const NamedFate& fate : fates) {
    for (std::size_t n = 0; n < calls.size(); ++n) {
      const std::string verdict = Run(n, fate.fate).verdict();
      EXPECT_EQ(verdict, "") << fate.name << " at call " << n << ": " << calls[n];
      if (!verdict.empty() && ++shown == 3) FAIL() << "more runs left out";
    }
  }
}

TEST(Sweep, AFailureOrHangAtAnyCallIsSurvived) {
  sweep(failures_and_hangs());
}

TEST(Sweep, ACrashAtAnyCallIsTakenOverByTheNextStart) {
  sweep(crashes());
}

}  // namespace
}  // namespace ferryman::sim
