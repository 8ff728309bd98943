// SPDX-License-Identifier: Apache-2.0
// LentFile: a file at a path of the user's that holds only while we run: its owner's alone, and gone with
// this object, unless somebody else has written it since.
#pragma once

#include <string>

#include "base/result.h"

namespace ferryman::app {

class LentFile {
 public:
  LentFile() = default;
  LentFile(const LentFile&) = delete;
  LentFile& operator=(const LentFile&) = delete;
  ~LentFile();

  /// Whole or not at all: whoever waits for the file finds all of it.
  Result<void> write(const std::string& path, std::string text);

 private:
  std::string path_;  // absolute; empty: nothing was written
  std::string text_;
};

}  // namespace ferryman::app
