// SPDX-License-Identifier: Apache-2.0
#include "kube/config.h"

#include <fmt/format.h>

#include "kube/kubeconfig.h"

namespace ferryman::kube {

namespace {

/// What the kubelet puts into each pod: kubernetes.io/docs/tasks/run-application/access-api-from-pod.
Result<Access> in_cluster(const std::string& host, const std::string& port, Files& files,
                          const Clock& clock) {
  const std::string folder = "/var/run/secrets/kubernetes.io/serviceaccount/";
  auto ca = files.read(folder + "ca.crt");
  if (!ca) {
    return Error(
        Fault::invalid,
        fmt::format("reading the pod's service account: {}: {}. Set automountServiceAccountToken: true "
                    "on the pod, or name a kubeconfig",
                    folder + "ca.crt", ca.error().text));
  }
  const bool is_ipv6 = host.find(':') != std::string::npos && !host.starts_with('[');
  const std::string authority = (is_ipv6 ? "[" + host + "]" : host) + ":" + (port.empty() ? "443" : port);
  Access access;
  access.server = "https://" + authority;
  auto profile = std::make_shared<net::ConnectionProfile>();
  profile->ca_pem = std::move(*ca);
  profile->direct = true;
  access.profile = std::move(profile);
  access.token = token_file(folder + "token", files, clock);
  return access;
}

}  // namespace

Result<Access> find_access(const ConfigChoice& choice, const Environment& environment,
                           const TokenContext& context) {
  const std::string paths = choice.kubeconfig.empty() ? environment.get("KUBECONFIG") : choice.kubeconfig;
  if (!paths.empty()) return read_kubeconfig(paths, choice.context, context);
  const std::string host = environment.get("KUBERNETES_SERVICE_HOST");
  if (host.empty()) {
    return Error(Fault::invalid,
                 "no Kubernetes API server is named: set --kubeconfig or KUBECONFIG, or run in a pod with a "
                 "service account");
  }
  if (!choice.context.empty()) {
    return Error(Fault::invalid,
                 "the context \"" + choice.context +
                     "\" is set, but no kubeconfig to find it in: set --kubeconfig or KUBECONFIG");
  }
  return in_cluster(host, environment.get("KUBERNETES_SERVICE_PORT"), context.files, context.clock);
}

}  // namespace ferryman::kube
