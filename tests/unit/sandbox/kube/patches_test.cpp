// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sandbox/kube/json_patch.h"
#include "sandbox/kube/merge_patch.h"
#include "sandbox/kube/object_check.h"
#include "small_cluster.h"

namespace ferryman::sandbox {
namespace {

constexpr const char* json_type = "application/json-patch+json";
constexpr const char* maps = "/api/v1/namespaces/default/configmaps";

json::value patched(std::string_view target, std::string_view patch) {
  json::value value = *parse_json(target);
  const auto done = apply_json_patch(value, *parse_json(patch));
  return done ? value : json::value(done.error().text);
}

TEST(JsonPatch, DoesItsSixOperations) {
  EXPECT_EQ(patched(R"({"a":1})", R"([{"op":"add","path":"/b","value":2}])"),
            *parse_json(R"({"a":1,"b":2})"));
  EXPECT_EQ(patched(R"({"a":[1,3]})",
                    R"([{"op":"add","path":"/a/1","value":2},{"op":"add","path":"/a/-","value":4}])"),
            *parse_json(R"({"a":[1,2,3,4]})"));
  EXPECT_EQ(patched(R"({"a":[1,2]})", R"([{"op":"remove","path":"/a/0"}])"), *parse_json(R"({"a":[2]})"));
  EXPECT_EQ(patched(R"({"a":{"b":1}})", R"([{"op":"replace","path":"/a/b","value":2}])"),
            *parse_json(R"({"a":{"b":2}})"));
  EXPECT_EQ(patched(R"({"a":{"b":1}})", R"([{"op":"move","from":"/a/b","path":"/c"}])"),
            *parse_json(R"({"a":{},"c":1})"));
  EXPECT_EQ(
      patched(R"({"a":1})", R"([{"op":"copy","from":"/a","path":"/c"},{"op":"test","path":"/c","value":1}])"),
      *parse_json(R"({"a":1,"c":1})"));
}

TEST(JsonPatch, SlashesAndTildesInNamesAreEscaped) {
  EXPECT_EQ(patched(R"({})", R"([{"op":"add","path":"/a~1b~0c","value":1}])"), *parse_json(R"({"a/b~c":1})"));
}

TEST(JsonPatch, WhatCannotBeDoneIsUnprocessable) {
  SmallCluster cluster(1);
  for (const char* patch : {R"([{"op":"remove","path":"/metadata/labels/none"}])",
                            R"([{"op":"replace","path":"/spec/none/x","value":1}])",
                            R"([{"op":"test","path":"/metadata/name","value":"other"}])"}) {
    const auto answer = cluster.call("PATCH", "/api/v1/nodes/node-1", patch, json_type);
    EXPECT_EQ(answer.status, 422) << patch;
    EXPECT_EQ(text_at(SmallCluster::body(answer), "reason"), "Invalid");
  }
  EXPECT_EQ(cluster.call("PATCH", "/api/v1/nodes/node-1", R"({"op":"add"})", json_type).status, 400);
}

TEST(JsonPatch, ChangesANode) {
  SmallCluster cluster(1);
  const auto answer = cluster.call("PATCH", "/api/v1/nodes/node-1",
                                   R"([{"op":"add","path":"/spec/unschedulable","value":true}])", json_type);
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(cluster.world.find_node(instance(1))->unschedulable);
}

TEST(StrategicPatch, JoinsAndPrunesPlainLists) {
  json::value pod = *parse_json(R"({"metadata":{"finalizers":["a","b"]}})");
  apply_strategic_patch(
      pod, *parse_json(R"({"metadata":{"finalizers":["c"],"$deleteFromPrimitiveList/finalizers":["a"]}})"),
      FieldType("Pod"));
  EXPECT_EQ(pod, *parse_json(R"({"metadata":{"finalizers":["b","c"]}})"));
}

TEST(StrategicPatch, ObeysOrderReplaceAndRetainKeys) {
  json::value pod = *parse_json(
      R"({"spec":{"containers":[{"name":"a"},{"name":"b"}],"volumes":[{"name":"v","emptyDir":{}}]}})");
  apply_strategic_patch(
      pod,
      *parse_json(
          R"({"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"a"}],"containers":[{"name":"b",)"
          R"("image":"i"}],"volumes":[{"$retainKeys":["name","hostPath"],"name":"v","hostPath":{"path":"/"}}]}})"),
      FieldType("Pod"));
  EXPECT_EQ(
      pod,
      *parse_json(R"({"spec":{"containers":[{"name":"b","image":"i"},{"name":"a"}],"volumes":[{"name":"v",)"
                  R"("hostPath":{"path":"/"}}]}})"));
  apply_strategic_patch(pod, *parse_json(R"({"spec":{"$patch":"replace","nodeName":"n"}})"),
                        FieldType("Pod"));
  EXPECT_EQ(pod, *parse_json(R"({"spec":{"nodeName":"n"}})"));
}

TEST(Decoding, UnknownFieldsAreDroppedWithAWarning) {
  SmallCluster cluster(1);
  const auto answer =
      cluster.call("POST", maps, R"({"metadata":{"name":"m"},"data":{"a":"1"},"date":{"b":"2"}})");
  EXPECT_EQ(answer.status, 201);
  EXPECT_EQ(answer.headers.get("Warning"), R"(299 - "unknown field \"date\"")");
  EXPECT_EQ(answer.body.find("date"), std::string::npos);
}

TEST(Decoding, UnknownFieldsAreRefusedUnderStrictValidation) {
  SmallCluster cluster(1);
  const auto answer =
      cluster.call("POST", "/api/v1/namespaces/default/pods?fieldValidation=Strict",
                   R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"a","imag":"x"}],"foo":1}})");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(text_at(SmallCluster::body(answer), "message"),
            R"(Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field )"
            R"("spec.containers[0].imag", unknown field "spec.foo")");
  const auto patch = cluster.call("PATCH", "/api/v1/nodes/node-1?fieldValidation=Strict",
                                  R"({"spec":{"foo":1}})", "application/merge-patch+json");
  EXPECT_EQ(patch.status, 422);
  EXPECT_NE(patch.body.find("unknown field \\\"spec.foo\\\""), std::string::npos) << patch.body;
}

TEST(Decoding, ValuesOfAWrongTypeAreRefusedByTheirPath) {
  const auto wrong = [](std::string_view text, std::string_view type) {
    return wrong_type(*parse_json(text), FieldType(type));
  };
  EXPECT_EQ(wrong(R"({"spec":{"nodeName":1}})", "Pod"),
            "json: cannot unmarshal number into Go struct field PodSpec.spec.nodeName of type string");
  EXPECT_EQ(wrong(R"({"metadata":{"labels":{"a":true}}})", "Node"),
            "json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string");
  EXPECT_EQ(
      wrong(R"({"spec":{"containers":{}}})", "Pod"),
      "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container");
  EXPECT_EQ(wrong(R"({"spec":{"minAvailable":"50%","maxUnavailable":1}})", "policy.PodDisruptionBudget"), "");
}

TEST(Decoding, AnotherTypeInTheBodyIsRefused) {
  SmallCluster cluster(1);
  const auto answer =
      cluster.call("POST", maps, R"({"apiVersion":"apps/v1","kind":"ConfigMap","metadata":{"name":"m"}})");
  EXPECT_EQ(answer.status, 400);
  EXPECT_NE(answer.body.find("does not match the expected API version (v1)"), std::string::npos);
}

TEST(Decoding, YamlIsTakenLikeJson) {
  SmallCluster cluster(1);
  const auto answer =
      cluster.call("POST", maps, "metadata:\n  name: m\ndata:\n  a: \"1\"\n  b: two\n", "application/yaml");
  ASSERT_EQ(answer.status, 201) << answer.body;
  EXPECT_EQ(text_at(SmallCluster::body(answer), "data.a"), "1");
}

// kubectl create configmap m --from-literal=a=1, as kubectl 1.37 sends it.
TEST(Decoding, ProtobufIsReadByThePublishedDefinitions) {
  SmallCluster cluster(1);
  const std::string metadata("\x0a\x01m", 3);
  const std::string entry(
      "\x0a\x01"
      "a"
      "\x12\x01"
      "1",
      6);
  const std::string map = "\x0a\x03" + metadata + "\x12\x06" + entry;
  const std::string names(
      "\x0a\x02v1\x12\x09"
      "ConfigMap",
      15);
  const std::string body = std::string("k8s\0\x0a", 5) + static_cast<char>(names.size()) + names + "\x12" +
                           static_cast<char>(map.size()) + map + std::string("\x1a\0\x22\0", 4);
  const auto answer = cluster.call("POST", maps, body, "application/vnd.kubernetes.protobuf");
  ASSERT_EQ(answer.status, 201) << answer.body;
  EXPECT_EQ(text_at(cluster.get(std::string(maps) + "/m"), "data.a"), "1");
}

TEST(Decoding, ProtobufThatCannotBeReadIsRefusedButForEvents) {
  SmallCluster cluster(1);
  constexpr const char* protobuf = "application/vnd.kubernetes.protobuf";
  const auto answer = cluster.call("POST", maps, "k8s", protobuf);
  EXPECT_EQ(answer.status, 415);
  EXPECT_EQ(text_at(SmallCluster::body(answer), "reason"), "UnsupportedMediaType");
  EXPECT_EQ(cluster.call("POST", "/api/v1/namespaces/default/events", "k8s", protobuf).status, 201);
}

}  // namespace
}  // namespace ferryman::sandbox
