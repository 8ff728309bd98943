// SPDX-License-Identifier: Apache-2.0
#include "kube/objects.h"

#include <gtest/gtest.h>

namespace ferryman::test {

namespace {

json::value parse(std::string_view text) {
  return *parse_json(text);
}

}  // namespace

TEST(KubeObjects, ANodeKeepsWhatWeUse) {
  const auto node = kube::node_from(parse(R"({
    "metadata": {"name": "a", "uid": "u", "resourceVersion": "7", "creationTimestamp": "2026-02-01T00:00:00Z", "labels": {"topology.kubernetes.io/zone": "b", "n": 5},
                 "annotations": {"ferryman.dev/claim": "{}", "other": "x"}},
    "spec": {"providerID": "aws:///us-west-2a/i-0123456789abcdef0", "unschedulable": true,
             "taints": [{"key": "k", "value": "v", "effect": "NoExecute", "timeAdded": "2026-03-01T12:00:00Z"}]},
    "status": {"conditions": [{"type": "Ready", "status": "True"}], "nodeInfo": {"bootID": "b1"}}})"));
  ASSERT_TRUE(node.has_value());
  EXPECT_EQ(node->name, "a");
  EXPECT_EQ(node->uid, Uid("u"));
  EXPECT_EQ(node->resource_version, "7");
  EXPECT_EQ(format_rfc3339(node->created), "2026-02-01T00:00:00Z");
  EXPECT_EQ(node->instance_id, InstanceId("i-0123456789abcdef0"));
  EXPECT_TRUE(node->unschedulable);
  EXPECT_TRUE(node->ready);
  EXPECT_EQ(node->boot_id, "b1");
  EXPECT_EQ(node->claim, "{}");
  EXPECT_EQ(node->labels, (std::map<std::string, std::string>{{"topology.kubernetes.io/zone", "b"}}));
  EXPECT_EQ(node->zone, "b");
  EXPECT_FALSE(node->unreachable);
  ASSERT_EQ(node->taints.size(), 1U);
  EXPECT_EQ(node->taints[0].time_added, "2026-03-01T12:00:00Z");
}

TEST(KubeObjects, ANodeThatIsUnknownIsNotReadyAndOneOfAnotherCloudHasNoInstance) {
  const auto node = kube::node_from(parse(R"({"metadata": {"name": "a", "uid": "u"},
    "spec": {"providerID": "gce://project/zone/name"}, "status": {"conditions": [{"type": "Ready", "status": "Unknown"}]}})"));
  EXPECT_FALSE(node->ready);
  EXPECT_TRUE(node->unreachable);
  EXPECT_TRUE(node->instance_id.empty());
}

TEST(KubeObjects, OnlyTheWordTrueKeepsAPodForForcedEnds) {
  const auto kept = [](std::string_view annotations) {
    return kube::pod_from(parse(R"({"metadata": {"name": "p", "uid": "u", "annotations": )" +
                                std::string(annotations) + "}}"))
        ->forced_ends_only;
  };
  EXPECT_TRUE(kept(R"({"ferryman.dev/forced-ends-only": "true"})"));
  EXPECT_FALSE(kept(R"({"ferryman.dev/forced-ends-only": "false"})"));
  EXPECT_FALSE(kept(R"({"ferryman.dev/forced-ends-only": true})"));
  EXPECT_FALSE(kept("{}"));
}

TEST(KubeObjects, APodKeepsWhatWeUse) {
  const auto pod = kube::pod_from(parse(R"({
    "metadata": {"name": "p", "namespace": "n", "uid": "u", "deletionTimestamp": "2026-03-01T12:00:00Z",
                 "annotations": {"kubernetes.io/config.mirror": "x"},
                 "ownerReferences": [{"kind": "Node", "name": "a"}, {"apiVersion": "apps/v1", "kind": "DaemonSet", "name": "d", "controller": true}]},
    "spec": {"hostNetwork": true, "terminationGracePeriodSeconds": 90, "priority": 2000001000},
    "status": {"phase": "Running"}})"));
  ASSERT_TRUE(pod.has_value());
  EXPECT_EQ(pod->key.pod_namespace, "n");
  EXPECT_EQ(pod->phase, "Running");
  EXPECT_EQ(pod->owner_kind, "DaemonSet");
  EXPECT_EQ(pod->owner_name, "d");
  EXPECT_TRUE(pod->mirror);
  EXPECT_TRUE(pod->terminating);
  EXPECT_EQ(format_rfc3339(pod->ends_by.value_or(WallTime())), "2026-03-01T12:00:00Z");
  EXPECT_TRUE(pod->host_network);
  EXPECT_EQ(pod->grace, std::chrono::seconds{90});
  EXPECT_EQ(pod->priority, 2'000'001'000);
}

TEST(KubeObjects, ADaemonSetOfAnotherGroupIsNone) {
  const auto pod = kube::pod_from(parse(R"({"metadata": {"name": "p", "uid": "u", "ownerReferences": [
    {"apiVersion": "apps.kruise.io/v1alpha1", "kind": "DaemonSet", "name": "d", "controller": true}]}})"));
  EXPECT_EQ(pod->owner_kind, "DaemonSet.apps.kruise.io");
}

TEST(KubeObjects, OtherSystemsWordsAgainstDisruptionCount) {
  const auto guarded = [](std::string_view annotations) {
    return kube::pod_from(parse(R"({"metadata": {"name": "p", "uid": "u", "annotations": )" +
                                std::string(annotations) + "}}"))
        ->do_not_disrupt;
  };
  EXPECT_TRUE(guarded(R"({"karpenter.sh/do-not-disrupt": "true"})"));
  EXPECT_TRUE(guarded(R"({"cluster-autoscaler.kubernetes.io/safe-to-evict": "false"})"));
  EXPECT_FALSE(guarded(R"({"karpenter.sh/do-not-disrupt": "false"})"));
  EXPECT_FALSE(guarded(R"({"cluster-autoscaler.kubernetes.io/safe-to-evict": "true"})"));
}

TEST(KubeObjects, AWaitIsADurationAndABadOneIsToldInWords) {
  const auto pod = [](std::string_view value) {
    return *kube::pod_from(
        parse(R"({"metadata": {"name": "p", "uid": "u", "annotations": {"ferryman.dev/wait-up-to": )" +
              std::string(value) + "}}}"));
  };
  EXPECT_EQ(pod(R"("45m")").wait_up_to, std::chrono::minutes{45});
  EXPECT_EQ(pod(R"("45m")").misread, "");
  EXPECT_FALSE(pod(R"("soon")").wait_up_to);
  EXPECT_EQ(
      pod(R"("soon")").misread,
      "annotation ferryman.dev/wait-up-to: \"soon\" is not a duration; write it like 90s, 1h30m or plain "
      "seconds");
  EXPECT_FALSE(pod("45").misread.empty());
}

TEST(KubeObjects, APodsVolumesSayWhatEndsWithItAndWhatIsDetached) {
  const auto pod = kube::pod_from(parse(R"({"metadata": {"name": "db-0", "uid": "u"}, "spec": {"volumes": [
    {"name": "cache", "emptyDir": {}}, {"name": "data", "persistentVolumeClaim": {"claimName": "data-db-0"}},
    {"name": "scratch", "ephemeral": {"volumeClaimTemplate": {}}}, {"name": "config", "configMap": {"name": "x"}}]}})"));
  EXPECT_TRUE(pod->empty_dir);
  EXPECT_EQ(pod->volume_claims, (std::vector<std::string>{"data-db-0", "db-0-scratch"}));
  const auto other = kube::pod_from(parse(R"({"metadata": {"name": "p", "uid": "u"}, "spec": {"volumes": [
    5, {"name": "x", "emptyDir": null}, {"hostPath": {"path": "/"}}, {"persistentVolumeClaim": {}}]}})"));
  EXPECT_FALSE(other->empty_dir);
  EXPECT_TRUE(other->volume_claims.empty());
}

TEST(KubeObjects, AContainerThatKeepsFailingIsSeenInSidecarsToo) {
  const auto looping = [](std::string_view status) {
    return kube::pod_from(
               parse(R"({"metadata": {"name": "p", "uid": "u"}, "status": {)" + std::string(status) + "}}"))
        ->crash_looping;
  };
  EXPECT_TRUE(looping(
      R"("containerStatuses": [{"state": {"running": {}}}, {"state": {"waiting": {"reason": "CrashLoopBackOff"}}}])"));
  EXPECT_TRUE(
      looping(R"("initContainerStatuses": [{"state": {"waiting": {"reason": "CrashLoopBackOff"}}}])"));
  EXPECT_FALSE(looping(R"("containerStatuses": [{"state": {"waiting": {"reason": "ContainerCreating"}}}])"));
  EXPECT_FALSE(looping(R"("containerStatuses": [5, {"state": "waiting"}])"));
}

TEST(KubeObjects, APodIsUnreadySinceItsConditionSaysFalse) {
  const auto since = [](std::string_view status) {
    const auto time =
        kube::pod_from(parse(R"({"metadata": {"name": "p", "uid": "u"}, "status": {"conditions": [
      {"type": "Initialized", "status": "False", "lastTransitionTime": "2020-01-01T00:00:00Z"},
      {"type": "Ready", "status": ")" +
                             std::string(status) + R"(", "lastTransitionTime": "2026-03-01T12:00:00Z"}]}})"))
            ->unready_since;
    return time ? format_rfc3339(*time) : std::string("never");
  };
  EXPECT_EQ(since("False"), "2026-03-01T12:00:00Z");
  EXPECT_EQ(since("True"), "never");
  EXPECT_EQ(since("Unknown"), "never");
}

TEST(KubeObjects, WrongTypesAreAsGoodAsMissing) {
  for (const char* text : {"null", "[]", "5", "{}", R"({"metadata": 5})",
                           R"({"metadata": {"name": 5, "uid": "u"}})", R"({"metadata": {"name": "a"}})"}) {
    EXPECT_FALSE(kube::node_from(parse(text)).has_value()) << text;
    EXPECT_FALSE(kube::pod_from(parse(text)).has_value()) << text;
  }
  const auto pod =
      kube::pod_from(parse(R"({"metadata": {"name": "p", "uid": "u", "ownerReferences": {}, "annotations": [],
    "deletionTimestamp": 5}, "spec": {"terminationGracePeriodSeconds": "90", "priority": 99999999999, "hostNetwork": 1}, "status": []})"));
  EXPECT_EQ(pod->grace, std::chrono::seconds{30});
  EXPECT_EQ(pod->priority, 2'147'483'647);
  EXPECT_FALSE(pod->mirror || pod->terminating || pod->host_network);
  const auto node = kube::node_from(parse(R"({"metadata": {"name": "a", "uid": "u", "labels": []},
    "spec": {"taints": [5, {"key": 5}, {}]}, "status": {"conditions": [5], "nodeInfo": "x"}})"));
  EXPECT_TRUE(node->taints.empty());
}

TEST(KubeObjects, OnlyAServiceOfLocalTrafficWithASelectorIsKept) {
  const auto local = kube::local_service_from(parse(R"({"metadata": {"name": "a", "namespace": "shop"},
    "spec": {"externalTrafficPolicy": "Local", "selector": {"app": "web"}}})"));
  ASSERT_TRUE(local);
  EXPECT_EQ(local->service_namespace, "shop");
  EXPECT_EQ(local->selector, (std::map<std::string, std::string>{{"app", "web"}}));
  for (const char* other : {R"({"spec": {"externalTrafficPolicy": "Cluster", "selector": {"app": "web"}}})",
                            R"({"spec": {"externalTrafficPolicy": "Local"}})", R"({"spec": 5})", "{}"})
    EXPECT_FALSE(kube::local_service_from(parse(other))) << other;
}

TEST(KubeObjects, APodThatTakesAPortOfTheNode) {
  const auto pod = kube::pod_from(parse(R"({"metadata": {"name": "a", "uid": "u", "labels": {"app": "web"}},
    "spec": {"containers": [{"name": "x"}, {"ports": [{"containerPort": 80}, {"hostPort": 80}]}]}})"));
  EXPECT_TRUE(pod->host_ports);
  EXPECT_EQ(pod->labels.at("app"), "web");
  EXPECT_FALSE(kube::pod_from(parse(R"({"metadata": {"name": "a", "uid": "u"},
    "spec": {"containers": [{"ports": [{"containerPort": 80}]}]}})"))
                   ->host_ports);
}

TEST(KubeObjects, VersionsAreNumbers) {
  EXPECT_EQ(kube::version_number("18446744073709551615"), 18'446'744'073'709'551'615U);
  for (const char* text : {"", "x", "1x", "-1", "18446744073709551616"})
    EXPECT_EQ(kube::version_number(text), 0U);
}

}  // namespace ferryman::test
