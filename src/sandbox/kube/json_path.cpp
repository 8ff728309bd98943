// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/json_path.h"

namespace ferryman::sandbox {

namespace {

/// Takes the first step off the path.
std::string_view next_step(std::string_view& path) {
  const std::string_view step = path.substr(0, path.find('.'));
  path.remove_prefix(std::min(step.size() + 1, path.size()));
  return step;
}

}  // namespace

const json::value* value_at(const json::value& root, std::string_view path) {
  const json::value* at = &root;
  while (at != nullptr && !path.empty()) at = find(at, next_step(path));
  return at;
}

std::string_view text_at(const json::value& root, std::string_view path) {
  const json::value* at = value_at(root, path);
  return at != nullptr && at->is_string() ? std::string_view(at->get_string()) : std::string_view();
}

json::value& make_at(json::value& root, std::string_view path) {
  json::value* at = &root;
  while (!path.empty()) {
    if (!at->is_object()) at->emplace_object();
    at = &at->get_object()[next_step(path)];
  }
  return *at;
}

void erase_at(json::value& root, std::string_view path) {
  json::value* at = &root;
  for (;;) {
    const std::string_view step = next_step(path);
    if (!at->is_object()) return;
    json::object& object = at->get_object();
    if (path.empty()) {
      object.erase(step);
      return;
    }
    at = object.if_contains(step);
    if (at == nullptr) return;
  }
}

}  // namespace ferryman::sandbox
