// SPDX-License-Identifier: Apache-2.0
// MemoryFiles: Files that exist in a map only.
#pragma once

#include <map>

#include "base/files.h"

namespace ferryman::test {

class MemoryFiles final : public Files {
 public:
  Result<std::string> read(const std::string& path) override {
    const auto found = files.find(path);
    if (found == files.end())
      return Error{Fault::not_found, "opening " + path + ": No such file or directory"};
    return found->second;
  }

  std::map<std::string, std::string> files;
};

}  // namespace ferryman::test
