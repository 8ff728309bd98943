// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/field_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "sandbox/kube/json_path.h"

namespace ferryman::sandbox {

namespace {

constexpr std::array unowned_metadata{"creationTimestamp", "generation", "managedFields",   "name",
                                      "namespace",         "selfLink",   "resourceVersion", "uid"};

/// "k:{"name":"app"}" of a list's item; an item without a key of its own is told apart by null.
std::string item_key(const json::value& item, std::string_view keys) {
  json::object key;
  while (!keys.empty()) {
    const std::string_view name = keys.substr(0, keys.find(','));
    keys.remove_prefix(std::min(name.size() + 1, keys.size()));
    const json::value* value = find(item, name);
    // The only key with a default is a port's protocol.
    key[name] = value != nullptr ? *value : name == "protocol" ? json::value("TCP") : json::value();
  }
  return "k:" + json::serialize(key);
}

json::object set_of(const json::value& value, FieldType type);

void add_items(json::object& set, const json::array& list, FieldType type) {
  for (const json::value& item : list) {
    if (type.is_set()) {
      set["v:" + json::serialize(item)] = json::object();
      continue;
    }
    json::object inner = set_of(item, type.element());
    inner["."] = json::object();
    set[item_key(item, type.keys())] = std::move(inner);
  }
}

/// Empty for what is owned whole.
json::object set_of(const json::value& value, FieldType type) {
  json::object set;
  if (value.is_array() && type.is_list() && !type.is_atomic()) add_items(set, value.get_array(), type);
  if (!value.is_object() || type.is_atomic() || (!type.is_object() && !type.is_map())) return set;
  for (const auto& member : value.get_object()) {
    set[fmt::format("f:{}", std::string_view(member.key()))] =
        set_of(member.value(), type.field(member.key()));
  }
  return set;
}

bool matches_key(const json::value& item, std::string_view key) {
  boost::system::error_code failed;
  const json::value wanted = json::parse(key.substr(2), failed);
  if (failed) return false;
  if (key.starts_with("v:")) return item == wanted;
  if (!wanted.is_object()) return false;
  return std::all_of(wanted.get_object().begin(), wanted.get_object().end(), [&](const auto& member) {
    const json::value* value = find(item, member.key());
    if (value != nullptr) return *value == member.value();
    return member.value().is_null() || member.key() == "protocol";
  });
}

/// What a set's key stands for in an object or list; null when it is not there.
json::value* child_of(json::value& value, std::string_view key) {
  if (key.starts_with("f:"))
    return value.is_object() ? value.get_object().if_contains(key.substr(2)) : nullptr;
  if (!value.is_array()) return nullptr;
  json::array& list = value.get_array();
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const json::value& item) { return matches_key(item, key); });
  return found == list.end() ? nullptr : &*found;
}

const json::value* child_of(const json::value* value, std::string_view key) {
  return value == nullptr ? nullptr : child_of(const_cast<json::value&>(*value), key);  // NOLINT: only read
}

const json::object& object_of(const json::value& value) {
  static const json::object none;
  return value.is_object() ? value.get_object() : none;
}

void add_differing(json::object& out, const json::object& set, const json::value* a, const json::value* b) {
  for (const auto& member : set) {
    const std::string_view key = member.key();
    if (key == ".") continue;
    const json::value* left = child_of(a, key);
    const json::value* right = child_of(b, key);
    const json::object& inner = object_of(member.value());
    if (inner.empty()) {
      const bool same = left == nullptr || right == nullptr ? left == right : *left == *right;
      if (!same) out[key] = json::object();
      continue;
    }
    json::object changed;
    add_differing(changed, inner, left, right);
    if (inner.contains(".") && (left == nullptr) != (right == nullptr)) changed["."] = json::object();
    if (!changed.empty()) out[key] = std::move(changed);
  }
}

std::string step_text(std::string_view key) {
  if (key.starts_with("f:")) return fmt::format(".{}", key.substr(2));
  if (key.starts_with("v:")) return fmt::format("[={}]", key.substr(2));
  std::string text;
  boost::system::error_code failed;
  const json::value keys = json::parse(key.substr(2), failed);
  for (const auto& member : object_of(keys)) {
    if (!text.empty()) text += ',';
    text += fmt::format("{}={}", std::string_view(member.key()), json::serialize(member.value()));
  }
  return fmt::format("[{}]", text);
}

void add_paths(std::vector<std::string>& paths, const json::object& set, const std::string& path) {
  for (const auto& member : set) {
    const json::object& inner = object_of(member.value());
    if (member.key() == ".") {
      if (set.size() == 1) paths.push_back(path);
    } else if (inner.empty()) {
      paths.push_back(path + step_text(member.key()));
    } else {
      add_paths(paths, inner, path + step_text(member.key()));
    }
  }
}

void erase_child(json::value& parent, std::string_view key, const json::value* child) {
  if (parent.is_object()) {
    parent.get_object().erase(key.substr(2));
  } else {
    json::array& list = parent.get_array();
    list.erase(list.begin() + (child - list.data()));
  }
}

bool is_empty(const json::value& value) {
  return (value.is_object() && value.get_object().empty()) || (value.is_array() && value.get_array().empty());
}

}  // namespace

json::object field_set(const json::value& object, FieldType type) {
  json::object set = set_of(object, type);
  set.erase("f:kind");
  set.erase("f:apiVersion");
  json::value* metadata = set.if_contains("f:metadata");
  if (metadata == nullptr) return set;
  for (const char* name : unowned_metadata) metadata->get_object().erase(fmt::format("f:{}", name));
  if (metadata->get_object().empty()) set.erase("f:metadata");
  return set;
}

json::object unite(const json::object& a, const json::object& b) {
  json::object all = a;
  for (const auto& member : b) {
    json::value* place = all.if_contains(member.key());
    if (place == nullptr) {
      all[member.key()] = member.value();
    } else {
      *place = unite(object_of(*place), object_of(member.value()));
    }
  }
  return all;
}

json::object subtract(const json::object& a, const json::object& b) {
  json::object left;
  for (const auto& member : a) {
    const json::value* other = b.if_contains(member.key());
    if (other == nullptr) {
      left[member.key()] = member.value();
    } else if (const json::object inner = subtract(object_of(member.value()), object_of(*other));
               !inner.empty()) {
      left[member.key()] = inner;
    }
  }
  return left;
}

json::object differing(const json::object& set, const json::value& a, const json::value& b) {
  json::object out;
  add_differing(out, set, &a, &b);
  return out;
}

json::object intersect(const json::object& a, const json::object& b) {
  json::object both;
  for (const auto& member : a) {
    const json::value* other = b.if_contains(member.key());
    if (other == nullptr) continue;
    json::object inner = intersect(object_of(member.value()), object_of(*other));
    const bool leaf = object_of(member.value()).empty() && object_of(*other).empty();
    if (leaf || !inner.empty()) both[member.key()] = std::move(inner);
  }
  return both;
}

std::vector<std::string> paths_of(const json::object& set) {
  std::vector<std::string> paths;
  add_paths(paths, set, "");
  return paths;
}

void remove_fields(json::value& object, const json::object& set) {
  for (const auto& member : set) {
    json::value* child = member.key() == "." ? nullptr : child_of(object, member.key());
    if (child == nullptr) continue;
    const json::object& inner = object_of(member.value());
    bool gone = inner.empty() || inner.contains(".");
    if (!gone) {
      remove_fields(*child, inner);
      gone = is_empty(*child);
    }
    if (gone) erase_child(object, member.key(), child);
  }
}

void merge_applied(json::value& target, const json::value& applied, FieldType type) {
  if (applied.is_object() && !type.is_atomic() && (type.is_object() || type.is_map())) {
    if (!target.is_object()) target.emplace_object();
    for (const auto& member : applied.get_object()) {
      merge_applied(target.get_object()[member.key()], member.value(), type.field(member.key()));
    }
    return;
  }
  if (!applied.is_array() || !type.is_list() || type.is_atomic()) {
    target = applied;
    return;
  }
  if (!target.is_array()) target.emplace_array();
  for (const json::value& item : applied.get_array()) {
    const std::string key = type.is_set() ? "v:" + json::serialize(item) : item_key(item, type.keys());
    json::value* place = child_of(target, key);
    if (place == nullptr) place = &target.get_array().emplace_back(json::value());
    merge_applied(*place, item, type.element());
  }
}

}  // namespace ferryman::sandbox
