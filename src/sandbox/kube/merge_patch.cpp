// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/merge_patch.h"

#include <algorithm>
#include <string>

namespace ferryman::sandbox {

namespace {

constexpr std::string_view delete_prefix = "$deleteFromPrimitiveList/";
constexpr std::string_view order_prefix = "$setElementOrder/";

const json::value* find_equal(const json::array& list, const json::value& wanted) {
  const auto found = std::find(list.begin(), list.end(), wanted);
  return found == list.end() ? nullptr : &*found;
}

/// Two items are the same when their key is; plain values when they are equal.
bool same_item(const json::value& a, const json::value& b, std::string_view key) {
  if (key.empty()) return a == b;
  const json::value* left = find(a, key);
  const json::value* right = find(b, key);
  return left != nullptr && right != nullptr && *left == *right;
}

json::array::iterator find_item(json::array& list, const json::value& wanted, std::string_view key) {
  return std::find_if(list.begin(), list.end(),
                      [&](const json::value& one) { return same_item(one, wanted, key); });
}

json::value without_directives(json::value item) {
  if (!item.is_object()) return item;
  json::value made = json::object();
  apply_merge_patch(made, item);
  made.get_object().erase("$patch");
  return made;
}

void merge_item(json::array& target, const json::value& item, FieldType list) {
  const std::string_view key = list.merge_key();
  const auto place = find_item(target, item, key);
  if (string_at(item, "$patch") == "delete") {
    if (place != target.end()) target.erase(place);
    return;
  }
  if (place != target.end()) {
    apply_strategic_patch(*place, item, list.element());
    return;
  }
  json::value made = json::object();
  apply_strategic_patch(made, item, list.element());
  target.push_back(std::move(made));
}

void merge_list(json::array& target, const json::array& patch, FieldType list) {
  const bool replaces = std::any_of(patch.begin(), patch.end(), [](const json::value& item) {
    return string_at(item, "$patch") == "replace";
  });
  if (replaces) target.clear();
  for (const json::value& item : patch) {
    if (replaces) {
      if (string_at(item, "$patch") != "replace") target.push_back(without_directives(item));
    } else {
      merge_item(target, item, list);
    }
  }
}

void join_list(json::array& target, const json::array& patch) {
  for (const json::value& item : patch) {
    if (find_equal(target, item) == nullptr) target.push_back(item);
  }
}

/// Named items first, in the order's order; the others keep theirs behind them.
void order_list(json::array& target, const json::array& order, std::string_view key) {
  json::array ordered;
  for (const json::value& wanted : order) {
    const auto place = find_item(target, wanted, key);
    if (place == target.end()) continue;
    ordered.push_back(std::move(*place));
    target.erase(place);
  }
  for (json::value& item : target) ordered.push_back(std::move(item));
  target = std::move(ordered);
}

/// Directives beside the fields: values to be taken off a plain list, the order of a list, the only keys to
/// stay.
void obey(json::object& target, std::string_view directive, const json::value& value, FieldType type) {
  if (!value.is_array()) return;
  const json::array& wanted = value.get_array();
  if (directive == "$retainKeys") {
    json::object kept;
    for (auto& member : target) {
      if (find_equal(wanted, json::value(member.key())) != nullptr)
        kept[member.key()] = std::move(member.value());
    }
    target = std::move(kept);
    return;
  }
  const bool deletes = directive.starts_with(delete_prefix);
  if (!deletes && !directive.starts_with(order_prefix)) return;
  const std::string_view field = directive.substr(deletes ? delete_prefix.size() : order_prefix.size());
  json::value* list = target.if_contains(field);
  if (list == nullptr || !list->is_array()) return;
  json::array& items = list->get_array();
  if (deletes) {
    const auto gone = [&](const json::value& item) { return find_equal(wanted, item) != nullptr; };
    items.erase(std::remove_if(items.begin(), items.end(), gone), items.end());
  } else {
    order_list(items, wanted, type.field(field).merge_key());
  }
}

void merge_member(json::object& object, std::string_view name, const json::value& value, FieldType type) {
  if (value.is_null()) {
    object.erase(name);
    return;
  }
  json::value& place = object[name];
  const bool list = value.is_array() && (type.joins() || !type.merge_key().empty());
  if (!list) {
    apply_strategic_patch(place, value, type);
    return;
  }
  if (!place.is_array()) place.emplace_array();
  if (type.joins()) {
    join_list(place.get_array(), value.get_array());
  } else {
    merge_list(place.get_array(), value.get_array(), type);
  }
}

}  // namespace

void apply_merge_patch(json::value& target, const json::value& patch) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  if (!target.is_object()) target.emplace_object();
  json::object& object = target.get_object();
  for (const auto& member : patch.get_object()) {
    if (member.value().is_null()) {
      object.erase(member.key());
    } else {
      apply_merge_patch(object[member.key()], member.value());
    }
  }
}

void apply_strategic_patch(json::value& target, const json::value& patch, FieldType type) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  const std::string_view whole = string_at(patch, "$patch");
  if (!target.is_object() || whole == "replace" || whole == "delete") target.emplace_object();
  if (whole == "delete") return;
  json::object& object = target.get_object();
  for (const auto& member : patch.get_object()) {
    const std::string_view name = member.key();
    if (!name.starts_with('$')) merge_member(object, name, member.value(), type.field(name));
  }
  for (const auto& member : patch.get_object()) {
    if (std::string_view(member.key()).starts_with('$')) obey(object, member.key(), member.value(), type);
  }
}

}  // namespace ferryman::sandbox
