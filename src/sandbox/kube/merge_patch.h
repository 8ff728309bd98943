// SPDX-License-Identifier: Apache-2.0
// Patches: JSON merge patch (RFC 7386), and strategic merge as kubectl cordon, taint, label and annotate send
// it: lists with a merge key are merged by it, other lists are replaced, $-directives other than $patch are
// passed over.
#pragma once

#include "base/json.h"

namespace ferryman::sandbox {

void apply_merge_patch(json::value& target, const json::value& patch);
void apply_strategic_patch(json::value& target, const json::value& patch);

}  // namespace ferryman::sandbox
