// SPDX-License-Identifier: Apache-2.0
// Kubeconfig files: several are read as one, the first that names a thing wins. Errors are "invalid" and name
// file, context and key. Format: kubernetes.io/docs/reference/config-api/kubeconfig.v1.
#pragma once

#include <string>

#include "kube/client.h"

namespace ferryman::kube {

/// `paths` are separated by ":"; with more than one, those that do not exist are passed over. `context`
/// empty: the files' own current-context. What `tools` names must outlive what is returned (token files are
/// read again, programs run again).
Result<Access> read_kubeconfig(const std::string& paths, const std::string& context,
                               const TokenContext& tools);

}  // namespace ferryman::kube
