// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/discovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "sandbox/kube/kube_status.h"
#include "sandbox/kube/open_api.h"

namespace ferryman::sandbox {

namespace {

constexpr const char* aggregated_type =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

net::HttpReply answer(const json::object& body) {
  return json_response(200, json::serialize(body));
}

json::object version() {
  json::object made;
  made["major"] = "1";
  made["minor"] = "34";
  made["emulationMajor"] = "1";
  made["emulationMinor"] = "34";
  made["minCompatibilityMajor"] = "1";
  made["minCompatibilityMinor"] = "33";
  made["gitVersion"] = "v1.34.1-eks-113cf36";
  made["gitCommit"] = "0000000000000000000000000000000000000000";
  made["gitTreeState"] = "clean";
  made["buildDate"] = "2025-10-14T00:00:00Z";
  made["goVersion"] = "go1.24.6";
  made["compiler"] = "gc";
  made["platform"] = "linux/amd64";
  return made;
}

json::object core_versions() {
  json::object made;
  made["kind"] = "APIVersions";
  made["versions"] = json::array{"v1"};
  made["serverAddressByClientCIDRs"] = json::array();
  return made;
}

json::object group_object(const ResourceType& type) {
  json::object version;
  version["groupVersion"] = type.api_version();
  version["version"] = type.version;
  json::object made;
  made["name"] = type.group;
  made["versions"] = json::array{json::value(version)};
  made["preferredVersion"] = version;
  return made;
}

json::object groups() {
  json::array all;
  std::string_view last;
  for (const ResourceType& type : resource_types()) {
    if (type.group.empty() || type.group == last) continue;
    last = type.group;
    all.push_back(group_object(type));
  }
  json::object made;
  made["kind"] = "APIGroupList";
  made["apiVersion"] = "v1";
  made["groups"] = std::move(all);
  return made;
}

json::array words(std::string_view text) {
  json::array made;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(' '));
    made.emplace_back(one);
    text.remove_prefix(std::min(one.size() + 1, text.size()));
  }
  return made;
}

/// What stands behind a path: a resource, or with `name` one of its subresources.
class Entry {
 public:
  std::string_view name;
  std::string_view group;  // of the kind, where it is not the path's
  std::string_view version;
  std::string_view kind;
  std::string_view verbs;
};

Entry entry_of(const ResourceType& type, std::string_view subresource) {
  if (subresource == "eviction") return {subresource, "policy", "v1", "Eviction", "create"};
  if (subresource == "token") return {subresource, "authentication.k8s.io", "v1", "TokenRequest", "create"};
  if (!subresource.empty()) return {subresource, "", "", type.kind, "get patch update"};
  return {"", "", "", type.kind,
          type.stored ? "create delete deletecollection get list patch update watch" : "create"};
}

json::object resource_entry(const ResourceType& type, const Entry& entry) {
  json::object made;
  made["name"] =
      entry.name.empty() ? std::string(type.resource) : fmt::format("{}/{}", type.resource, entry.name);
  made["singularName"] = entry.name.empty() ? type.singular : "";
  made["namespaced"] = type.namespaced;
  if (!entry.group.empty()) made["group"] = entry.group;
  if (!entry.version.empty()) made["version"] = entry.version;
  made["kind"] = entry.kind;
  made["verbs"] = words(entry.verbs);
  if (!entry.name.empty()) return made;
  if (!type.short_name.empty()) made["shortNames"] = json::array{json::value(type.short_name)};
  if (type.listed) made["categories"] = json::array{"all"};
  return made;
}

net::HttpReply resources_of(std::string_view group_version) {
  json::array all;
  for (const ResourceType& type : resource_types()) {
    if (type.api_version() != group_version) continue;
    all.push_back(resource_entry(type, entry_of(type, "")));
    for (const json::value& one : words(type.subresources)) {
      all.push_back(resource_entry(type, entry_of(type, one.get_string())));
    }
  }
  if (all.empty()) return no_such_api();
  json::object made;
  made["kind"] = "APIResourceList";
  made["apiVersion"] = "v1";
  made["groupVersion"] = group_version;
  made["resources"] = std::move(all);
  return answer(made);
}

net::HttpReply group_or_resources(std::string_view path) {
  if (path.find('/') != std::string_view::npos) return resources_of(path);
  for (const ResourceType& type : resource_types()) {
    if (type.group != path) continue;
    json::object made = group_object(type);
    made["kind"] = "APIGroup";
    made["apiVersion"] = "v1";
    return answer(made);
  }
  return no_such_api();
}

// The aggregated form (apidiscovery.k8s.io/v2): all groups with their resources in one answer.

json::object kind_object(const ResourceType& type, const Entry& entry) {
  return {{"group", entry.group.empty() ? type.group : entry.group},
          {"version", entry.version.empty() ? type.version : entry.version},
          {"kind", entry.kind}};
}

json::object aggregated_resource(const ResourceType& type) {
  const Entry entry = entry_of(type, "");
  json::object made;
  made["resource"] = type.resource;
  made["responseKind"] = kind_object(type, entry);
  made["scope"] = type.namespaced ? "Namespaced" : "Cluster";
  made["singularResource"] = type.singular;
  made["verbs"] = words(entry.verbs);
  if (!type.short_name.empty()) made["shortNames"] = json::array{json::value(type.short_name)};
  if (type.listed) made["categories"] = json::array{"all"};
  json::array inner;
  for (const json::value& one : words(type.subresources)) {
    const Entry sub = entry_of(type, one.get_string());
    inner.push_back(json::object{
        {"subresource", one}, {"responseKind", kind_object(type, sub)}, {"verbs", words(sub.verbs)}});
  }
  if (!inner.empty()) made["subresources"] = std::move(inner);
  return made;
}

json::object aggregated_group(std::string_view group) {
  json::array resources;
  std::string_view served;  // each group has one version
  for (const ResourceType& type : resource_types()) {
    if (type.group != group) continue;
    served = type.version;
    resources.push_back(aggregated_resource(type));
  }
  json::object metadata{{"creationTimestamp", nullptr}};
  if (!group.empty()) metadata["name"] = group;
  json::object version{{"version", served}, {"resources", std::move(resources)}, {"freshness", "Current"}};
  return {{"metadata", std::move(metadata)}, {"versions", json::array{std::move(version)}}};
}

net::HttpReply aggregated(bool core) {
  json::array groups;
  std::string_view last;
  if (core) groups.push_back(aggregated_group(""));
  for (const ResourceType& type : resource_types()) {
    if (core || type.group.empty() || type.group == last) continue;
    last = type.group;
    groups.push_back(aggregated_group(type.group));
  }
  json::object made;
  made["kind"] = "APIGroupDiscoveryList";
  made["apiVersion"] = "apidiscovery.k8s.io/v2";
  made["metadata"] = json::object();
  made["items"] = std::move(groups);
  net::HttpResponse response(200, json::serialize(made));
  response.headers.set("Content-Type", aggregated_type);
  response.headers.set("Vary", "Accept");
  return response;
}

bool wants_aggregated(const KubeCall& call) {
  const std::string_view accept = call.headers.get("Accept");
  return accept.find("g=apidiscovery.k8s.io;v=v2;") != std::string_view::npos;
}

net::HttpReply healthy() {
  net::HttpResponse response(200, "ok");
  response.headers.set("Content-Type", "text/plain; charset=utf-8");
  return response;
}

bool has_api(const KubeCall& call) {
  const auto types = resource_types();
  return std::any_of(types.begin(), types.end(),
                     [&](const ResourceType& type) { return type.group == call.group; });
}

net::HttpReply find_path(const KubeCall& call) {
  std::string_view path = call.path;
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  if (path == "/version") return answer(version());
  if (path == "/healthz" || path == "/livez" || path == "/readyz") return healthy();
  if (path.starts_with("/openapi/")) return open_api(path);
  if (path == "/api" || path == "/apis") {
    if (wants_aggregated(call)) return aggregated(path == "/api");
  }
  if (path == "/api") return answer(core_versions());
  if (path == "/apis") return answer(groups());
  if (path == "/api/v1") return resources_of("v1");
  constexpr std::string_view prefix = "/apis/";
  if (path.starts_with(prefix)) return group_or_resources(path.substr(prefix.size()));
  return no_such_api();
}

}  // namespace

net::HttpReply discover(const KubeCall& call) {
  // A resource that a known API does not have.
  if (!call.resource.empty()) return has_api(call) ? net::HttpReply(no_such_path()) : no_such_api();
  net::HttpReply reply = find_path(call);
  if (reply.response.status == 200 && call.method != "GET") return not_allowed();
  return reply;
}

}  // namespace ferryman::sandbox
