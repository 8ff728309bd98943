// SPDX-License-Identifier: Apache-2.0
// RealFiles: Files on disk, read whole, at most 4 MiB; and how the sandbox's own files are written.
#pragma once

#include <string_view>

#include "base/files.h"

namespace ferryman::app {

class RealFiles final : public Files {
 public:
  Result<std::string> read(const std::string& path) override;
};

/// Replaces the file in one step; only the owner may read it (mode 0600). Errors: denied, not_found,
/// unexpected.
Result<void> write_private_file(const std::string& path, std::string_view text);

}  // namespace ferryman::app
