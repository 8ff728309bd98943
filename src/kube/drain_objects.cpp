// SPDX-License-Identifier: Apache-2.0
#include "kube/drain_objects.h"

#include <map>
#include <vector>

namespace ferryman::kube {

namespace {

using termination::Budget;
using termination::VolumeAttachment;
using Requirement = LabelSelector::Requirement;
using Operator = LabelSelector::Operator;

std::optional<Operator> operator_of(std::string_view word) {
  if (word == "In") return Operator::in;
  if (word == "NotIn") return Operator::not_in;
  if (word == "Exists") return Operator::exists;
  if (word == "DoesNotExist") return Operator::absent;
  return std::nullopt;
}

std::vector<std::string> texts(const json::array* list) {
  std::vector<std::string> found;
  if (list == nullptr) return found;
  for (const json::value& item : *list) {
    if (item.is_string()) found.emplace_back(item.get_string());
  }
  return found;
}

/// matchLabels and matchExpressions: all must hold.
LabelSelector selector_from(const json::value& object) {
  std::vector<Requirement> all;
  const json::value* labels = find(object, "matchLabels");
  if (labels != nullptr && labels->is_object()) {
    for (const auto& [key, value] : labels->get_object()) {
      if (value.is_string())
        all.emplace_back(key, Operator::in, std::vector{std::string(value.get_string())});
    }
  }
  if (const json::array* expressions = array_at(&object, "matchExpressions")) {
    for (const json::value& item : *expressions) {
      const auto op = operator_of(string_at(item, "operator"));
      if (op) all.emplace_back(std::string(string_at(item, "key")), *op, texts(array_at(&item, "values")));
    }
  }
  return LabelSelector(std::move(all));
}

}  // namespace

std::optional<Budget> budget_from(const json::value& object) {
  const json::value* metadata = find(object, "metadata");
  const json::value* spec = find(object, "spec");
  const json::value* status = find(object, "status");
  const json::value* selector = find(spec, "selector");
  Budget budget;
  budget.budget_namespace = string_at(metadata, "namespace");
  budget.name = string_at(metadata, "name");
  if (budget.name.empty() || selector == nullptr || !selector->is_object()) return std::nullopt;
  budget.resource_version = string_at(metadata, "resourceVersion");
  budget.selector = selector_from(*selector);
  const auto number = [&](std::string_view key) { return integer_at(status, key).value_or(0); };
  budget.counted =
      status != nullptr && number("observedGeneration") >= integer_at(metadata, "generation").value_or(0);
  budget.allowed = number("disruptionsAllowed");
  budget.healthy = number("currentHealthy");
  budget.desired = number("desiredHealthy");
  budget.expected = number("expectedPods");
  budget.unready_may_go = string_at(spec, "unhealthyPodEvictionPolicy") == "AlwaysAllow";
  return budget;
}

std::optional<VolumeAttachment> attachment_from(const json::value& object) {
  const json::value* spec = find(object, "spec");
  VolumeAttachment attachment(std::string(string_at(find(object, "metadata"), "name")),
                              std::string(string_at(spec, "nodeName")),
                              std::string(string_at(find(spec, "source"), "persistentVolumeName")));
  if (attachment.node.empty() || attachment.volume.empty()) return std::nullopt;
  return attachment;
}

std::optional<std::string> full_name_of(const json::value& object) {
  const json::value* metadata = find(object, "metadata");
  const std::string_view name = string_at(metadata, "name");
  if (name.empty()) return std::nullopt;
  return std::string(string_at(metadata, "namespace")) + "/" + std::string(name);
}

}  // namespace ferryman::kube
