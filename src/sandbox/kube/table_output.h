// SPDX-License-Identifier: Apache-2.0
// Tables (meta.k8s.io/v1 Table), which kubectl prints.
#pragma once

#include <vector>

#include "sandbox/kube/object_output.h"

namespace ferryman::sandbox {

json::object table_of(const OutputStyle& style, const std::vector<ObjectPtr>& objects);

}  // namespace ferryman::sandbox
