// SPDX-License-Identifier: Apache-2.0
// What this binary is and with what it runs: for `ferryman version` and the status page.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace ferryman::app {

struct BuildInfo {
  std::string version;
  std::string compiler;
  std::vector<std::pair<std::string, std::string>>
      libraries;  // name, version (of the loaded one where it can say)
};

BuildInfo build_info();

}  // namespace ferryman::app
