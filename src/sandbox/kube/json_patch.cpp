// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/json_patch.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>

namespace ferryman::sandbox {

namespace {

Error nowhere(std::string_view pointer) {
  return Error(Fault::not_found, fmt::format("the path {} leads nowhere", pointer));
}

/// One step of a pointer: ~1 stands for a slash, ~0 for a tilde.
std::string unescape(std::string_view step) {
  std::string text;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i] == '~' && i + 1 < step.size()) {
      text += step[++i] == '1' ? '/' : '~';
    } else {
      text += step[i];
    }
  }
  return text;
}

std::optional<std::size_t> index_of(std::string_view step, std::size_t most) {
  std::size_t index = 0;
  const auto [end, failed] = std::from_chars(step.data(), step.data() + step.size(), index);
  if (failed != std::errc() || end != step.data() + step.size() || index > most) return std::nullopt;
  return index;
}

json::value* step_into(json::value& at, std::string_view step) {
  if (at.is_object()) return at.get_object().if_contains(step);
  if (!at.is_array() || at.get_array().empty()) return nullptr;
  const auto index = index_of(step, at.get_array().size() - 1);
  return index ? &at.get_array()[*index] : nullptr;
}

/// The value that holds the pointer's last step, and that step.
struct Place {
  json::value* parent = nullptr;
  std::string last;
};

Place place_of(json::value& root, std::string_view pointer) {
  Place place;
  if (!pointer.starts_with('/')) return place;
  json::value* at = &root;
  while (at != nullptr) {
    pointer.remove_prefix(1);
    const std::size_t slash = pointer.find('/');
    std::string step = unescape(pointer.substr(0, slash));
    if (slash == std::string_view::npos) {
      place.parent = at;
      place.last = std::move(step);
      return place;
    }
    at = step_into(*at, step);
    pointer.remove_prefix(slash);
  }
  return place;
}

json::value* find_at(json::value& root, std::string_view pointer) {
  if (pointer.empty()) return &root;
  const Place place = place_of(root, pointer);
  return place.parent == nullptr ? nullptr : step_into(*place.parent, place.last);
}

Result<void> add(json::value& root, std::string_view pointer, json::value value) {
  if (pointer.empty()) {
    root = std::move(value);
    return {};
  }
  const Place place = place_of(root, pointer);
  if (place.parent == nullptr) return nowhere(pointer);
  if (place.parent->is_object()) {
    place.parent->get_object()[place.last] = std::move(value);
    return {};
  }
  if (!place.parent->is_array()) return nowhere(pointer);
  json::array& list = place.parent->get_array();
  const auto index = place.last == "-" ? std::optional(list.size()) : index_of(place.last, list.size());
  if (!index) return nowhere(pointer);
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
  return {};
}

Result<json::value> take(json::value& root, std::string_view pointer) {
  const Place place = place_of(root, pointer);
  json::value* at = place.parent == nullptr ? nullptr : step_into(*place.parent, place.last);
  if (at == nullptr) return nowhere(pointer);
  json::value taken = std::move(*at);
  if (place.parent->is_object()) {
    place.parent->get_object().erase(place.last);
  } else {
    json::array& list = place.parent->get_array();
    list.erase(list.begin() + (at - list.data()));
  }
  return taken;
}

Result<void> relocate(json::value& root, const json::value& operation, bool keep) {
  const std::string_view from = string_at(operation, "from");
  if (keep) {
    const json::value* at = find_at(root, from);
    return at == nullptr ? Result<void>(nowhere(from)) : add(root, string_at(operation, "path"), *at);
  }
  auto taken = take(root, from);
  if (!taken) return std::move(taken).error();
  return add(root, string_at(operation, "path"), std::move(*taken));
}

Result<void> perform(json::value& root, const json::value& operation) {
  const std::string_view op = string_at(operation, "op");
  const json::value* path = find(operation, "path");
  if (path == nullptr || !path->is_string()) return Error(Fault::invalid, "an operation has no path");
  const std::string_view pointer = path->get_string();
  if (op == "move" || op == "copy") return relocate(root, operation, op == "copy");
  if (op == "remove") {
    auto taken = take(root, pointer);
    return taken ? Result<void>() : std::move(taken).error();
  }
  const json::value* given = find(operation, "value");
  const json::value value = given == nullptr ? json::value() : *given;
  if (op == "add") return add(root, pointer, value);
  json::value* at = find_at(root, pointer);
  if (op == "test") {
    // A member that is not there equals null.
    const bool equal = at == nullptr ? value.is_null() : *at == value;
    return equal ? Result<void>() : Error(Fault::conflict, fmt::format("testing value {} failed", pointer));
  }
  if (op != "replace") return Error(Fault::invalid, fmt::format("\"{}\" is no operation", op));
  if (at == nullptr) return nowhere(pointer);
  *at = value;
  return {};
}

}  // namespace

Result<void> apply_json_patch(json::value& target, const json::value& patch) {
  if (!patch.is_array()) return Error(Fault::invalid, "a JSON patch must be a list of operations");
  for (const json::value& operation : patch.get_array()) {
    if (auto done = perform(target, operation); !done) return done;
  }
  return {};
}

}  // namespace ferryman::sandbox
