// SPDX-License-Identifier: Apache-2.0
// What the eviction subresource says, as the port's answers. Bytes to values, no I/O.
// https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/#how-api-initiated-eviction-works
#pragma once

#include "base/result.h"
#include "net/http.h"
#include "termination/ports/pods.h"

namespace ferryman::kube {

/// Errors: conflict (409: the UID is another's, or the pod was being changed: look which), throttled (429
/// without a budget's cause, with retry_after), denied (403 without a budget or a dying namespace), those of
/// to_error.
Result<termination::Eviction> read_eviction(const net::HttpResponse& response);

}  // namespace ferryman::kube
