// SPDX-License-Identifier: Apache-2.0
// Text of strangers, made fit to be shown: in log lines, error texts and status pages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ferryman {

/// Valid UTF-8 whatever the bytes are: what is none becomes U+FFFD.
std::string to_utf8(std::string_view bytes);

/// At most `most` bytes of it, never cut within a character; "…" follows when something is missing.
std::string shortened(std::string_view text, std::size_t most);

}  // namespace ferryman
