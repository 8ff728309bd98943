// SPDX-License-Identifier: Apache-2.0
// How to find the API server: a kubeconfig, or the pod's own service account. All errors are "invalid": a
// setting that cannot work, what is wrong with it and how to mend it.
#pragma once

#include <string>

#include "base/environment.h"
#include "kube/client.h"

namespace ferryman::kube {

/// The code of the error when the kubeconfig lacks the context that was chosen.
inline constexpr const char* no_context = "NoContext";

/// What the user chose; both may be empty.
class ConfigChoice {
 public:
  ConfigChoice() = default;

  std::string kubeconfig;  // a path; empty: $KUBECONFIG, else the service account
  std::string context;     // in the kubeconfig; empty: its current-context
};

/// What the context names must outlive what is returned: token files are read again, programs run again.
Result<Access> find_access(const ConfigChoice& choice, const Environment& environment,
                           const TokenContext& context);

}  // namespace ferryman::kube
