// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/yaml_body.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <charconv>
#include <string>

namespace ferryman::sandbox {

namespace {

// Aliases may stand for far more than the text holds.
constexpr int most_nodes = 100'000;
constexpr int most_levels = 32;

json::value scalar(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  // A quoted one has the tag "!".
  if (node.Tag() == "!" || node.Tag() == "tag:yaml.org,2002:str") return json::value(text);
  if (text.empty() || text == "null" || text == "~") return {};
  if (text == "true" || text == "false") return text == "true";
  const char* end = text.data() + text.size();
  std::int64_t whole = 0;
  if (const auto [at, failed] = std::from_chars(text.data(), end, whole);
      failed == std::errc() && at == end) {
    return whole;
  }
  double number = 0;
  if (const auto [at, failed] = std::from_chars(text.data(), end, number);
      failed == std::errc() && at == end) {
    return number;
  }
  return json::value(text);
}

Result<json::value> convert(const YAML::Node& node, int level, int& left) {
  if (--left < 0 || level > most_levels) return Error(Fault::invalid, "the YAML is too deep or too large");
  if (node.IsMap()) {
    json::object made;
    for (const auto& member : node) {
      if (!member.first.IsScalar()) return Error(Fault::invalid, "the YAML has a key that is no text");
      auto value = convert(member.second, level + 1, left);
      if (!value) return value;
      made[member.first.Scalar()] = std::move(*value);
    }
    return json::value(std::move(made));
  }
  if (node.IsSequence()) {
    json::array made;
    for (const auto& item : node) {
      auto value = convert(item, level + 1, left);
      if (!value) return value;
      made.push_back(std::move(*value));
    }
    return json::value(std::move(made));
  }
  return node.IsScalar() ? scalar(node) : json::value();
}

}  // namespace

Result<json::value> parse_yaml(std::string_view text) {
  try {
    int left = most_nodes;
    return convert(YAML::Load(std::string(text)), 0, left);
  } catch (const YAML::Exception& error) {
    return Error(Fault::invalid, fmt::format("error converting YAML to JSON: {}", error.what()));
  }
}

}  // namespace ferryman::sandbox
