// SPDX-License-Identifier: Apache-2.0
// PrivateFolder: where the sandbox leaves its files: one that the user names and keeps, or a temporary one
// that is removed with all that is in it. Only the owner may enter.
#pragma once

#include <string>

#include "base/result.h"

namespace ferryman::app {

class PrivateFolder {
 public:
  PrivateFolder() = default;
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;
  ~PrivateFolder();

  /// Makes it where it does not exist. `path` empty: a new one below `temporary`.
  Result<void> open(const std::string& path, const std::string& temporary);

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool ours_ = false;
};

}  // namespace ferryman::app
