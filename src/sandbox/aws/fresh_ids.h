// SPDX-License-Identifier: Apache-2.0
// Ids as AWS makes them, drawn from the world's Random.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "base/random.h"

namespace ferryman::sandbox {

/// `digits` lower-case hexadecimal digits.
std::string fresh_hex(Random& random, std::size_t digits);

/// A version 4 UUID: message ids, tokens, request ids, event ids.
std::string fresh_uuid(Random& random);

/// "i-0" and 16 hexadecimal digits.
InstanceId fresh_instance_id(Random& random);

/// `length` characters of `alphabet`: access keys and secrets.
std::string fresh_text(Random& random, std::size_t length, std::string_view alphabet);

}  // namespace ferryman::sandbox
