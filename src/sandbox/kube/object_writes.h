// SPDX-License-Identifier: Apache-2.0
// CREATE, UPDATE and DELETE of single objects with their preconditions, the same for every resource.
// Pods are deleted by pod_calls; PATCH stands in object_patches.
#pragma once

#include <optional>

#include "net/http_handler.h"
#include "sandbox/kube/cluster_state.h"
#include "sandbox/kube/field_managers.h"
#include "sandbox/kube/kube_call.h"
#include "sandbox/kube/request_body.h"

namespace ferryman::sandbox {

net::HttpReply create_object(ClusterState& state, KubeCall& call);
/// The same for an object that was read and decoded before.
net::HttpReply create_from(ClusterState& state, KubeCall& call, json::value object);
net::HttpReply update_object(ClusterState& state, KubeCall& call);
net::HttpReply delete_object(ClusterState& state, KubeCall& call);

// For patches.
/// Drops what the type does not have, with a warning or, where the call asks for it, a refusal; refuses
/// values of a wrong type.
std::optional<net::HttpResponse> decode(KubeCall& call, json::value& object);
/// Puts a new form of `before`, or a new object under the call's name.
net::HttpReply replace_object(ClusterState& state, KubeCall& call, json::value wanted,
                              const ObjectPtr& before);
net::HttpReply insert_object(ClusterState& state, KubeCall& call, json::value object);
FieldManager field_manager(const ClusterState& state, const KubeCall& call);

/// Whether the uid and resourceVersion of DeleteOptions hold; else the 409 to answer.
std::optional<net::HttpResponse> failed_precondition(const KubeCall& call, const json::value& options,
                                                     const json::value& object);

}  // namespace ferryman::sandbox
