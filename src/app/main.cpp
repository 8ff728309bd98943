// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <iostream>

#include "app/child_setup.h"
#include "app/commands.h"
#include "app/real_files.h"

namespace {

ferryman::Environment process_environment() {
  std::map<std::string, std::string, std::less<>> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    if (equals != std::string_view::npos) variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return ferryman::Environment(std::move(variables));
}

}  // namespace

int main(int argc, char** argv) {
  ferryman::app::fill_standard_streams();
  ferryman::app::ignore_harmless_signals();
  ferryman::app::RealFiles files;
  ferryman::app::Invocation invocation(process_environment(), files, std::cout, std::cerr);
  invocation.in = &std::cin;
  return ferryman::app::run_command(invocation, {argv + 1, argv + argc});
}
