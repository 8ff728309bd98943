// SPDX-License-Identifier: Apache-2.0
// The commands of the one binary. Exit status: 0 done, 1 it failed, 2 settings that cannot work; `explain`
// also has 3, nothing to act on, and 4, not understood.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "app/settings_resolver.h"
#include "base/environment.h"
#include "base/files.h"

namespace ferryman::app {

inline constexpr int exit_done = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_settings = 2;
inline constexpr int exit_nothing_to_do = 3;
inline constexpr int exit_not_understood = 4;

/// One start of the program: everything that a command takes from the process.
class Invocation {
 public:
  Invocation(Environment environment_in, Files& files_in, std::ostream& out_in, std::ostream& err_in)
      : environment(std::move(environment_in)), files(files_in), out(out_in), err(err_in) {}

  Environment environment;
  Files& files;
  std::ostream& out;
  std::ostream& err;
  std::istream* in = nullptr;  // null: there is no standard input
};

/// `arguments` without the program's own name.
int run_command(const Invocation& invocation, const std::vector<std::string>& arguments);

/// Prints each problem on a line of its own; gives exit_settings.
int refuse(const Invocation& invocation, std::string_view command, const std::vector<std::string>& problems);

// One file each.
int run_serve(const Invocation& invocation, const ResolvedSettings& resolved);
int run_sandbox(const Invocation& invocation, const ResolvedSettings& resolved);
int run_demo(const Invocation& invocation, const ResolvedSettings& resolved);
int run_explain(const Invocation& invocation, const ResolvedSettings& resolved);
int run_settings(const Invocation& invocation, const ResolvedSettings& resolved);
int run_version(const Invocation& invocation, const ResolvedSettings& resolved);

}  // namespace ferryman::app
