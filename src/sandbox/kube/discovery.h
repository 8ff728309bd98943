// SPDX-License-Identifier: Apache-2.0
// Discovery: which groups, versions and resources there are, all in one answer or one by one for older
// clients.
#pragma once

#include "net/http_handler.h"
#include "sandbox/kube/kube_call.h"

namespace ferryman::sandbox {

/// /version, /livez and friends, /api, /apis, /api/v1, /apis/<group>, /apis/<group>/<version>; 404 for the
/// rest.
net::HttpReply discover(const KubeCall& call);

}  // namespace ferryman::sandbox
