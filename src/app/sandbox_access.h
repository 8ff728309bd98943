// SPDX-License-Identifier: Apache-2.0
// SandboxAccess: how clients reach a running sandbox, and the files that tell them: kubeconfig, authority,
// environment.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "base/secret.h"

namespace ferryman::app {

class SandboxAccess {
 public:
  SandboxAccess() = default;

  std::string aws_url;
  std::string access_key_id;
  Secret secret_access_key;
  std::string region;
  std::string queue_url;
  std::string kubernetes_url;
  std::string ca_pem;  // signed the servers' certificates
  Secret token;        // of the cluster's administrator
  std::string control_url;
  std::string folder;  // for kubeconfig and the rest; exists
  bool tls = false;    // AWS over HTTPS: clients must trust `ca_pem`
};

/// Writes kubeconfig, ca.pem and, with TLS, bundle.pem (`system_ca` and ours) into the folder, for their
/// owner only.
Result<void> write_access_files(const SandboxAccess& access, const std::string& system_ca);

/// The variables that point any client at the sandbox.
std::map<std::string, std::string> sandbox_variables(const SandboxAccess& access);

/// Lines for a shell: what would lead clients elsewhere is unset, then "export NAME='value'".
std::string shell_lines(const std::map<std::string, std::string>& variables);

/// A kubeconfig with one context, its authority and token inside.
std::string kubeconfig_text(const SandboxAccess& access);

}  // namespace ferryman::app
