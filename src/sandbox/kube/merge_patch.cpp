// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/merge_patch.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace ferryman::sandbox {

namespace {

// From the patchMergeKey tags of the API's types; node taints and pod tolerations have none and are replaced.
constexpr std::array<std::pair<std::string_view, std::string_view>, 7> merge_keys{{
    {"addresses", "type"},
    {"conditions", "type"},
    {"containers", "name"},
    {"env", "name"},
    {"imagePullSecrets", "name"},
    {"ownerReferences", "uid"},
    {"volumes", "name"},
}};

std::string_view merge_key_of(std::string_view list) {
  const auto found = std::find_if(merge_keys.begin(), merge_keys.end(),
                                  [&](const auto& entry) { return entry.first == list; });
  return found == merge_keys.end() ? std::string_view() : found->second;
}

void merge_list(json::array& target, const json::array& patch, std::string_view key) {
  for (const json::value& item : patch) {
    const std::string_view name = string_at(item, key);
    const auto found = std::find_if(target.begin(), target.end(),
                                    [&](const json::value& one) { return string_at(one, key) == name; });
    const bool remove = string_at(item, "$patch") == "delete";
    if (remove) {
      if (found != target.end()) target.erase(found);
    } else if (found != target.end()) {
      apply_strategic_patch(*found, item);
    } else {
      json::value made = json::object();
      apply_strategic_patch(made, item);
      target.push_back(std::move(made));
    }
  }
}

void apply(json::value& target, const json::value& patch, bool strategic) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  if (!target.is_object() || (strategic && string_at(patch, "$patch") == "replace")) target.emplace_object();
  json::object& object = target.get_object();
  for (const auto& member : patch.get_object()) {
    const std::string_view name = member.key();
    if (strategic && name.starts_with('$')) continue;
    if (member.value().is_null()) {
      object.erase(name);
      continue;
    }
    json::value& place = object[name];
    const std::string_view key = strategic ? merge_key_of(name) : std::string_view();
    if (!key.empty() && member.value().is_array()) {
      if (!place.is_array()) place.emplace_array();
      merge_list(place.get_array(), member.value().get_array(), key);
    } else {
      apply(place, member.value(), strategic);
    }
  }
}

}  // namespace

void apply_merge_patch(json::value& target, const json::value& patch) {
  apply(target, patch, false);
}

void apply_strategic_patch(json::value& target, const json::value& patch) {
  apply(target, patch, true);
}

}  // namespace ferryman::sandbox
