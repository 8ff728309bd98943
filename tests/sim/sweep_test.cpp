// SPDX-License-Identifier: Apache-2.0
// The sweep: each story, told again with a failure, a hang and a crash at every call in turn, before and
// after the call takes effect. Each run must come to the story's end with no promise broken.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "sim/faulty_calls.h"
#include "sim/story.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t nothing_spoiled = 1'000'000;

std::unique_ptr<Story> story(std::size_t which) {
  return std::move(all_stories().at(which));
}

/// What one spoiled run came to; empty: well.
class Telling {
 public:
  Telling(std::size_t which, std::size_t n, const net::CallFate& fate)
      : story_(story(which)), calls_(n, fate), scene_(story_->shape(), 7) {
    constexpr int longest = 1800;
    Replica& first = scene_.start(&calls_);
    scene_.advance(5s);
    for (int second = 0; second < longest; ++second) {
      story_->tell(scene_, second);
      scene_.advance(1s);
      if (first.client.is_cut() && !crashed_) restart();
      if (story_->over(scene_)) break;
    }
    scene_.advance(20s);
  }

  [[nodiscard]] std::string verdict() {
    std::string text = story_->over(scene_) ? "" : "not over after half an hour\n";
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

  std::unique_ptr<Story> story_;
  NthCall calls_;
  Scene scene_;
  bool crashed_ = false;
};

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FERRYMAN_SLOW_BUILD
#endif
#endif
#ifdef FERRYMAN_SLOW_BUILD
constexpr int few = 2;  // each call costs several times as much there
#else
constexpr int few = 4;
#endif

/// A long story repeats its calls: of those that are alike only the first few are spoiled.
std::vector<std::size_t> worth_spoiling(const std::vector<std::string>& calls) {
  std::map<std::string, int> seen;
  std::vector<std::size_t> chosen;
  for (std::size_t n = 0; n < calls.size(); ++n) {
    if (++seen[calls[n]] <= few) chosen.push_back(n);
  }
  return chosen;
}

class Sweep : public ::testing::TestWithParam<std::size_t> {
 protected:
  static void sweep(const std::vector<NamedFate>& fates) {
    const std::vector<std::string> calls = Telling(GetParam(), nothing_spoiled, net::CallFate()).calls();
    ASSERT_GT(calls.size(), 5U);
    int shown = 0;
    for (const NamedFate& fate : fates) {
      for (const std::size_t n : worth_spoiling(calls)) {
        const std::string verdict = Telling(GetParam(), n, fate.fate).verdict();
        EXPECT_EQ(verdict, "") << story(GetParam())->name() << ": " << fate.name << " at call " << n << ": "
                               << calls[n];
        if (!verdict.empty() && ++shown == 3) FAIL() << "more runs left out";
      }
    }
  }
};

/// A call that no story makes is never spoiled.
TEST(SweepStories, ReachEachCallAboutLoadBalancers) {
  std::set<std::string> made;
  for (std::size_t which = 0; which < all_stories().size(); ++which) {
    const std::vector<std::string> calls = Telling(which, nothing_spoiled, net::CallFate()).calls();
    made.insert(calls.begin(), calls.end());
  }
  const std::string groups = " 2015-12-01";
  const std::string classic = " 2012-06-01";
  for (const std::string& call :
       {"DescribeTargetGroups" + groups, "DescribeTags" + groups, "DescribeTargetHealth" + groups,
        "DescribeTargetGroupAttributes" + groups, "DeregisterTargets" + groups, "RegisterTargets" + groups,
        "DescribeLoadBalancers" + classic, "DescribeInstanceHealth" + classic,
        "DescribeLoadBalancerAttributes" + classic, "DeregisterInstancesFromLoadBalancer" + classic,
        "RegisterInstancesWithLoadBalancer" + classic})
    EXPECT_TRUE(made.contains("POST " + call)) << call;
  const bool bindings = std::any_of(made.begin(), made.end(), [](const std::string& call) {
    return call.starts_with("GET ") && call.find("/targetgroupbindings") != std::string::npos;
  });
  EXPECT_TRUE(bindings);
}

TEST_P(Sweep, ComesToItsEndUndisturbed) {
  EXPECT_EQ(Telling(GetParam(), nothing_spoiled, net::CallFate()).verdict(), "") << story(GetParam())->name();
}

TEST_P(Sweep, SurvivesAFailureOrHangAtAnyCall) {
  sweep(failures_and_hangs());
}

TEST_P(Sweep, IsTakenOverByTheNextStartAfterACrashAtAnyCall) {
  sweep(crashes());
}

INSTANTIATE_TEST_SUITE_P(Stories, Sweep, ::testing::Range(std::size_t{0}, all_stories().size()),
                         [](const auto& instance) { return "story" + std::to_string(instance.param); });

}  // namespace
}  // namespace ferryman::sim
