// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/object_filter.h"

#include <fmt/format.h>

#include <algorithm>

#include "sandbox/kube/json_path.h"

namespace ferryman::sandbox {

namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

/// At commas outside parentheses.
std::vector<std::string_view> split_terms(std::string_view text) {
  std::vector<std::string_view> terms;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    const std::string_view term = trimmed(text.substr(start, i - start));
    if (!term.empty()) terms.push_back(term);
    start = i + 1;
  }
  return terms;
}

bool is_indexed(std::string_view resource, std::string_view path) {
  if (path == "metadata.name" || path == "metadata.namespace") return true;
  if (resource == "nodes") return path == "spec.unschedulable";
  if (resource == "pods") {
    return path == "spec.nodeName" || path == "status.phase" || path == "spec.restartPolicy" ||
           path == "status.podIP" || path == "spec.hostNetwork" || path == "spec.serviceAccountName" ||
           path == "spec.schedulerName" || path == "status.nominatedNodeName";
  }
  if (resource == "events") {
    return path.starts_with("involvedObject.") || path == "reason" || path == "type" ||
           path == "reportingComponent" || path == "source";
  }
  return resource == "namespaces" && path == "status.phase";
}

}  // namespace

Result<ObjectFilter::LabelTerm> ObjectFilter::parse_label_term(std::string_view term) {
  LabelTerm parsed;
  const std::size_t open = term.find('(');
  if (open != std::string_view::npos) {
    if (!term.ends_with(')'))
      return Error(Fault::invalid, fmt::format("unable to parse requirement: {}", term));
    const std::string_view head = trimmed(term.substr(0, open));
    parsed.wanted = !head.ends_with(" notin");
    if (parsed.wanted && !head.ends_with(" in")) {
      return Error(Fault::invalid, fmt::format("unable to parse requirement: {}", term));
    }
    parsed.key = trimmed(head.substr(0, head.find(' ')));
    for (const std::string_view value : split_terms(term.substr(open + 1, term.size() - open - 2))) {
      parsed.values.emplace_back(value);
    }
    return parsed;
  }
  const std::size_t equals = term.find('=');
  if (equals == std::string_view::npos) {
    parsed.wanted = !term.starts_with('!');
    parsed.key = trimmed(parsed.wanted ? term : term.substr(1));
    return parsed;
  }
  parsed.wanted = equals == 0 || term[equals - 1] != '!';
  const std::string_view value = term.substr(equals + (term.substr(equals).starts_with("==") ? 2 : 1));
  parsed.key = trimmed(term.substr(0, parsed.wanted ? equals : equals - 1));
  if (value.find('=') != std::string_view::npos) {
    return Error(Fault::invalid, "unable to parse requirement: found '=', expected: identifier");
  }
  parsed.values.emplace_back(trimmed(value));
  return parsed;
}

Result<ObjectFilter::FieldTerm> ObjectFilter::parse_field_term(std::string_view resource,
                                                               std::string_view term) {
  const std::size_t equals = term.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return Error(Fault::invalid, fmt::format("invalid selector: '{}'; can't understand '{}'", term, term));
  }
  FieldTerm parsed;
  parsed.equal = term[equals - 1] != '!';
  parsed.path = trimmed(term.substr(0, parsed.equal ? equals : equals - 1));
  parsed.value = trimmed(term.substr(equals + (term.substr(equals).starts_with("==") ? 2 : 1)));
  if (!is_indexed(resource, parsed.path)) {
    return Error(Fault::invalid, fmt::format("field label not supported: {}", parsed.path));
  }
  return parsed;
}

Result<ObjectFilter> ObjectFilter::parse(std::string_view resource, std::string_view labels,
                                         std::string_view fields) {
  ObjectFilter filter;
  for (const std::string_view term : split_terms(labels)) {
    auto parsed = parse_label_term(term);
    if (!parsed) return std::move(parsed).error();
    filter.labels_.push_back(std::move(*parsed));
  }
  for (const std::string_view term : split_terms(fields)) {
    auto parsed = parse_field_term(resource, term);
    if (!parsed) return std::move(parsed).error();
    filter.fields_.push_back(std::move(*parsed));
  }
  return filter;
}

bool ObjectFilter::holds(const LabelTerm& term, const json::value& object) {
  const json::value* label = find(value_at(object, "metadata.labels"), term.key);
  if (label == nullptr) return !term.wanted;
  if (term.values.empty()) return term.wanted;
  const bool listed = std::any_of(term.values.begin(), term.values.end(), [&](const std::string& value) {
    return label->is_string() && label->get_string() == value;
  });
  return listed == term.wanted;
}

bool ObjectFilter::holds(const FieldTerm& term, const json::value& object) {
  const json::value* at = value_at(object, term.path);
  if (term.path == "source") {  // of an event, a name as the API server selects by it
    at = value_at(object, "source.component");
    if (at == nullptr) at = value_at(object, "reportingComponent");
  }
  // A flag that is off is not written.
  const bool flag = term.path == "spec.unschedulable" || term.path == "spec.hostNetwork";
  std::string text;
  if (flag) {
    text = at != nullptr && at->is_bool() && at->get_bool() ? "true" : "false";
  } else if (at != nullptr && at->is_string()) {
    text = std::string(at->get_string());
  }
  return (text == term.value) == term.equal;
}

std::string_view ObjectFilter::wanted_field(std::string_view path) const {
  for (const FieldTerm& term : fields_) {
    if (term.equal && term.path == path) return term.value;
  }
  return {};
}

bool ObjectFilter::matches(const json::value& object) const {
  if (!space.empty() && text_at(object, "metadata.namespace") != space) return false;
  if (!name.empty() && text_at(object, "metadata.name") != name) return false;
  return std::all_of(labels_.begin(), labels_.end(),
                     [&](const LabelTerm& term) { return holds(term, object); }) &&
         std::all_of(fields_.begin(), fields_.end(),
                     [&](const FieldTerm& term) { return holds(term, object); });
}

}  // namespace ferryman::sandbox
