// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/object_writes.h"

#include <fmt/format.h>

#include "sandbox/kube/event_forms.h"
#include "sandbox/kube/field_managers.h"
#include "sandbox/kube/json_path.h"
#include "sandbox/kube/kube_status.h"
#include "sandbox/kube/node_change.h"
#include "sandbox/kube/object_check.h"
#include "sandbox/kube/object_output.h"
#include "sandbox/kube/object_validation.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view modified =
    "the object has been modified; please apply your changes to the latest version and try again";

/// A resourceVersion in the new metadata is a precondition.
std::optional<net::HttpResponse> stale(const KubeCall& call, const json::value& wanted,
                                       const json::value& now) {
  const std::string_view uid = text_at(wanted, "metadata.uid");
  // A PUT is for one object and no other; in a patch the UID is a field that cannot change.
  if (call.method == "PUT" && !uid.empty() && uid != uid_of(now)) {
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

/// metadata.generation counts the forms of the spec; nodes and leases have none.
void count_generation(const KubeCall& call, json::value& object, const json::value* before) {
  const json::value* spec = find(object, "spec");
  if (spec == nullptr || call.type->resource == "nodes" || call.type->resource == "leases") return;
  std::int64_t generation = 1;
  if (before != nullptr) {
    const json::value* old = find(*before, "spec");
    generation = integer_at(find(*before, "metadata"), "generation").value_or(1);
    if (old == nullptr || *old != *spec) ++generation;
  }
  make_at(object, "metadata.generation") = generation;
}

/// The part of a User-Agent that names its program, where the call does not name its manager.
std::string manager_name(const KubeCall& call) {
  const std::string_view given = call.parameter("fieldManager");
  const std::string_view agent = call.headers.get("User-Agent");
  return std::string(given.empty() ? agent.substr(0, agent.find('/')) : given);
}

/// Kind and version in a body are optional, but must be the path's.
std::optional<net::HttpResponse> other_type(const KubeCall& call, const json::value& object) {
  const std::string_view version = string_at(object, "apiVersion");
  if (!version.empty() && version != call.type->api_version()) {
    return bad_request(
        fmt::format("the API version in the data ({}) does not match the expected API version ({})", version,
                    call.type->api_version()));
  }
  const std::string_view kind = string_at(object, "kind");
  if (kind.empty() || kind == call.type->kind) return std::nullopt;
  return bad_request(
      fmt::format("{} in version \"{}\" cannot be handled as a {}: converting ({}).{} to ({}).{}: "
                  "unknown conversion",
                  kind, call.type->version, call.type->kind, call.type->version, kind, call.type->version,
                  call.type->kind));
}

std::optional<net::HttpResponse> missing_namespace(const ClusterState& state, const KubeCall& call) {
  if (!call.type->namespaced) return std::nullopt;
  const ObjectPtr space = state.objects.find("namespaces", {"", call.key.space});
  if (space != nullptr && text_at(*space, "metadata.deletionTimestamp").empty()) return std::nullopt;
  if (space != nullptr) return namespace_ends(*call.type, call.key.name, call.key.space);
  return not_found(*find_resource("", "v1", "namespaces"), call.key.space);
}

/// Types of which a PUT must say which form it replaces.
std::optional<net::HttpResponse> unconditional(const KubeCall& call, const json::value& wanted) {
  const std::string_view resource = call.type->resource;
  if (resource != "leases" && resource != "poddisruptionbudgets") return std::nullopt;
  if (!text_at(wanted, "metadata.resourceVersion").empty()) return std::nullopt;
  return invalid_field({call.type->group, resource, call.key.name}, "metadata.resourceVersion",
                       "Invalid value: 0: must be specified for an update");
}

std::optional<net::HttpResponse> refused(const KubeCall& call, const json::value& object,
                                         const json::value* before) {
  const auto problem = problem_of(*call.type, object, before);
  if (!problem) return std::nullopt;
  return invalid_object(*call.type, call.key.name, problem->field, problem->why);
}

}  // namespace

FieldManager field_manager(const ClusterState& state, const KubeCall& call) {
  FieldManager manager;
  manager.name = manager_name(call);
  manager.api_version = call.type->api_version();
  manager.subresource = call.subresource;
  manager.time = format_rfc3339(state.clock.wall());
  return manager;
}

std::optional<net::HttpResponse> decode(KubeCall& call, json::value& object) {
  if (auto answer = other_type(call, object)) return answer;
  const FieldType type = schema_of(*call.type);
  const auto refuse = [&](const std::string& why) {
    return bad_request(fmt::format("{} in version \"{}\" cannot be handled as a {}: {}", call.type->kind,
                                   call.type->version, call.type->kind, why));
  };
  const std::string wrong = wrong_type(object, type);
  if (!wrong.empty()) return refuse(wrong);
  const std::vector<std::string> unknown = drop_unknown(object, type);
  if (unknown.empty() || call.parameter("fieldValidation") == "Ignore") return std::nullopt;
  if (call.parameter("fieldValidation") == "Strict") return refuse(strict_text(unknown));
  for (const std::string& path : unknown) call.warnings.push_back(fmt::format("unknown field \"{}\"", path));
  return std::nullopt;
}

net::HttpReply replace_object(ClusterState& state, KubeCall& call, json::value wanted,
                              const ObjectPtr& before) {
  const std::string_view name = text_at(wanted, "metadata.name");
  if (!name.empty() && name != call.key.name) {
    return bad_request(fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                                   name, call.key.name));
  }
  if (auto answer = stale(call, wanted, *before)) return std::move(*answer);
  if (auto answer = refused(call, wanted, before.get())) return std::move(*answer);
  settle(call, wanted, before.get());
  count_generation(call, wanted, before.get());
  if (call.type->resource == "nodes") describe_node_change(*before, wanted, call.details);
  const OutputStyle style(call, state.clock.wall());
  if (is_dry_run(call, json::object())) return json_response(200, encode_object(style, wanted));
  const ObjectPtr after = state.objects.update(call.type->resource, call.key, std::move(wanted));
  return json_response(200, encode_object(style, *after));
}

net::HttpReply insert_object(ClusterState& state, KubeCall& call, json::value object) {
  make_at(object, "metadata.name") = call.key.name;
  if (call.type->namespaced) make_at(object, "metadata.namespace") = call.key.space;
  if (auto answer = missing_namespace(state, call)) return std::move(*answer);
  if (auto answer = refused(call, object, nullptr)) return std::move(*answer);
  if (call.type->resource == "pods") make_at(object, "status").emplace_object()["phase"] = "Pending";
  settle(call, object, nullptr);
  count_generation(call, object, nullptr);
  if (state.objects.find(call.type->resource, call.key) != nullptr) {
    return already_exists(*call.type, call.key.name);
  }
  const OutputStyle style(call, state.clock.wall());
  if (is_dry_run(call, json::object())) {
    // As it would be, under a UID that will not be its own.
    make_at(object, "metadata.uid") = "00000000-0000-4000-8000-000000000000";
    make_at(object, "metadata.creationTimestamp") = format_rfc3339(state.clock.wall());
    return json_response(201, encode_object(style, object));
  }
  const ObjectPtr made = state.objects.create(call.type->resource, std::move(object));
  return json_response(201, encode_object(style, *made));
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
  // Named by the kind, where other conflicts name the resource.
  json::object details{{"name", call.key.name}, {"kind", call.type->kind}};
  if (!call.type->group.empty()) details["group"] = call.type->group;
  const std::string kind = call.type->group.empty() ? std::string(call.type->kind)
                                                    : fmt::format("{}.{}", call.type->kind, call.type->group);
  return failure(409, "Conflict",
                 fmt::format("Operation cannot be fulfilled on {} \"{}\": {}", kind, call.key.name, why),
                 std::move(details));
}

net::HttpReply create_object(ClusterState& state, KubeCall& call) {
  if (call.body.empty()) {
    return bad_request(
        fmt::format("the object provided is unrecognized (must be of type {}): couldn't get "
                    "version/kind; json parse error: unexpected end of JSON input (<empty>)",
                    call.type->kind));
  }
  auto object = body_of(call);
  if (!object) return bad_request(object.error().text);
  if (auto answer = decode(call, *object)) return std::move(*answer);
  return create_from(state, call, stored_form(*call.type, std::move(*object)));
}

net::HttpReply create_from(ClusterState& state, KubeCall& call, json::value object) {
  std::string name(text_at(object, "metadata.name"));
  const std::string_view prefix = text_at(object, "metadata.generateName");
  if (name.empty() && !prefix.empty()) name = std::string(prefix) + state.objects.new_suffix();
  if (name.empty()) {
    return invalid_object(*call.type, "", "metadata.name",
                          "Required value: name or generateName is required");
  }
  const std::string_view space = text_at(object, "metadata.namespace");
  if (call.type->namespaced && !space.empty() && space != call.key.space) {
    return bad_request(
        "the namespace of the provided object does not match the namespace sent on the request");
  }
  call.key.name = name;
  return insert_object(state, call, std::move(object));
}

net::HttpReply update_object(ClusterState& state, KubeCall& call) {
  auto wanted = body_of(call);
  if (!wanted) return bad_request(wanted.error().text);
  if (auto answer = decode(call, *wanted)) return std::move(*answer);
  const ObjectPtr before = state.objects.find(call.type->resource, call.key);
  if (before == nullptr) return not_found(*call.type, call.key.name);
  if (auto answer = unconditional(call, *wanted)) return std::move(*answer);
  json::value after = stored_form(*call.type, std::move(*wanted));
  note_update(*before, after, schema_of(*call.type), field_manager(state, call));
  return replace_object(state, call, std::move(after), before);
}

net::HttpReply delete_object(ClusterState& state, KubeCall& call) {
  const auto options = body_of(call);
  if (!options) return bad_request(options.error().text);
  const ObjectPtr object = state.objects.find(call.type->resource, call.key);
  if (object == nullptr) return not_found(*call.type, call.key.name);
  if (auto answer = failed_precondition(call, *options, *object)) return std::move(*answer);
  if (!is_dry_run(call, *options)) state.objects.remove(call.type->resource, call.key);
  // Two types are answered with the object, as pods are.
  if (call.type->resource == "namespaces") {
    json::value going = *object;
    make_at(going, "metadata.deletionTimestamp") = format_rfc3339(state.clock.wall());
    make_at(going, "status.phase") = "Terminating";
    return json_response(200, encode_object(OutputStyle(call, state.clock.wall()), going));
  }
  if (call.type->resource == "serviceaccounts") {
    return json_response(200, encode_object(OutputStyle(call, state.clock.wall()), *object));
  }
  json::object details = details_of(*call.type, call.key.name);
  details["uid"] = uid_of(*object);
  return success(200, std::move(details));
}

}  // namespace ferryman::sandbox
