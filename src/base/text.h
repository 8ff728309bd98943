// SPDX-License-Identifier: Apache-2.0
// Text made fit to be shown, in log lines, error texts and status pages: strangers' bytes, long lists.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ferryman {

/// Valid UTF-8 whatever the bytes are: what is none becomes U+FFFD.
std::string to_utf8(std::string_view bytes);

/// At most `most` bytes of it, never cut within a character; "…" follows when something is missing.
std::string shortened(std::string_view text, std::size_t most);

/// The first ten, with "; " between them, and how many more there are: "a; b; and 490 more".
std::string first_few(const std::vector<std::string>& texts);

}  // namespace ferryman
