// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/node_change.h"

#include <fmt/format.h>

#include "sandbox/kube/json_path.h"

namespace ferryman::sandbox {

namespace {

bool same(const json::value* a, const json::value* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return *a == *b;
}

/// The keys of one map that differ in the other, "a,b".
void add_missing(const json::value* from, const json::value* to, bool only_absent, std::string& keys) {
  if (from == nullptr || !from->is_object()) return;
  for (const auto& member : from->get_object()) {
    const json::value* other = find(to, member.key());
    if (other != nullptr && (only_absent || *other == member.value())) continue;
    if (!keys.empty()) keys += ',';
    keys += std::string_view(member.key());
  }
}

std::string changed_keys(const json::value* before, const json::value* after) {
  std::string keys;
  add_missing(after, before, false, keys);
  add_missing(before, after, true, keys);
  return keys;
}

std::string taints_text(const json::value& node) {
  std::string text;
  if (const json::array* taints = array_at(value_at(node, "spec"), "taints"); taints != nullptr) {
    for (const json::value& taint : *taints) {
      if (!text.empty()) text += ',';
      text += fmt::format("{}:{}", string_at(taint, "key"), string_at(taint, "effect"));
    }
  }
  return text;
}

/// Any tool's claim: the sandbox does not know the product's names.
bool has_claim(const json::value& node) {
  const json::value* annotations = value_at(node, "metadata.annotations");
  if (annotations == nullptr || !annotations->is_object()) return false;
  for (const auto& member : annotations->get_object()) {
    if (std::string_view(member.key()).ends_with("/claim")) return true;
  }
  return false;
}

}  // namespace

void settle_node(json::value& node) {
  if (!bool_at(value_at(node, "spec"), "unschedulable")) erase_at(node, "spec.unschedulable");
  const json::array* taints = array_at(value_at(node, "spec"), "taints");
  if (taints == nullptr || taints->empty()) erase_at(node, "spec.taints");
}

void describe_node_change(const json::value& before, const json::value& after,
                          std::map<std::string, std::string>& details) {
  const bool was = bool_at(value_at(before, "spec"), "unschedulable");
  const bool is = bool_at(value_at(after, "spec"), "unschedulable");
  if (was != is) details["unschedulable"] = is ? "true" : "false";
  if (!same(value_at(before, "spec.taints"), value_at(after, "spec.taints")))
    details["taints"] = taints_text(after);
  for (const char* part : {"labels", "annotations"}) {
    const std::string path = fmt::format("metadata.{}", part);
    const std::string keys = changed_keys(value_at(before, path), value_at(after, path));
    if (!keys.empty()) details[part] = keys;
  }
  details["claim"] = has_claim(after) ? "present" : "absent";
}

}  // namespace ferryman::sandbox
