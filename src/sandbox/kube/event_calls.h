// SPDX-License-Identifier: Apache-2.0
// POST of Kubernetes events: kept when they are JSON, taken unread when they are protobuf, as old clients
// send them.
#pragma once

#include "net/http_handler.h"
#include "sandbox/kube/cluster_state.h"
#include "sandbox/kube/kube_call.h"

namespace ferryman::sandbox {

net::HttpReply create_event(ClusterState& state, KubeCall& call);

}  // namespace ferryman::sandbox
