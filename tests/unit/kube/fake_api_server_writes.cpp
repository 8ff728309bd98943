// SPDX-License-Identifier: Apache-2.0
#include <boost/json/serialize.hpp>

#include "unit/kube/fake_api_server.h"
#include "unit/kube/request_parts.h"

namespace ferryman::test {

namespace {

/// What is not named is not asked for.
bool is_as_wanted(const json::object& object, const json::value* preconditions) {
  for (const char* key : {"uid", "resourceVersion"}) {
    const std::string_view wanted = string_at(preconditions, key);
    if (!wanted.empty() && wanted != string_at(object.if_contains("metadata"), key)) return false;
  }
  return true;
}

}  // namespace

net::HttpReply FakeApiServer::write(const net::HttpRequest& request, const std::string& path) {
  const std::string node_prefix = "/api/v1/nodes/";
  if (path.starts_with(node_prefix)) {
    const std::string name = path.substr(node_prefix.size());
    if (!objects_["nodes"].contains(name)) return status(404, "NotFound", "nodes \"" + name + "\" not found");
    if (request.method == "PATCH") return patch(request, name);
    if (request.method == "DELETE") return remove_node(request, name);
    return net::HttpResponse(200, json::serialize(objects_["nodes"][name]));
  }
  const std::vector<std::string> parts = split(path);  // "", api, v1, namespaces, NS, pods, NAME, [eviction]
  if (parts.size() == 6 && request.method == "GET") return list_named(parts[4], query_of(request));
  if (parts.size() < 7) return net::HttpResponse(404, "404 page not found");
  const std::string key = parts[4] + "/" + parts[6];
  if (parts[5] != "pods") {
    if (!objects_[parts[5]].contains(key)) return status(404, "NotFound", parts[5] + " not found");
    return net::HttpResponse(200, json::serialize(objects_[parts[5]][key]));
  }
  const auto found = objects_["pods"].find(key);
  if (found == objects_["pods"].end()) return status(404, "NotFound", "pods \"" + parts[6] + "\" not found");
  const json::value body = *parse_json(request.body);
  const json::value* options = request.method == "DELETE" ? &body : find(body, "deleteOptions");
  const std::string uid(string_at(find(options, "preconditions"), "uid"));
  if (uid != string_at(found->second.if_contains("metadata"), "uid")) {
    return status(409, "Conflict", "Precondition failed: UID in precondition: " + uid);
  }
  json::object pod = found->second;
  pod["metadata"].get_object()["deletionTimestamp"] = "2026-03-01T12:00:00Z";
  put("pods", pod);
  return request.method == "DELETE" ? net::HttpResponse(200, json::serialize(pod))
                                    : net::HttpResponse(201, R"({"kind":"Status","status":"Success"})");
}

net::HttpReply FakeApiServer::list_named(const std::string& space,
                                         const std::map<std::string, std::string>& query) {
  const std::string name = query.at("fieldSelector").substr(std::string("metadata.name=").size());
  json::array items;
  const auto found = objects_["pods"].find(space + "/" + name);
  if (found != objects_["pods"].end()) items.push_back(found->second);
  json::object metadata{{"resourceVersion", std::to_string(version_)}};
  return net::HttpResponse(
      200, json::serialize(json::object{{"metadata", std::move(metadata)}, {"items", std::move(items)}}));
}

net::HttpReply FakeApiServer::remove_node(const net::HttpRequest& request, const std::string& name) {
  const json::value body = *parse_json(request.body);
  if (!is_as_wanted(objects_["nodes"][name], find(body, "preconditions")))
    return status(409, "Conflict", "Precondition failed");
  remove("nodes", name);
  return net::HttpResponse(200, R"({"kind":"Status","status":"Success"})");
}

net::HttpReply FakeApiServer::patch(const net::HttpRequest& request, const std::string& name) {
  json::object node = objects_["nodes"][name];
  const json::value body = *parse_json(request.body);
  if (!is_as_wanted(node, find(body, "metadata")))
    return status(409, "Conflict", "the object has been modified");
  merge(node, body.get_object());
  put("nodes", node);
  return net::HttpResponse(200, json::serialize(objects_["nodes"][name]));
}

}  // namespace ferryman::test
