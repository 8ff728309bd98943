// SPDX-License-Identifier: Apache-2.0
#include "sim/replica.h"

#include <fmt/format.h>

namespace ferryman::sim {

Result<std::string> SceneFiles::read(const std::string& path) {
  if (path == "kubeconfig") return kubeconfig_;
  return Error(Fault::not_found, path + ": no such file");
}

namespace {

/// As key ids are: capital letters and digits.
std::string capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return text;
}

}  // namespace

Identity::Identity(const std::string& cluster)
    : kube_host(cluster == "sim" ? "kube.sim" : "kube-" + cluster + ".sim"),
      access_key("AKIASIMULATED" + capitals(cluster)),
      arn("arn:aws:iam::123456789012:user/ferryman-" + cluster) {}

std::string Identity::kubeconfig() const {
  return fmt::format(R"(
apiVersion: v1
kind: Config
current-context: sim
contexts: [{{name: sim, context: {{cluster: sim, user: sim}}}}]
clusters: [{{name: sim, cluster: {{server: "https://{}"}}}}]
users: [{{name: sim, user: {{token: {}}}}}]
)",
                     kube_host, token);
}

Replica::Replica(test::Simulation& sim, Scope& servers, const Identity& identity, std::uint64_t seed)
    : client(sim.clock, servers),
      random(seed),
      environment({{"AWS_ENDPOINT_URL", "http://aws.sim"},
                   {"AWS_ACCESS_KEY_ID", identity.access_key},
                   {"AWS_SECRET_ACCESS_KEY", identity.secret_key}}),
      files(identity.kubeconfig()) {}

}  // namespace ferryman::sim
