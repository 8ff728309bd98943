// SPDX-License-Identifier: Apache-2.0
// Sets of fields in the form of managedFields (FieldsV1): "f:name" a field, "k:{…}" a list's item by its
// keys, "v:…" a set's value, "." the thing itself; a leaf is {}.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "sandbox/kube/object_schema.h"

namespace ferryman::sandbox {

/// All fields of an object but those that nobody owns (kind, name, uid, resourceVersion …).
json::object field_set(const json::value& object, FieldType type);

json::object unite(const json::object& a, const json::object& b);
json::object subtract(const json::object& a, const json::object& b);
/// The fields of the set whose values differ between two objects, or that only one of them has.
json::object differing(const json::object& set, const json::value& a, const json::value& b);
/// The fields that stand in both.
json::object intersect(const json::object& a, const json::object& b);

/// As conflicts name them: ".spec.replicas", `.spec.template.spec.containers[name="app"].image`.
std::vector<std::string> paths_of(const json::object& set);

void remove_fields(json::value& object, const json::object& set);

/// Server-side apply's merge of a configuration into an object.
void merge_applied(json::value& target, const json::value& applied, FieldType type);

}  // namespace ferryman::sandbox
