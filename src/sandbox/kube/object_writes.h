// SPDX-License-Identifier: Apache-2.0
// CREATE, UPDATE, PATCH and DELETE of single objects with their preconditions, the same for every resource.
// Pods are deleted by pod_calls.
#pragma once

#include <optional>

#include "net/http_handler.h"
#include "sandbox/kube/cluster_state.h"
#include "sandbox/kube/kube_call.h"

namespace ferryman::sandbox {

net::HttpReply create_object(ClusterState& state, KubeCall& call);
net::HttpReply update_object(ClusterState& state, KubeCall& call);
net::HttpReply patch_object(ClusterState& state, KubeCall& call);
net::HttpReply delete_object(ClusterState& state, KubeCall& call);

/// Whether the uid and resourceVersion of DeleteOptions hold; else the 409 to answer.
std::optional<net::HttpResponse> failed_precondition(const KubeCall& call, const json::value& options,
                                                     const json::value& object);

/// The request's body as JSON: an empty one as {}. Errors: invalid.
Result<json::value> body_of(const KubeCall& call);

/// dryRun=All in the query or in the options.
bool is_dry_run(const KubeCall& call, const json::value& options);

}  // namespace ferryman::sandbox
