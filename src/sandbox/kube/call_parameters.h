// SPDX-License-Identifier: Apache-2.0
// What the API server refuses of a call before it looks at objects: query parameters that say nothing or too
// much, and bodies of a type that it does not read.
#pragma once

#include <optional>

#include "net/http.h"
#include "sandbox/kube/kube_call.h"

namespace ferryman::sandbox {

std::optional<net::HttpResponse> bad_parameters(const KubeCall& call);

/// 415 when the body of a create, update or delete is in a form that cannot be read; patches have their own
/// forms.
std::optional<net::HttpResponse> unreadable_body(const KubeCall& call);

}  // namespace ferryman::sandbox
