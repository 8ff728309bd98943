// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/object_validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <set>

#include "sandbox/kube/json_path.h"

namespace ferryman::sandbox {

namespace {

constexpr std::size_t most_annotations = 262'144;

constexpr std::string_view subdomain_rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
    "start "
    "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    R"('[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'))";
constexpr std::string_view name_part_rule =
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric "
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view label_value_rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must "
    "start and "
    "end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for "
    "validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

bool is_lower_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

bool is_alphanumeric(char c) {
  return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z');
}

/// Parts between dots, each of lower case letters, digits and inner dashes.
bool is_subdomain(std::string_view text) {
  if (text.empty() || text.size() > 253) return false;
  while (true) {
    const std::size_t dot = text.find('.');
    const std::string_view part = text.substr(0, dot);
    const bool good =
        !part.empty() && is_lower_or_digit(part.front()) && is_lower_or_digit(part.back()) &&
        std::all_of(part.begin(), part.end(), [](char c) { return is_lower_or_digit(c) || c == '-'; });
    if (!good || dot == std::string_view::npos) return good;
    text.remove_prefix(dot + 1);
  }
}

bool is_name_part(std::string_view text) {
  return !text.empty() && text.size() <= 63 && is_alphanumeric(text.front()) &&
         is_alphanumeric(text.back()) && std::all_of(text.begin(), text.end(), [](char c) {
           return is_alphanumeric(c) || c == '-' || c == '_' || c == '.';
         });
}

std::optional<FieldProblem> name_problem(const ResourceType& type, const json::value& object) {
  const std::string_view name = text_at(object, "metadata.name");
  // Roles and bindings may be called anything that fits into a path.
  if (type.group == "rbac.authorization.k8s.io" || is_subdomain(name)) return std::nullopt;
  return FieldProblem("metadata.name", fmt::format("Invalid value: \"{}\": {}", name, subdomain_rule));
}

std::optional<FieldProblem> key_problem(const char* field, std::string_view key) {
  const std::size_t slash = key.find('/');
  const std::string_view name = slash == std::string_view::npos ? key : key.substr(slash + 1);
  if (!is_name_part(name)) {
    return FieldProblem(field, fmt::format("Invalid value: \"{}\": {}", key, name_part_rule));
  }
  if (slash == std::string_view::npos || is_subdomain(key.substr(0, slash))) return std::nullopt;
  return FieldProblem(field, fmt::format("Invalid value: \"{}\": prefix part {}", key, subdomain_rule));
}

std::optional<FieldProblem> label_problem(const json::value& object) {
  const json::value* labels = value_at(object, "metadata.labels");
  if (labels == nullptr || !labels->is_object()) return std::nullopt;
  for (const auto& label : labels->get_object()) {
    if (auto problem = key_problem("metadata.labels", label.key())) return problem;
    if (!label.value().is_string()) continue;
    const std::string_view value = label.value().get_string();
    if (value.empty() || is_name_part(value)) continue;
    return FieldProblem("metadata.labels", fmt::format("Invalid value: \"{}\": {}", value, label_value_rule));
  }
  return std::nullopt;
}

std::optional<FieldProblem> annotation_problem(const json::value& object) {
  const json::value* annotations = value_at(object, "metadata.annotations");
  if (annotations == nullptr || !annotations->is_object()) return std::nullopt;
  std::size_t size = 0;
  for (const auto& one : annotations->get_object()) {
    std::string key(one.key());
    for (char& c : key) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    if (auto problem = key_problem("metadata.annotations", key)) return problem;
    size += key.size() + (one.value().is_string() ? one.value().get_string().size() : 0);
  }
  if (size <= most_annotations) return std::nullopt;
  return FieldProblem("metadata.annotations",
                      fmt::format("Too long: may not be more than {} bytes", most_annotations));
}

std::optional<FieldProblem> taint_problem(const json::value& node) {
  const json::array* taints = array_at(value_at(node, "spec"), "taints");
  if (taints == nullptr) return std::nullopt;
  std::set<std::pair<std::string_view, std::string_view>> seen;
  std::size_t number = 0;
  for (const json::value& taint : *taints) {
    const std::string path = fmt::format("metadata.taints[{}]", number++);
    const std::string_view effect = string_at(taint, "effect");
    const std::string_view key = string_at(taint, "key");
    if (effect.empty()) return FieldProblem(path + ".effect", "Required value");
    if (effect != "NoSchedule" && effect != "PreferNoSchedule" && effect != "NoExecute") {
      return FieldProblem(path + ".effect",
                          fmt::format("Unsupported value: \"{}\": supported values: \"NoSchedule\", "
                                      "\"PreferNoSchedule\", \"NoExecute\"",
                                      effect));
    }
    if (auto problem = key_problem((path + ".key").c_str(), key)) return problem;
    if (seen.insert({key, effect}).second) continue;
    return FieldProblem(path,
                        fmt::format("Duplicate value: {{\"Key\":\"{}\",\"Value\":\"{}\",\"Effect\":\"{}\","
                                    "\"TimeAdded\":null}}: taints must be unique by key and effect pair",
                                    key, string_at(taint, "value"), effect));
  }
  return std::nullopt;
}

std::optional<FieldProblem> change_problem(const json::value& object, const json::value& before) {
  const std::string_view uid = text_at(object, "metadata.uid");
  if (!uid.empty() && uid != text_at(before, "metadata.uid")) {
    return FieldProblem("metadata.uid", fmt::format("Invalid value: \"{}\": field is immutable", uid));
  }
  return std::nullopt;
}

std::optional<FieldProblem> node_problem(const json::value& node, const json::value* before) {
  if (auto problem = taint_problem(node)) return problem;
  const std::string_view had = before == nullptr ? std::string_view() : text_at(*before, "spec.providerID");
  if (had.empty() || text_at(node, "spec.providerID") == had) return std::nullopt;
  return FieldProblem("spec.providerID", "Invalid value: null: field cannot be modified once set");
}

/// An int-or-string must be a number or a percentage.
std::optional<FieldProblem> share_problem(const json::value* spec, const char* name) {
  const std::string_view text = string_at(spec, name);
  if (text.empty()) return std::nullopt;
  const bool good = text.size() > 1 && text.ends_with('%') &&
                    text.substr(0, text.size() - 1).find_first_not_of("0123456789") == std::string_view::npos;
  if (good) return std::nullopt;
  return FieldProblem(
      fmt::format("spec.{}", name),
      fmt::format("Invalid value: \"{}\": a valid percent string must be a numeric string followed by "
                  "an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')",
                  text));
}

std::optional<FieldProblem> budget_problem(const json::value& budget) {
  const json::value* spec = value_at(budget, "spec");
  if (find(spec, "minAvailable") != nullptr && find(spec, "maxUnavailable") != nullptr) {
    return FieldProblem("spec",
                        fmt::format("Invalid value: {}: minAvailable and maxUnavailable cannot be both set",
                                    json::serialize(*spec)));
  }
  if (auto problem = share_problem(spec, "minAvailable")) return problem;
  return share_problem(spec, "maxUnavailable");
}

std::optional<FieldProblem> kind_problem(const ResourceType& type, const json::value& object,
                                         const json::value* before) {
  if (type.resource == "nodes") return node_problem(object, before);
  const json::value* spec = value_at(object, "spec");
  const std::int64_t duration = integer_at(spec, "leaseDurationSeconds").value_or(1);
  if (type.resource == "leases" && duration <= 0) {
    return FieldProblem("spec.leaseDurationSeconds",
                        fmt::format("Invalid value: {}: must be greater than 0", duration));
  }
  if (type.resource == "poddisruptionbudgets") return budget_problem(object);
  const json::array* containers = array_at(spec, "containers");
  if (type.resource == "pods" && (containers == nullptr || containers->empty())) {
    return FieldProblem("spec.containers", "Required value");
  }
  return std::nullopt;
}

}  // namespace

std::optional<FieldProblem> problem_of(const ResourceType& type, const json::value& object,
                                       const json::value* before) {
  if (before == nullptr) {
    if (auto problem = name_problem(type, object)) return problem;
  } else if (auto problem = change_problem(object, *before)) {
    return problem;
  }
  if (auto problem = label_problem(object)) return problem;
  if (auto problem = annotation_problem(object)) return problem;
  return kind_problem(type, object, before);
}

}  // namespace ferryman::sandbox
