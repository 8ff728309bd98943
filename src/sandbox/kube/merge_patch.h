// SPDX-License-Identifier: Apache-2.0
// Patches that merge: JSON merge patch (RFC 7386), and strategic merge, which merges lists by the keys that
// the schema names and obeys its $-directives.
#pragma once

#include "base/json.h"
#include "sandbox/kube/object_schema.h"

namespace ferryman::sandbox {

void apply_merge_patch(json::value& target, const json::value& patch);
/// `type` is the target's.
void apply_strategic_patch(json::value& target, const json::value& patch, FieldType type);

}  // namespace ferryman::sandbox
