// SPDX-License-Identifier: Apache-2.0
// JSON Patch (RFC 6902): add, remove, replace, move, copy and test by JSON pointers.
#pragma once

#include "base/json.h"
#include "base/result.h"

namespace ferryman::sandbox {

/// Errors: invalid when the patch is no list of operations, not_found when a path leads nowhere, conflict
/// when a test fails. The target is then in part changed.
Result<void> apply_json_patch(json::value& target, const json::value& patch);

}  // namespace ferryman::sandbox
