// SPDX-License-Identifier: Apache-2.0
// What pods alone can do: be evicted under budgets, and be deleted with a grace period; and the deletion of
// namespaces and of whole collections, pods or not.
#pragma once

#include "net/http_handler.h"
#include "sandbox/kube/kube_call.h"
#include "sandbox/kube/kube_world.h"

namespace ferryman::sandbox {

net::HttpReply evict_pod(KubeWorld& world, KubeCall& call);
net::HttpReply delete_pod(KubeWorld& world, KubeCall& call);
/// One without pods goes at once; else it is Terminating until the last is gone.
net::HttpReply delete_namespace(KubeWorld& world, KubeCall& call);
/// DELETE of all that the call's selectors take, of any resource; pods end within their grace.
net::HttpReply delete_collection(KubeWorld& world, KubeCall& call);

}  // namespace ferryman::sandbox
