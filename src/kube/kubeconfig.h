// SPDX-License-Identifier: Apache-2.0
// Kubeconfig files: several are read as one, the first that names a thing wins. Errors are "invalid" and name
// file, context and key. Format: kubernetes.io/docs/reference/config-api/kubeconfig.v1.
#pragma once

#include <string>

#include "base/files.h"
#include "kube/client.h"

namespace ferryman::kube {

/// `paths` are separated by ":"; with more than one, those that do not exist are passed over. `context`
/// empty: the files' own current-context. Files and clock must outlive what is returned (a token file is read
/// again).
Result<Access> read_kubeconfig(const std::string& paths, const std::string& context, Files& files,
                               const Clock& clock);

}  // namespace ferryman::kube
