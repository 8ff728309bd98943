// SPDX-License-Identifier: Apache-2.0
// Bodies in protobuf, which some of kubectl's commands send: the API server's envelope ("k8s\0" and a
// runtime.Unknown) around a message of its published definitions. Answers are JSON.
#pragma once

#include <string_view>

#include "base/json.h"
#include "base/result.h"
#include "sandbox/kube/object_schema.h"

namespace ferryman::sandbox {

/// "number:field number:field:form …" of a message, from the table that tools/make_kube_schema writes. Forms:
/// T a time, Q a quantity, I an int-or-string, B bytes, F raw JSON, ">" an embedded message of that name,
/// whose fields JSON has in the outer object.
std::string_view wire_fields_of(std::string_view type);

/// An object of the type, with kind and apiVersion as the envelope has them. Error: invalid.
Result<json::value> parse_protobuf(std::string_view body, FieldType type);

}  // namespace ferryman::sandbox
