// SPDX-License-Identifier: Apache-2.0
// What the API server's decoder does to an object: it knows no field beside the schema's, and no value of
// another type.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "sandbox/kube/object_schema.h"

namespace ferryman::sandbox {

/// Drops fields that the type does not have; gives their paths, "spec.containers[0].imag".
std::vector<std::string> drop_unknown(json::value& object, FieldType type);

/// The first value of a wrong type, in the decoder's words ("json: cannot unmarshal …"); empty when there is
/// none.
std::string wrong_type(const json::value& object, FieldType type);

/// `strict decoding error: unknown field "a", unknown field "b"`.
std::string strict_text(const std::vector<std::string>& unknown);

}  // namespace ferryman::sandbox
