// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/open_api.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <set>
#include <string>

#include "sandbox/kube/kube_status.h"
#include "sandbox/kube/object_schema.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view root = "/openapi/v3";

std::string path_of(const ResourceType& type) {
  return type.group.empty() ? "api/v1" : fmt::format("apis/{}", type.api_version());
}

net::HttpReply list_documents() {
  json::object paths;
  for (const ResourceType& type : resource_types()) {
    const std::string path = path_of(type);
    paths[path] = json::object{{"serverRelativeURL", json::string(fmt::format("{}/{}", root, path))}};
  }
  return json_response(200, json::serialize(json::object{{"paths", std::move(paths)}}));
}

std::string schema_name(std::string_view type) {
  return fmt::format("io.k8s.{}", type);
}

json::object reference(std::string_view type) {
  return {{"$ref", json::string(fmt::format("#/components/schemas/{}", schema_name(type)))}};
}

/// The schema of one field; names of types that it needs are added to `needed`.
json::object field_schema(FieldType type, std::set<std::string_view>& needed) {
  if (type.is_list()) {
    json::object made{{"type", "array"}, {"items", field_schema(type.element(), needed)}};
    const std::string_view keys = type.keys();
    if (keys.empty()) made["x-kubernetes-list-type"] = type.is_set() ? "set" : "atomic";
    if (!type.merge_key().empty()) made["x-kubernetes-patch-merge-key"] = type.merge_key();
    if (!type.merge_key().empty() || type.joins()) made["x-kubernetes-patch-strategy"] = "merge";
    return made;
  }
  if (type.is_map()) {
    return {{"type", "object"}, {"additionalProperties", field_schema(type.element(), needed)}};
  }
  if (type.is_object()) {
    needed.insert(type.name());
    return {{"allOf", json::array{reference(type.name())}}};
  }
  switch (type.form()) {
    case 'b':
      return {{"type", "boolean"}};
    case 'i':
      return {{"type", "integer"}, {"format", "int32"}};
    case 'l':
      return {{"type", "integer"}, {"format", "int64"}};
    case 'n':
      return {{"type", "number"}};
    case 'o':
      return {{"type", "object"}};
    default:
      return {{"type", "string"}};
  }
}

json::object type_schema(std::string_view type, std::set<std::string_view>& needed) {
  json::object properties;
  std::string_view left = fields_of(type);
  while (!left.empty()) {
    const std::string_view one = left.substr(0, left.find(' '));
    left.remove_prefix(std::min(one.size() + 1, left.size()));
    const std::size_t colon = one.find(':');
    if (colon == std::string_view::npos) continue;
    properties[one.substr(0, colon)] = field_schema(FieldType(one.substr(colon + 1)), needed);
  }
  return {{"type", "object"}, {"properties", std::move(properties)}};
}

json::array kinds_of(const ResourceType& type) {
  return json::array{json::object{{"group", type.group}, {"version", type.version}, {"kind", type.kind}}};
}

/// The schemas of a document's kinds and of all that they hold.
json::object schemas_of(std::string_view document) {
  std::set<std::string_view> done;
  std::set<std::string_view> needed;
  json::object schemas;
  for (const ResourceType& type : resource_types()) {
    if (path_of(type) == document) needed.insert(schema_of(type).name());
  }
  while (!needed.empty()) {
    const std::string_view type = *needed.begin();
    needed.erase(needed.begin());
    if (done.insert(type).second) schemas[schema_name(type)] = type_schema(type, needed);
    std::erase_if(needed, [&](std::string_view one) { return done.contains(one); });
  }
  for (const ResourceType& type : resource_types()) {
    if (path_of(type) != document) continue;
    schemas[schema_name(schema_of(type).name())].as_object()["x-kubernetes-group-version-kind"] =
        kinds_of(type);
  }
  return schemas;
}

json::object operation(const ResourceType& type, std::string_view action) {
  json::array parameters;
  for (const char* name : {"dryRun", "fieldManager", "fieldValidation", "force"}) {
    parameters.push_back(json::object{{"name", name},
                                      {"in", "query"},
                                      {"schema", json::object{{"type", "string"}, {"uniqueItems", true}}}});
  }
  return {{"parameters", std::move(parameters)},
          {"responses", json::object{{"200", json::object{{"description", "OK"}}}}},
          {"x-kubernetes-action", action},
          {"x-kubernetes-group-version-kind", kinds_of(type)[0]}};
}

net::HttpReply document(std::string_view name) {
  json::object paths;
  for (const ResourceType& type : resource_types()) {
    if (path_of(type) != name) continue;
    const std::string base =
        fmt::format("/{}/{}{}", name, type.namespaced ? "namespaces/{namespace}/" : "", type.resource);
    paths[base] = json::object{{"post", operation(type, "post")}};
    if (type.stored) {
      paths[base + "/{name}"] = json::object{{"delete", operation(type, "delete")},
                                             {"patch", operation(type, "patch")},
                                             {"put", operation(type, "put")}};
    }
  }
  if (paths.empty()) return no_such_path();
  json::object made;
  made["openapi"] = "3.0.0";
  made["info"] = json::object{{"title", "Kubernetes"}, {"version", "v1.34.1"}};
  made["paths"] = std::move(paths);
  made["components"] = json::object{{"schemas", schemas_of(name)}};
  return json_response(200, json::serialize(made));
}

}  // namespace

net::HttpReply open_api(std::string_view path) {
  if (path == root) return list_documents();
  if (!path.starts_with(root)) return no_such_path();
  return document(path.substr(root.size() + 1));
}

}  // namespace ferryman::sandbox
