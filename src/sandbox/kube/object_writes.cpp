// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/object_writes.h"

#include <fmt/format.h>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/kube_status.h"
#include "sandbox/kube/merge_patch.h"
#include "sandbox/kube/node_change.h"
#include "sandbox/kube/object_output.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view modified =
    "the object has been modified; please apply your changes to the latest version and try again";

/// A uid or resourceVersion in the new metadata is a precondition.
std::optional<net::HttpResponse> stale(const KubeCall& call, const json::value& wanted,
                                       const json::value& now) {
  const std::string_view uid = text_at(wanted, "metadata.uid");
  if (!uid.empty() && uid != uid_of(now)) {
    return conflict(*call.type, call.key.name,
                    fmt::format("Precondition failed: UID in precondition: {}, UID in object meta: {}", uid,
                                uid_of(now)));
  }
  const std::string_view version = text_at(wanted, "metadata.resourceVersion");
  if (!version.empty() && version != text_at(now, "metadata.resourceVersion")) {
    return conflict(*call.type, call.key.name, modified);
  }
  return std::nullopt;
}

/// What the typed API does to an object on its way in: no type fields, no flags that are off, no empty lists;
/// and the status belongs to the status subresource alone.
void settle(const KubeCall& call, json::value& object, const json::value* before) {
  erase_at(object, "kind");
  erase_at(object, "apiVersion");
  if (call.type->resource == "nodes") settle_node(object);
  if (before == nullptr || call.type->subresources.find("status") == std::string_view::npos) return;
  if (call.subresource == "status") {
    json::value kept = *before;
    if (const json::value* status = find(object, "status"); status != nullptr)
      make_at(kept, "status") = *status;
    object = std::move(kept);
  } else if (const json::value* status = find(*before, "status"); status != nullptr) {
    make_at(object, "status") = *status;
  } else {
    erase_at(object, "status");
  }
}

/// metadata.generation counts the forms of the spec; nodes have none.
void count_generation(const KubeCall& call, json::value& object, const json::value* before) {
  const json::value* spec = find(object, "spec");
  if (spec == nullptr || call.type->resource == "nodes" || call.type->resource == "pods") return;
  std::int64_t generation = 1;
  if (before != nullptr) {
    const json::value* old = find(*before, "spec");
    generation = integer_at(find(*before, "metadata"), "generation").value_or(1);
    if (old == nullptr || *old != *spec) ++generation;
  }
  make_at(object, "metadata.generation") = generation;
}

net::HttpReply replace(ClusterState& state, KubeCall& call, json::value wanted, const ObjectPtr& before) {
  const std::string_view name = text_at(wanted, "metadata.name");
  if (!name.empty() && name != call.key.name) {
    return bad_request(fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                                   name, call.key.name));
  }
  if (auto answer = stale(call, wanted, *before)) return std::move(*answer);
  settle(call, wanted, before.get());
  count_generation(call, wanted, before.get());
  if (call.type->resource == "nodes") describe_node_change(*before, wanted, call.details);
  const OutputStyle style(call, state.clock.wall());
  if (is_dry_run(call, json::object())) return json_response(200, encode_object(style, wanted));
  const ObjectPtr after = state.objects.update(call.type->resource, call.key, std::move(wanted));
  return json_response(200, encode_object(style, *after));
}

}  // namespace

Result<json::value> body_of(const KubeCall& call) {
  if (call.body.empty()) return json::value(json::object());
  auto parsed = parse_json(call.body);
  if (parsed && !parsed->is_object()) return Error(Fault::invalid, "the body must be a JSON object");
  return parsed;
}

bool is_dry_run(const KubeCall& call, const json::value& options) {
  const json::array* asked = array_at(&options, "dryRun");
  return call.parameter("dryRun") == "All" || (asked != nullptr && !asked->empty());
}

std::optional<net::HttpResponse> failed_precondition(const KubeCall& call, const json::value& options,
                                                     const json::value& object) {
  const std::string_view uid = text_at(options, "preconditions.uid");
  const std::string_view version = text_at(options, "preconditions.resourceVersion");
  std::string why;
  if (!uid.empty() && uid != uid_of(object)) {
    why = fmt::format(
        "the UID in the precondition ({}) does not match the UID in record ({}). The object might have "
        "been deleted and then recreated",
        uid, uid_of(object));
  } else if (!version.empty() && version != text_at(object, "metadata.resourceVersion")) {
    why = fmt::format(
        "the ResourceVersion in the precondition ({}) does not match the ResourceVersion in record ({}). "
        "The object might have been modified",
        version, text_at(object, "metadata.resourceVersion"));
  } else {
    return std::nullopt;
  }
  return failure(
      409, "Conflict",
      fmt::format("Operation cannot be fulfilled on {} \"{}\": {}", call.type->kind, call.key.name, why),
      details_of(*call.type, call.key.name));
}

net::HttpReply create_object(ClusterState& state, KubeCall& call) {
  auto object = body_of(call);
  if (!object) return bad_request(object.error().text);
  std::string name(text_at(*object, "metadata.name"));
  const std::string_view prefix = text_at(*object, "metadata.generateName");
  if (name.empty() && !prefix.empty()) name = std::string(prefix) + state.objects.new_suffix();
  if (name.empty()) {
    return failure(
        422, "Invalid",
        fmt::format("{} \"\" is invalid: metadata.name: Required value: name or generateName is required",
                    call.type->kind),
        details_of(*call.type, ""));
  }
  call.key.name = name;
  make_at(*object, "metadata.name") = name;
  if (call.type->namespaced) make_at(*object, "metadata.namespace") = call.key.space;
  if (call.type->namespaced && state.objects.find("namespaces", {"", call.key.space}) == nullptr) {
    return not_found(*find_resource("", "v1", "namespaces"), call.key.space);
  }
  if (call.type->resource == "pods") make_at(*object, "status").emplace_object()["phase"] = "Pending";
  settle(call, *object, nullptr);
  count_generation(call, *object, nullptr);
  if (state.objects.find(call.type->resource, call.key) != nullptr) return already_exists(*call.type, name);
  const OutputStyle style(call, state.clock.wall());
  if (is_dry_run(call, json::object())) return json_response(201, encode_object(style, *object));
  const ObjectPtr made = state.objects.create(call.type->resource, std::move(*object));
  return json_response(201, encode_object(style, *made));
}

net::HttpReply update_object(ClusterState& state, KubeCall& call) {
  auto wanted = body_of(call);
  if (!wanted) return bad_request(wanted.error().text);
  const ObjectPtr before = state.objects.find(call.type->resource, call.key);
  if (before == nullptr) return not_found(*call.type, call.key.name);
  return replace(state, call, std::move(*wanted), before);
}

net::HttpReply patch_object(ClusterState& state, KubeCall& call) {
  const std::string_view type = call.headers.get("Content-Type");
  const bool merge = type.starts_with("application/merge-patch+json");
  const bool strategic = type.starts_with("application/strategic-merge-patch+json");
  if (!merge && !strategic) {
    return unsupported_media_type("application/merge-patch+json, application/strategic-merge-patch+json");
  }
  const auto patch = body_of(call);
  if (!patch) return bad_request(patch.error().text);
  const ObjectPtr before = state.objects.find(call.type->resource, call.key);
  if (before == nullptr) return not_found(*call.type, call.key.name);
  json::value wanted = *before;
  merge ? apply_merge_patch(wanted, *patch) : apply_strategic_patch(wanted, *patch);
  return replace(state, call, std::move(wanted), before);
}

net::HttpReply delete_object(ClusterState& state, KubeCall& call) {
  const auto options = body_of(call);
  if (!options) return bad_request(options.error().text);
  const ObjectPtr object = state.objects.find(call.type->resource, call.key);
  if (object == nullptr) return not_found(*call.type, call.key.name);
  if (auto answer = failed_precondition(call, *options, *object)) return std::move(*answer);
  json::object details = details_of(*call.type, call.key.name);
  details["uid"] = uid_of(*object);
  if (!is_dry_run(call, *options)) state.objects.remove(call.type->resource, call.key);
  return success(200, std::move(details));
}

}  // namespace ferryman::sandbox
