// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/event_forms.h"

#include <array>
#include <string_view>
#include <utility>

namespace ferryman::sandbox {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> names{{
    // v1, events.k8s.io/v1
    {"involvedObject", "regarding"},
    {"message", "note"},
    {"reportingComponent", "reportingController"},
    {"source", "deprecatedSource"},
    {"firstTimestamp", "deprecatedFirstTimestamp"},
    {"lastTimestamp", "deprecatedLastTimestamp"},
    {"count", "deprecatedCount"},
}};

void rename(json::object& object, std::string_view from, std::string_view to) {
  json::value* at = object.if_contains(from);
  if (at == nullptr) return;
  json::value moved = std::move(*at);
  object.erase(from);
  object[to] = std::move(moved);
}

}  // namespace

bool has_wire_form(const ResourceType& type) {
  return type.group == "events.k8s.io";
}

json::value stored_form(const ResourceType& type, json::value object) {
  if (!has_wire_form(type) || !object.is_object()) return object;
  for (const auto& [old_name, new_name] : names) rename(object.get_object(), new_name, old_name);
  return object;
}

json::value wire_form(const ResourceType& type, const json::value& object) {
  json::value made = object;
  if (!has_wire_form(type) || !made.is_object()) return made;
  for (const auto& [old_name, new_name] : names) rename(made.get_object(), old_name, new_name);
  return made;
}

}  // namespace ferryman::sandbox
