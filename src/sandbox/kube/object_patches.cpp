// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/object_patches.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sandbox/kube/access_reviews.h"
#include "sandbox/kube/event_forms.h"
#include "sandbox/kube/field_managers.h"
#include "sandbox/kube/json_patch.h"
#include "sandbox/kube/json_path.h"
#include "sandbox/kube/kube_status.h"
#include "sandbox/kube/merge_patch.h"
#include "sandbox/kube/object_check.h"
#include "sandbox/kube/object_writes.h"
#include "sandbox/kube/yaml_body.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view json_type = "application/json-patch+json";
constexpr std::string_view merge_type = "application/merge-patch+json";
constexpr std::string_view strategic_type = "application/strategic-merge-patch+json";
constexpr std::string_view apply_type = "application/apply-patch+yaml";

/// 422 without a word about what failed: so the API server answers a JSON patch that cannot be applied.
net::HttpResponse unprocessable() {
  json::object status =
      failure_status(422, "Invalid", "the server rejected our request due to an error in our request");
  status["details"] = json::object();
  return status_response(status);
}

net::HttpResponse invalid_patch(const KubeCall& call, std::string_view why) {
  const std::string text = fmt::format("patch: Invalid value: \"{}\": {}", call.body, why);
  json::object details;
  details["causes"] = json::array{json::object{
      {"reason", "FieldValueInvalid"}, {"message", json::string(text.substr(7))}, {"field", "patch"}}};
  return failure(422, "Invalid", fmt::format(" \"\" is invalid: {}", text), std::move(details));
}

/// The patched object, or why not.
std::optional<net::HttpResponse> patched(const KubeCall& call, std::string_view type, json::value& object) {
  auto patch = parse_json(call.body);
  if (!patch) return bad_request(fmt::format("error decoding patch: {}", patch.error().text));
  if (type == json_type) {
    const auto done = apply_json_patch(object, *patch);
    if (done) return std::nullopt;
    return patch->is_array() ? unprocessable() : bad_request(done.error().text);
  }
  if (!patch->is_object()) return bad_request("error decoding patch: the body must be a JSON object");
  if (type == merge_type) {
    apply_merge_patch(object, *patch);
  } else {
    apply_strategic_patch(object, *patch, schema_of(*call.type));
  }
  return std::nullopt;
}

/// As decode(), in the words for patches.
std::optional<net::HttpResponse> decode_patched(KubeCall& call, json::value& object) {
  const FieldType type = schema_of(*call.type);
  const std::string wrong = wrong_type(object, type);
  if (!wrong.empty()) return invalid_patch(call, wrong);
  const std::vector<std::string> unknown = drop_unknown(object, type);
  if (unknown.empty() || call.parameter("fieldValidation") == "Ignore") return std::nullopt;
  if (call.parameter("fieldValidation") == "Strict") return invalid_patch(call, strict_text(unknown));
  for (const std::string& path : unknown) call.warnings.push_back(fmt::format("unknown field \"{}\"", path));
  return std::nullopt;
}

net::HttpReply change(ClusterState& state, KubeCall& call, std::string_view type) {
  const ObjectPtr before = state.objects.find(call.type->resource, call.key);
  if (before == nullptr) return not_found(*call.type, call.key.name);
  json::value wanted = wire_form(*call.type, *before);
  if (auto answer = patched(call, type, wanted)) return std::move(*answer);
  if (auto answer = decode_patched(call, wanted)) return std::move(*answer);
  wanted = stored_form(*call.type, std::move(wanted));
  note_update(*before, wanted, schema_of(*call.type), field_manager(state, call));
  return replace_object(state, call, std::move(wanted), before);
}

net::HttpResponse apply_conflict(const std::vector<FieldConflict>& conflicts) {
  json::array causes;
  std::map<std::string, std::string> by_manager;
  for (const FieldConflict& one : conflicts) {
    causes.push_back(json::object{{"reason", "FieldManagerConflict"},
                                  {"message", json::string("conflict with " + one.manager)},
                                  {"field", json::string(one.path)}});
    by_manager[one.manager] += "\n- " + one.path;
  }
  std::string text;
  if (conflicts.size() == 1) {
    text = fmt::format("Apply failed with 1 conflict: conflict with {}: {}", conflicts[0].manager,
                       conflicts[0].path);
  } else {
    for (const auto& [manager, paths] : by_manager) {
      text += fmt::format("{}conflicts with {}:{}", text.empty() ? "" : "\n", manager, paths);
    }
    text = fmt::format("Apply failed with {} conflicts: {}", conflicts.size(), text);
  }
  return failure(409, "Conflict", text, json::object{{"causes", std::move(causes)}});
}

/// A configuration must say what it is, and hold nothing that the schema lacks, whatever validation is asked
/// for.
std::optional<net::HttpResponse> unfit(const KubeCall& call, const json::value& applied) {
  if (call.parameter("fieldManager").empty()) {
    return invalid_field({"meta.k8s.io", "PatchOptions", ""}, "fieldManager",
                         "Required value: is required for apply patch");
  }
  if (string_at(applied, "apiVersion") != call.type->api_version() ||
      string_at(applied, "kind") != call.type->kind) {
    return bad_request(
        fmt::format("incorrect type specified: expected {}, {}", call.type->api_version(), call.type->kind));
  }
  if (array_at(value_at(applied, "metadata"), "managedFields") != nullptr) {
    return bad_request("metadata.managedFields must be nil");
  }
  json::value copy = applied;
  const std::vector<std::string> unknown = drop_unknown(copy, schema_of(*call.type));
  const std::string wrong = wrong_type(applied, schema_of(*call.type));
  if (unknown.empty() && wrong.empty()) return std::nullopt;
  const std::string why =
      unknown.empty() ? wrong : fmt::format(".{}: field not declared in schema", unknown.front());
  return failure(
      500, "",
      fmt::format("failed to create typed patch object ({}; {}, Kind={}): {}", call.key.str(),
                  call.type->group.empty() ? "/v1" : call.type->api_version(), call.type->kind, why));
}

net::HttpReply apply(ClusterState& state, KubeCall& call) {
  auto applied = parse_json(call.body);
  if (!applied) applied = parse_yaml(call.body);
  if (!applied || !applied->is_object()) {
    return bad_request(fmt::format("error decoding YAML: {}", applied ? "no object" : applied.error().text));
  }
  if (auto answer = unfit(call, *applied)) return std::move(*answer);
  const ObjectPtr live = state.objects.find(call.type->resource, call.key);
  if (live == nullptr) {
    AccessQuestion creation = call.question();
    creation.verb = "create";
    if (!AccessRules(state.objects).judge(call.user, creation).allowed) return forbidden(call.user, creation);
  }
  const json::value now = live == nullptr ? json::value() : wire_form(*call.type, *live);
  ApplyOutcome outcome = apply_fields(live == nullptr ? nullptr : &now, *applied, schema_of(*call.type),
                                      field_manager(state, call), call.flag("force"));
  if (!outcome.conflicts.empty()) return apply_conflict(outcome.conflicts);
  json::value wanted = stored_form(*call.type, std::move(outcome.object));
  return live == nullptr ? insert_object(state, call, std::move(wanted))
                         : replace_object(state, call, std::move(wanted), live);
}

}  // namespace

net::HttpReply patch_object(ClusterState& state, KubeCall& call) {
  std::string_view type = call.headers.get("Content-Type");
  type = type.substr(0, type.find(';'));
  if (type == apply_type) return apply(state, call);
  if (type == json_type || type == merge_type || type == strategic_type) return change(state, call, type);
  return unsupported_media_type(
      fmt::format("{}, {}, {}, {}", json_type, merge_type, strategic_type, apply_type));
}

}  // namespace ferryman::sandbox
