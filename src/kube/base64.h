// SPDX-License-Identifier: Apache-2.0
// Base64 (RFC 4648, section 4) as kubeconfigs hold certificates in it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ferryman::kube {

std::string encode_base64(std::string_view bytes);

/// Line breaks and blanks are passed over, padding may be missing. Empty when anything else is in the text.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace ferryman::kube
