// SPDX-License-Identifier: Apache-2.0
// Reviews: objects whose creation answers a question: may I (SelfSubjectAccessReview), may they
// (SubjectAccessReview), what may I (SelfSubjectRulesReview), who am I (SelfSubjectReview).
#pragma once

#include "net/http_handler.h"
#include "sandbox/kube/cluster_state.h"
#include "sandbox/kube/kube_call.h"

namespace ferryman::sandbox {

net::HttpReply create_review(ClusterState& state, KubeCall& call);

/// 403 with Kubernetes' own words.
net::HttpResponse forbidden(const KubeUser& user, const AccessQuestion& question);

}  // namespace ferryman::sandbox
