// SPDX-License-Identifier: Apache-2.0
#include "app/private_folder.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace ferryman::app {

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (ours_) std::filesystem::remove_all(path_, ignored);
}

Result<void> PrivateFolder::open(const std::string& path, const std::string& temporary) {
  constexpr mode_t owner_only = 0700;
  if (path.empty()) {
    path_ = fmt::format("{}/ferryman-XXXXXX", temporary.empty() ? "/tmp" : temporary);
    ours_ = ::mkdtemp(path_.data()) != nullptr;
    if (ours_) return {};
  } else {
    // Clients find the files from wherever they run.
    path_ = std::filesystem::absolute(path).string();
    if (::mkdir(path_.c_str(), owner_only) == 0 || errno == EEXIST) return {};
  }
  return Error(Fault::invalid,
               fmt::format("making the folder {}: {}", path_, std::generic_category().message(errno)));
}

}  // namespace ferryman::app
