// SPDX-License-Identifier: Apache-2.0
// PATCH in its four forms: JSON patch, merge patch, strategic merge patch, and server-side apply, which also
// creates.
#pragma once

#include "net/http_handler.h"
#include "sandbox/kube/cluster_state.h"
#include "sandbox/kube/kube_call.h"

namespace ferryman::sandbox {

net::HttpReply patch_object(ClusterState& state, KubeCall& call);

}  // namespace ferryman::sandbox
