// SPDX-License-Identifier: Apache-2.0
#include "kube/write_bodies.h"

#include <boost/json/serialize.hpp>

#include "base/json.h"

namespace ferryman::kube {

namespace {

json::object entries(const std::map<std::string, std::optional<std::string>>& changes) {
  json::object object;
  for (const auto& [key, value] : changes) {
    object[key] = value ? json::value(*value) : json::value(nullptr);
  }
  return object;
}

json::array taint_list(const std::vector<termination::Taint>& taints) {
  json::array list;
  for (const termination::Taint& taint : taints) {
    json::object item{{"key", taint.key}, {"effect", taint.effect}};
    if (!taint.value.empty()) item["value"] = taint.value;
    if (!taint.time_added.empty()) item["timeAdded"] = taint.time_added;
    list.push_back(std::move(item));
  }
  return list;
}

json::object options(const termination::PodKey& pod, std::optional<std::chrono::seconds> grace) {
  json::object object{{"preconditions", json::object{{"uid", pod.uid.str()}}}};
  if (grace) object["gracePeriodSeconds"] = grace->count();
  return object;
}

}  // namespace

std::string merge_patch(const termination::NodePatch& patch) {
  json::object metadata{{"uid", patch.uid.str()}, {"resourceVersion", patch.resource_version}};
  if (!patch.labels.empty()) metadata["labels"] = entries(patch.labels);
  if (!patch.annotations.empty()) metadata["annotations"] = entries(patch.annotations);
  json::object spec;
  if (patch.unschedulable) spec["unschedulable"] = *patch.unschedulable;
  if (patch.taints) spec["taints"] = taint_list(*patch.taints);
  json::object body{{"metadata", std::move(metadata)}};
  if (!spec.empty()) body["spec"] = std::move(spec);
  return json::serialize(body);
}

std::string eviction_body(const termination::PodKey& pod, std::optional<std::chrono::seconds> grace) {
  const json::object body{{"apiVersion", "policy/v1"},
                          {"kind", "Eviction"},
                          {"metadata", json::object{{"name", pod.name}, {"namespace", pod.pod_namespace}}},
                          {"deleteOptions", options(pod, grace)}};
  return json::serialize(body);
}

std::string delete_options(const termination::PodKey& pod, std::optional<std::chrono::seconds> grace) {
  json::object body = options(pod, grace);
  body["apiVersion"] = "v1";
  body["kind"] = "DeleteOptions";
  return json::serialize(body);
}

std::string delete_options(const termination::Node& node) {
  json::object preconditions{{"uid", node.uid.str()}, {"resourceVersion", node.resource_version}};
  const json::object body{
      {"apiVersion", "v1"}, {"kind", "DeleteOptions"}, {"preconditions", std::move(preconditions)}};
  return json::serialize(body);
}

}  // namespace ferryman::kube
