// SPDX-License-Identifier: Apache-2.0
// The daemon's settings file.
#include "app/settings_file.h"
#include "fuzz/fuzzed_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ferryman;
  const auto file =
      app::parse_settings_file(app::serve_table(), "f.yaml", std::string(fuzz::text_of(data, size)));
  for (const app::FileSetting& setting : file.settings)
    fuzz::check(setting.row != nullptr, "a setting has a row");
  for (const std::string& problem : file.problems) {
    fuzz::check(problem.starts_with("f.yaml:"), "a problem says where it is");
  }
  return 0;
}
