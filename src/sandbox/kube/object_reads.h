// SPDX-License-Identifier: Apache-2.0
// GET, LIST and WATCH, the same for every resource.
#pragma once

#include "net/http_handler.h"
#include "sandbox/kube/cluster_state.h"
#include "sandbox/kube/kube_call.h"

namespace ferryman::sandbox {

net::HttpReply get_object(ClusterState& state, KubeCall& call);
net::HttpReply list_objects(ClusterState& state, KubeCall& call);
/// Those of a collection that the call's selectors take. Error: invalid.
Result<std::vector<ObjectPtr>> selected_objects(ClusterState& state, KubeCall& call);
net::HttpReply watch_objects(ClusterState& state, KubeCall& call);

}  // namespace ferryman::sandbox
