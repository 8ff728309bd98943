// SPDX-License-Identifier: Apache-2.0
// Exec plugins: programs that a kubeconfig names to get a token, such as "aws eks get-token". Contract:
// kubernetes.io/docs/reference/config-api/client-authentication.v1. Tokens only, no certificates; nobody is
// there to be asked anything.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/programs.h"
#include "base/time.h"
#include "kube/token.h"

namespace ferryman::kube {

/// What the kubeconfig says.
class ExecPlugin {
 public:
  ExecPlugin() = default;

  std::string api_version;  // "client.authentication.k8s.io/v1" or …/v1beta1
  Program program;
  std::string install_hint;
  std::string cluster;  // JSON, for plugins that want to know it; empty: not told
};

/// What a plugin prints.
class ExecCredential {
 public:
  ExecCredential() = default;

  Secret token;
  std::optional<WallTime> expires;  // empty: until the server refuses it
};

/// Error: unexpected, and never with what was read: it may hold the token.
Result<ExecCredential> parse_exec_credential(std::string_view output, std::string_view api_version);

/// Keeps the token until shortly before it expires, or the server refuses it. One run of the program at a
/// time serves all who wait; it may take longer than the wait of one of them. Everything in the context must
/// outlive the source, and its scope must be joined before.
std::shared_ptr<TokenSource> exec_token(ExecPlugin plugin, const TokenContext& context);

}  // namespace ferryman::kube
