// SPDX-License-Identifier: Apache-2.0
#include "termination/drain/rules.h"

#include <gtest/gtest.h>

#include <functional>

#include "unit/termination/fakes/fake_pod.h"

namespace ferryman::termination::drain {
namespace {

using namespace std::chrono_literals;
using test::FakePod;

const WallTime noon = *parse_rfc3339("2026-03-01T12:00:00Z");
const std::set<std::string> agents = {"shop/agent"};

/// "skip: static pod"
std::string word(const Verdict& verdict) {
  return std::string(name_of(verdict.treatment)) + ": " + std::string(verdict.reason);
}

LabelSelector selector(std::string_view text) {
  return parse_label_selector(text).value();
}

/// The verdict on one pod; what differs from the defaults is set in turn.
class Case {
 public:
  explicit Case(std::string owner = "ReplicaSet") : pod(FakePod("p", "n").owned_by(std::move(owner)).pod) {
    if (pod.owner_kind == "DaemonSet") pod.owner_name = "agent";
    if (pod.owner_kind == "Node") pod.mirror = true;
    pod.labels["app"] = "web";
  }

  Case& finished() { return pod.phase = "Succeeded", *this; }
  Case& orphaned() { return pod.owner_name = "gone", *this; }
  Case& with_data() { return pod.empty_dir = true, *this; }
  Case& ending(Duration from_noon) { return pod.terminating = true, pod.ends_by = noon + from_noon, *this; }
  Case& voluntary() { return of_voluntary_end = true, *this; }
  Case& under(const std::function<void(DrainPolicy&)>& set) { return set(policy), *this; }

  [[nodiscard]] std::string verdict() const {
    Judging judging(policy, noon);
    judging.voluntary = of_voluntary_end;
    judging.unreachable = silent;
    judging.asked = asked;
    judging.daemon_sets = known;
    return word(judge(pod, judging));
  }

  Pod pod;
  DrainPolicy policy;
  bool of_voluntary_end = false;
  bool silent = false;
  std::optional<WallTime> asked;
  const std::set<std::string>* known = &agents;
};

void no_force(DrainPolicy& policy) {
  policy.force = false;
}
void keep_data(DrainPolicy& policy) {
  policy.delete_emptydir_data = false;
}
void see_daemon_sets(DrainPolicy& policy) {
  policy.ignore_daemonsets = false;
}
void choose_daemons(DrainPolicy& policy) {
  policy.daemonset_pods = selector("app=web");
}
void protect(DrainPolicy& policy) {
  policy.protected_pods = selector("app=web");
}
void other_pods_only(DrainPolicy& policy) {
  policy.pod_selector = selector("app!=web");
}
void overdue_after_ten(DrainPolicy& policy) {
  policy.skip_wait_for_delete = 10s;
}

TEST(DrainRules, NothingRefusesByDefault) {
  EXPECT_EQ(Case().verdict(), "evict: workload");
  EXPECT_EQ(Case("").verdict(), "evict: workload");
  EXPECT_EQ(Case().with_data().verdict(), "evict: workload");
  EXPECT_EQ(Case("DaemonSet").orphaned().verdict(), "evict: its daemon set is gone");
  EXPECT_EQ(Case("Job").finished().verdict(), "sweep: finished");
  EXPECT_EQ(Case("DaemonSet").verdict(), "skip: daemon set");
  EXPECT_EQ(Case("Node").verdict(), "skip: static pod");
  EXPECT_EQ(Case().ending(20s).verdict(), "wait: terminating already");
}

TEST(DrainRules, KubectlsSettingsRefuse) {
  EXPECT_EQ(Case("").under(no_force).verdict(), "refuse: no controller");
  EXPECT_EQ(Case().under(no_force).verdict(), "evict: workload");
  EXPECT_EQ(Case("DaemonSet").orphaned().under(no_force).verdict(), "refuse: its daemon set is gone");
  EXPECT_EQ(Case().with_data().under(keep_data).verdict(), "refuse: data in an emptyDir");
  EXPECT_EQ(Case("DaemonSet").under(see_daemon_sets).verdict(), "refuse: daemon set, not ignored");
}

TEST(DrainRules, FinishedPodsPassWhatRefuses) {
  const auto all = [](DrainPolicy& policy) { no_force(policy), keep_data(policy), see_daemon_sets(policy); };
  EXPECT_EQ(Case("").finished().with_data().under(all).verdict(), "sweep: finished");
  EXPECT_EQ(Case("DaemonSet").finished().under(all).verdict(), "sweep: finished");
  EXPECT_EQ(Case("DaemonSet").orphaned().finished().under(all).verdict(), "sweep: finished");
  EXPECT_EQ(Case("Node").finished().under(all).verdict(), "skip: static pod");
}

TEST(DrainRules, ATerminatingPodGoesWhateverASettingSays) {
  const auto both = [](DrainPolicy& policy) { no_force(policy), keep_data(policy); };
  EXPECT_EQ(Case("").with_data().ending(20s).under(both).verdict(), "wait: terminating already");
  EXPECT_EQ(Case().ending(20s).voluntary().under(protect).verdict(), "wait: terminating already");
  EXPECT_EQ(Case("DaemonSet").ending(20s).verdict(), "skip: daemon set");
}

TEST(DrainRules, ADaemonSetIsTakenToExistUnlessKnownOtherwise) {
  Case orphan = Case("DaemonSet").orphaned();
  orphan.known = nullptr;
  EXPECT_EQ(orphan.verdict(), "skip: daemon set");
  Case elsewhere("DaemonSet");
  elsewhere.pod.key.pod_namespace = "other";
  EXPECT_EQ(elsewhere.verdict(), "evict: its daemon set is gone");
}

TEST(DrainRules, ChosenDaemonSetPodsGoLastEvenWhereOthersAreRefused) {
  EXPECT_EQ(Case("DaemonSet").under(choose_daemons).verdict(), "last: daemon set, chosen");
  EXPECT_EQ(Case("DaemonSet").under(choose_daemons).under(see_daemon_sets).verdict(),
            "last: daemon set, chosen");
  EXPECT_EQ(Case("DaemonSet").under(choose_daemons).with_data().under(keep_data).verdict(),
            "refuse: data in an emptyDir");
  EXPECT_EQ(Case("DaemonSet").under(choose_daemons).ending(20s).verdict(), "wait: terminating already");
  EXPECT_EQ(Case("DaemonSet").orphaned().under(choose_daemons).verdict(), "evict: its daemon set is gone");
  EXPECT_EQ(Case().under(choose_daemons).verdict(), "evict: workload");
  EXPECT_EQ(Case("DaemonSet").under([](DrainPolicy& p) { p.daemonset_pods = selector("app=x"); }).verdict(),
            "skip: daemon set");
}

TEST(DrainRules, PodsOutsideTheSelectorAreNotOurs) {
  EXPECT_EQ(Case().under(other_pods_only).verdict(), "skip: not in the pod selector");
  EXPECT_EQ(Case("").under(other_pods_only).under(no_force).verdict(), "skip: not in the pod selector");
  EXPECT_EQ(Case().ending(20s).under(other_pods_only).verdict(), "skip: not in the pod selector");
}

TEST(DrainRules, OverduePodsAreNotWaitedForWhenASettingSaysSo) {
  EXPECT_EQ(Case().ending(-1h).verdict(), "wait: terminating already");
  EXPECT_EQ(Case().ending(-11s).under(overdue_after_ten).verdict(), "skip: should have ended long ago");
  EXPECT_EQ(Case().ending(-10900ms).under(overdue_after_ten).verdict(), "wait: terminating already");
  EXPECT_EQ(Case().ending(5s).under(overdue_after_ten).verdict(), "wait: terminating already");
}

TEST(DrainRules, ASilentKubeletConfirmsNothingSoItsDeletedPodsAreNotWaitedFor) {
  Case deleted = Case().ending(24s);  // its grace is 30 s: it was asked to go 6 s ago
  EXPECT_EQ(deleted.verdict(), "wait: terminating already");
  deleted.silent = true;
  EXPECT_EQ(deleted.verdict(), "skip: deleted, and the kubelet does not report");
  EXPECT_EQ(deleted.ending(26s).verdict(), "wait: terminating already");
  Case running;
  running.silent = true;
  EXPECT_EQ(running.verdict(), "evict: workload");
  running.pod.terminating = true;  // as the watch tells it: not until when
  EXPECT_EQ(running.verdict(), "wait: terminating already");
  running.asked = noon - 4s;
  EXPECT_EQ(running.verdict(), "wait: terminating already");
  running.asked = noon - 5s;
  EXPECT_EQ(running.verdict(), "skip: deleted, and the kubelet does not report");
}

TEST(DrainRules, SomePodsStayForAnEndThatMayComeToNothing) {
  Case marked;
  marked.pod.forced_ends_only = true;
  EXPECT_EQ(marked.verdict(), "evict: workload");
  EXPECT_EQ(marked.voluntary().verdict(), "keep: not for an end that may come to nothing");
  Case of_others;
  of_others.pod.do_not_disrupt = true;
  EXPECT_EQ(of_others.verdict(), "evict: workload");
  EXPECT_EQ(of_others.voluntary().verdict(), "keep: not to be disrupted");
  EXPECT_EQ(Case().under(protect).verdict(), "evict: workload");
  EXPECT_EQ(Case().under(protect).voluntary().verdict(), "keep: a protected pod");
  EXPECT_EQ(Case("").under(protect).under(no_force).voluntary().verdict(), "refuse: no controller");
}

TEST(DrainRules, WithoutEvictionPodsAreDeletedAtOnce) {
  const auto plain = [](DrainPolicy& policy) { policy.disable_eviction = true; };
  EXPECT_EQ(Case().under(plain).verdict(), "remove: workload");
  EXPECT_EQ(Case("DaemonSet").orphaned().under(plain).verdict(), "remove: its daemon set is gone");
  EXPECT_EQ(Case("DaemonSet").under(plain).under(choose_daemons).verdict(), "last: daemon set, chosen");
}

TEST(DrainRules, OurOwnPodIsKnownByNamespaceAndName) {
  Policy policy;
  const Pod pod = FakePod("ferryman-1", "n").pod;
  EXPECT_FALSE(is_own_pod(pod, policy));
  policy.own_pod = "ferryman-1";
  policy.own_namespace = "elsewhere";
  EXPECT_FALSE(is_own_pod(pod, policy));
  policy.own_namespace = "shop";
  EXPECT_TRUE(is_own_pod(pod, policy));
}

}  // namespace
}  // namespace ferryman::termination::drain
