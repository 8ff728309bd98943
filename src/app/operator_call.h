// SPDX-License-Identifier: Apache-2.0
// What an operator does in the demo: ends an instance through its Auto Scaling group, by a signed HTTP call
// of its own.
#pragma once

#include "app/sandbox_access.h"
#include "base/deadline.h"
#include "base/ids.h"
#include "net/http_client.h"

namespace ferryman::app {

/// TerminateInstanceInAutoScalingGroup; the group gets smaller by one. Error: what AWS answered.
Task<Result<void>> terminate_instance(net::HttpClient& http, SandboxAccess access, InstanceId id,
                                      WallTime now, Deadline deadline);

}  // namespace ferryman::app
