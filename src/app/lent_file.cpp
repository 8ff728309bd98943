// SPDX-License-Identifier: Apache-2.0
#include "app/lent_file.h"

#include <filesystem>
#include <system_error>

#include "app/real_files.h"

namespace ferryman::app {

LentFile::~LentFile() {
  if (path_.empty()) return;
  const auto now = RealFiles().read(path_);
  std::error_code ignored;
  if (now && *now == text_) std::filesystem::remove(path_, ignored);
}

Result<void> LentFile::write(const std::string& path, std::string text) {
  if (auto written = write_private_file(path, text); !written) return written;
  path_ = std::filesystem::absolute(path).string();
  text_ = std::move(text);
  return {};
}

}  // namespace ferryman::app
