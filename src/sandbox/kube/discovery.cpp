// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/discovery.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include "sandbox/kube/kube_status.h"

namespace ferryman::sandbox {

namespace {

net::HttpReply answer(const json::object& body) {
  return json_response(200, json::serialize(body));
}

json::object version() {
  json::object made;
  made["major"] = "1";
  made["minor"] = "34";
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

json::array verbs(std::initializer_list<const char*> names) {
  json::array made;
  for (const char* name : names) made.emplace_back(name);
  return made;
}

json::object resource_entry(const ResourceType& type, std::string_view subresource) {
  json::object made;
  made["name"] =
      subresource.empty() ? std::string(type.resource) : fmt::format("{}/{}", type.resource, subresource);
  made["singularName"] = subresource.empty() ? type.singular : "";
  made["namespaced"] = type.namespaced;
  if (subresource == "eviction") {
    made["group"] = "policy";
    made["version"] = "v1";
    made["kind"] = "Eviction";
    made["verbs"] = verbs({"create"});
    return made;
  }
  made["kind"] = type.kind;
  if (!subresource.empty()) {
    made["verbs"] = verbs({"get", "patch", "update"});
    return made;
  }
  made["verbs"] = verbs({"create", "delete", "get", "list", "patch", "update", "watch"});
  if (!type.short_name.empty()) made["shortNames"] = json::array{json::value(type.short_name)};
  return made;
}

net::HttpReply resources_of(std::string_view group_version) {
  json::array all;
  for (const ResourceType& type : resource_types()) {
    if (type.api_version() != group_version) continue;
    all.push_back(resource_entry(type, ""));
    std::string_view left = type.subresources;
    while (!left.empty()) {
      const std::string_view one = left.substr(0, left.find(' '));
      left.remove_prefix(std::min(one.size() + 1, left.size()));
      all.push_back(resource_entry(type, one));
    }
  }
  if (all.empty()) return no_such_path();
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
  return no_such_path();
}

}  // namespace

net::HttpReply discover(const KubeCall& call) {
  if (call.method != "GET") return no_such_path();
  std::string_view path = call.path;
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  if (path == "/version") return answer(version());
  if (path == "/healthz" || path == "/livez" || path == "/readyz") return net::HttpResponse(200, "ok");
  if (path == "/api") return answer(core_versions());
  if (path == "/apis") return answer(groups());
  if (path == "/api/v1") return resources_of("v1");
  constexpr std::string_view prefix = "/apis/";
  if (path.starts_with(prefix)) return group_or_resources(path.substr(prefix.size()));
  return no_such_path();
}

}  // namespace ferryman::sandbox
