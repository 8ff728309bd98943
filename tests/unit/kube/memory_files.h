// SPDX-License-Identifier: Apache-2.0
// Files that exist only in a test.
#pragma once

#include <map>
#include <string>

#include "base/files.h"

namespace ferryman::test {

class MemoryFiles final : public Files {
 public:
  Result<std::string> read(const std::string& path) override {
    ++reads;
    const auto found = texts.find(path);
    if (found == texts.end()) return Error(Fault::not_found, "no such file");
    return found->second;
  }

  std::map<std::string, std::string> texts;
  int reads = 0;
};

}  // namespace ferryman::test
