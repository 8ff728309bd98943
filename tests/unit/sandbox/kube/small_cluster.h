// SPDX-License-Identifier: Apache-2.0
// SmallCluster: a sandbox cluster under a simulated clock, and plain requests to it.
#pragma once

#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <string>
#include <vector>

#include "base/random.h"
#include "sandbox/kube/json_path.h"
#include "sandbox/kube/kube_handler.h"
#include "sandbox/kube/kube_world.h"
#include "support/simulation.h"

namespace ferryman::sandbox {

inline InstanceId instance(int number) {
  return InstanceId(fmt::format("i-{:017x}", number));
}

class SmallCluster {
 public:
  /// Nodes "node-1", "node-2", … of instance(1), instance(2), …
  explicit SmallCluster(int nodes) {
    for (int i = 1; i <= nodes; ++i) world.add_node(NodeSpec(fmt::format("node-{}", i), instance(i)));
  }

  net::HttpReply send(const std::string& method, const std::string& path, std::string body = {},
                      std::string content_type = "application/json") {
    net::HttpRequest request(method, "https://kubernetes.test" + path);
    request.body = std::move(body);
    if (!request.body.empty()) request.headers.set("Content-Type", std::move(content_type));
    if (!accept.empty()) request.headers.set("Accept", accept);
    if (!token.empty()) request.headers.set("Authorization", "Bearer " + token);
    return sim.run(handler.handle(std::move(request)));
  }

  net::HttpResponse call(const std::string& method, const std::string& path, std::string body = {},
                         std::string content_type = "application/json") {
    return send(method, path, std::move(body), std::move(content_type)).response;
  }

  /// The answer's body; null when it is no JSON.
  json::value get(const std::string& path) { return body(call("GET", path)); }

  static json::value body(const net::HttpResponse& response) {
    auto parsed = parse_json(response.body);
    return parsed ? *parsed : json::value();
  }

  /// A merge patch of a Node.
  net::HttpResponse patch_node(const std::string& name, std::string patch) {
    return call("PATCH", "/api/v1/nodes/" + name, std::move(patch), "application/merge-patch+json");
  }

  net::HttpResponse evict(const PodReport& pod, const std::string& options = "{}") {
    return call("POST", fmt::format("/api/v1/namespaces/{}/pods/{}/eviction", pod.pod_namespace, pod.name),
                fmt::format(R"({{"apiVersion":"policy/v1","kind":"Eviction","metadata":{{"name":"{}"}},)"
                            R"("deleteOptions":{}}})",
                            pod.name, options));
  }

  net::HttpResponse remove(const PodReport& pod, std::string options = {}) {
    return call("DELETE", fmt::format("/api/v1/namespaces/{}/pods/{}", pod.pod_namespace, pod.name),
                std::move(options));
  }

  PodReport only_pod_of(int number) { return world.pods_of(instance(number)).at(0); }

  /// Seconds since the start at which the pod was gone, and how; empty when it is still there.
  std::string end_of(const Uid& uid) const {
    for (const JournalEntry& entry : journal.entries()) {
      if (entry.operation != "pod.gone" || entry.details.at("uid") != uid.str()) continue;
      return fmt::format("{}s {}", seconds(entry.at - start), entry.details.at("how"));
    }
    return {};
  }

  test::Simulation sim;
  SteadyTime start = sim.clock.now();
  Random random{7};
  Journal journal{sim.clock};
  KubeWorld world{sim.clock, random, sim.scope, journal};
  KubeHandler handler{world};
  std::string accept;
  std::string token;
};

/// The names of a list's items, in their order.
inline std::vector<std::string> names_of(const json::value& list) {
  std::vector<std::string> names;
  if (const json::array* items = array_at(&list, "items"); items != nullptr) {
    for (const json::value& item : *items) names.emplace_back(text_at(item, "metadata.name"));
  }
  return names;
}

}  // namespace ferryman::sandbox
