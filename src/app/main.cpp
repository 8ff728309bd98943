// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <csignal>
#include <iostream>

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
  // A reader of our output that goes away must not end the process, nor a signal that means nothing to us.
  for (const int signal : {SIGPIPE, SIGUSR1, SIGUSR2}) std::signal(signal, SIG_IGN);
  ferryman::app::RealFiles files;
  const ferryman::app::Invocation invocation(process_environment(), files, std::cout, std::cerr);
  return ferryman::app::run_command(invocation, {argv + 1, argv + argc});
}
