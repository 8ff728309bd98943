// SPDX-License-Identifier: Apache-2.0
// Events have two forms on the wire, v1 and events.k8s.io/v1, and one in the store: v1's.
#pragma once

#include "base/json.h"
#include "sandbox/kube/resource_types.h"

namespace ferryman::sandbox {

/// True for events.k8s.io.
bool has_wire_form(const ResourceType& type);

/// What the store keeps of an object of this type; all but events.k8s.io stay as they are.
json::value stored_form(const ResourceType& type, json::value object);
/// What clients of this type see of a stored object.
json::value wire_form(const ResourceType& type, const json::value& object);

}  // namespace ferryman::sandbox
