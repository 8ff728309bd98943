// SPDX-License-Identifier: Apache-2.0
#include "app/drain_settings.h"

#include <gtest/gtest.h>

#include "app/settings_table.h"
#include "unit/app/memory_files.h"

namespace ferryman::app {
namespace {

using namespace std::chrono_literals;
using termination::EventKind;
using Words = std::vector<std::string>;

DrainReading read(const Words& flags) {
  test::MemoryFiles files;
  const Resolution resolution = resolve_settings(serve_table(), flags, Environment(), files);
  EXPECT_EQ(resolution.problems, Words{});
  return DrainReading(resolution.values);
}

bool heeds(const DrainReading& reading, EventKind kind) {
  return reading.policy.heed_waits.at(static_cast<std::size_t>(kind));
}

TEST(DrainSettings, NamesOfKubectlMeanWhatTheyMeanThere) {
  const DrainReading reading = read({"--ignore-daemonsets=false", "--delete-emptydir-data=false",
                                     "--force=false", "--pod-selector=app in (a,b)", "--grace-period=5",
                                     "--disable-eviction", "--skip-wait-for-delete-timeout=10"});
  EXPECT_EQ(reading.problems, Words{});
  const termination::DrainPolicy& policy = reading.policy;
  EXPECT_FALSE(policy.ignore_daemonsets || policy.delete_emptydir_data || policy.force);
  EXPECT_TRUE(policy.pod_selector.matches({{"app", "b"}}));
  EXPECT_FALSE(policy.pod_selector.matches({}));
  EXPECT_EQ(policy.grace_period, 5s);
  EXPECT_TRUE(policy.disable_eviction);
  EXPECT_EQ(policy.skip_wait_for_delete, 10s);
}

TEST(DrainSettings, OurOwnAreReadTheSameWay) {
  const termination::DrainPolicy policy =
      read({"--delete-unready-after=2m", "--wave-label=team/wave", "--force-phase-at=95",
            "--force-grace-zero", "--volume-wait=0", "--no-execute-after-drain", "--out-of-service-taint",
            "--delete-node", "--undo-failed-drain", "--delete-phase-at=50"})
          .policy;
  EXPECT_EQ(policy.delete_unready_after, 2min);
  EXPECT_EQ(policy.wave_label, "team/wave");
  EXPECT_DOUBLE_EQ(policy.delete_phase_at, 0.5);
  EXPECT_DOUBLE_EQ(policy.force_phase_at, 0.95);
  EXPECT_EQ(policy.volume_wait, 0s);
  EXPECT_TRUE(policy.force_grace_zero && policy.no_execute_after && policy.out_of_service &&
              policy.delete_node && policy.undo_failed);
}

TEST(DrainSettings, AnEmptySelectorChoosesAndProtectsNoPod) {
  EXPECT_FALSE(read({}).policy.daemonset_pods);
  EXPECT_FALSE(read({"--protected-pods="}).policy.protected_pods);
  EXPECT_TRUE(read({"--protected-pods=app"}).policy.protected_pods->matches({{"app", "x"}}));
  EXPECT_TRUE(read({"--delete-daemonset-pods=app"}).policy.daemonset_pods->matches({{"app", "x"}}));
}

TEST(DrainSettings, ASelectorThatCannotBeReadIsNamedWithItsFault) {
  for (const char* name : {"pod-selector", "protected-pods", "delete-daemonset-pods"}) {
    const DrainReading reading = read({"--" + std::string(name) + "=app is web"});
    EXPECT_EQ(
        reading.problems,
        Words{"setting " + std::string(name) + ": \"app is web\" from flag --" + name +
              " is not a label selector: expected in or notin before \"is\" at character 8; write it like "
              "app=web,tier in (a,b),!canary"});
  }
}

TEST(DrainSettings, NoGraceAtAllMustBeMeant) {
  const DrainReading reading = read({"--grace-period=0"});
  ASSERT_EQ(reading.problems.size(), 1U);
  EXPECT_NE(reading.problems[0].find("write 1, or set --force-grace-zero too"), std::string::npos);
  EXPECT_FALSE(reading.policy.grace_period);
  EXPECT_EQ(read({"--grace-period=0", "--force-grace-zero"}).policy.grace_period, 0s);
  EXPECT_FALSE(read({"--grace-period=-1"}).policy.grace_period);
}

TEST(DrainSettings, WaitsAreHeededForTheKindsThatAreNamed) {
  const DrainReading usual = read({});
  EXPECT_TRUE(heeds(usual, EventKind::asg_terminate) && heeds(usual, EventKind::scheduled_change) &&
              heeds(usual, EventKind::rebalance_recommendation) && heeds(usual, EventKind::instance_status));
  EXPECT_FALSE(heeds(usual, EventKind::spot_interruption) || heeds(usual, EventKind::state_change));
  const DrainReading one = read({"--heed-waits=spot-interruption"});
  EXPECT_TRUE(heeds(one, EventKind::spot_interruption));
  EXPECT_FALSE(heeds(one, EventKind::asg_terminate));
  EXPECT_EQ(read({"--heed-waits=none"}).policy.heed_waits, (std::array<bool, termination::event_kinds>{}));
}

TEST(DrainSettings, AKindThatDoesNotExistIsNamedWithWhatWasMeant) {
  const DrainReading reading = read({"--heed-waits=asg-terminate,spot-interuption"});
  ASSERT_EQ(reading.problems.size(), 1U);
  EXPECT_NE(reading.problems[0].find("(did you mean spot-interruption?); write some of asg-terminate,spot-"),
            std::string::npos)
      << reading.problems[0];
  EXPECT_EQ(read({"--heed-waits=asg-launch"}).problems.size(), 1U);
}

TEST(DrainSettings, PrioritiesOfWavesAreIntegersInAnyOrder) {
  EXPECT_EQ(read({"--wave-priorities=2000000000,-5,1000"}).policy.wave_priorities,
            (std::vector<std::int32_t>{-5, 1000, 2'000'000'000}));
  EXPECT_TRUE(read({"--wave-priorities=none"}).policy.wave_priorities.empty());
  for (const char* wrong : {"2147483648", "high", "1.5"}) {
    const DrainReading reading = read({"--wave-priorities=5," + std::string(wrong)});
    ASSERT_EQ(reading.problems.size(), 1U) << wrong;
    EXPECT_NE(reading.problems[0].find("\"" + std::string(wrong) + "\"; write integers from -2147483648"),
              std::string::npos);
  }
}

TEST(DrainSettings, ForceDoesNotComeBeforeDelete) {
  const DrainReading reading = read({"--force-phase-at=70"});
  ASSERT_EQ(reading.problems.size(), 1U);
  EXPECT_NE(reading.problems[0].find("is before delete-phase-at (80%)"), std::string::npos);
  EXPECT_NE(reading.problems[0].find("write 80 or more, or 0"), std::string::npos);
  EXPECT_EQ(read({"--force-phase-at=80"}).problems, Words{});
  EXPECT_EQ(read({"--force-phase-at=70", "--delete-phase-at=70"}).problems, Words{});
}

}  // namespace
}  // namespace ferryman::app
