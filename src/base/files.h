// SPDX-License-Identifier: Apache-2.0
// Files: how anything below `app` reads a file (tokens, certificates, kubeconfigs). Simulations have none on
// disk.
#pragma once

#include <string>

#include "base/result.h"

namespace ferryman {

class Files {
 public:
  virtual ~Files() = default;

  /// The whole file, at most 4 MiB. Errors: not_found, denied, invalid (too large, a directory).
  virtual Result<std::string> read(const std::string& path) = 0;
};

}  // namespace ferryman
