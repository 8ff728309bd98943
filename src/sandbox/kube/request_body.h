// SPDX-License-Identifier: Apache-2.0
// A call's body in any of its forms (JSON, YAML, protobuf) as JSON, and whether the call is a rehearsal.
#pragma once

#include "base/json.h"
#include "base/result.h"
#include "sandbox/kube/kube_call.h"
#include "sandbox/kube/object_schema.h"

namespace ferryman::sandbox {

/// The type of a call's body: the resource's, or that of its options.
FieldType body_type(const KubeCall& call);
/// The request's body as JSON: an empty one as {}. Errors: invalid.
Result<json::value> body_of(const KubeCall& call);

/// dryRun=All in the query or in the options.
bool is_dry_run(const KubeCall& call, const json::value& options);

}  // namespace ferryman::sandbox
