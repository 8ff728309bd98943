// SPDX-License-Identifier: Apache-2.0
// Tables (meta.k8s.io/v1 Table): the columns that kubectl prints. Nodes and pods have their own, the rest
// name and age.
#pragma once

#include <vector>

#include "sandbox/kube/object_output.h"

namespace ferryman::sandbox {

json::object table_of(const OutputStyle& style, const std::vector<ObjectPtr>& objects);

/// As kubectl prints ages: "45s", "5m10s", "3h12m", "2d4h", "400d".
std::string age_text(Duration age);

}  // namespace ferryman::sandbox
