// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>

#include "app/nearest.h"
#include "app/settings_print.h"

namespace ferryman::app {

namespace {

struct Command {
  std::string_view name;
  std::string_view summary;
  SettingsTable (*table)();
  int (*run)(const Invocation&, const ResolvedSettings&);
};

// check and enroll come later.
constexpr std::array commands{
    Command{"serve", "watch the queue and take ending nodes out without dropping a request", serve_table,
            run_serve},
    Command{"sandbox", "AWS and Kubernetes on loopback, for any client", sandbox_table, run_sandbox},
    Command{"demo", "sandbox and daemon together: nodes end while you watch", demo_table, run_demo},
    Command{"explain", "say what would become of a message, or of a Node's pods, and why; changes nothing",
            explain_table, run_explain},
    Command{"settings", "print the settings as markdown, JSON schema or chart values", settings_command_table,
            run_settings},
    Command{"version", "print version, compiler and libraries", version_table, run_version},
};

const Command* find_command(std::string_view name) {
  const auto found =
      std::find_if(commands.begin(), commands.end(), [&](const Command& c) { return c.name == name; });
  return found == commands.end() ? nullptr : &*found;
}

std::string overview() {
  std::string text = "Ferryman takes EC2 nodes out of Kubernetes without dropping a request.\n\nCommands:\n";
  for (const Command& command : commands) text += fmt::format("  {:<10}{}\n", command.name, command.summary);
  return text + "\n\"ferryman help COMMAND\" lists a command's flags.\n";
}

std::string help_text(const Command& command) {
  return fmt::format("ferryman {}: {}\n{}", command.name, command.summary, help_of(command.table()));
}

int unknown_command(const Invocation& invocation, std::string_view name) {
  std::vector<std::string_view> known{"help"};
  for (const Command& command : commands) known.push_back(command.name);
  const std::string_view meant = nearest(name, known);
  invocation.err << fmt::format("ferryman: unknown command {}{}\n", quoted(name),
                                meant.empty() ? std::string("; \"ferryman help\" lists all commands")
                                              : fmt::format("; did you mean {}?", meant));
  return exit_settings;
}

int help(const Invocation& invocation, const std::vector<std::string>& about) {
  if (about.empty()) {
    invocation.out << overview();
    return exit_done;
  }
  const Command* command = find_command(about.front());
  if (command == nullptr) return unknown_command(invocation, about.front());
  invocation.out << help_text(*command);
  return exit_done;
}

bool asks_for_help(std::string_view word) {
  return word == "help" || word == "--help" || word == "-help" || word == "-h";
}

int run_words(const Invocation& invocation, const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    invocation.err << overview();
    return exit_settings;
  }
  const std::string& name = arguments.front();
  const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  if (asks_for_help(name)) return help(invocation, rest);
  const Command* command = find_command(name == "--version" || name == "-version" ? "version" : name);
  if (command == nullptr) return unknown_command(invocation, name);

  const Resolution resolution =
      resolve_settings(command->table(), rest, invocation.environment, invocation.files);
  if (resolution.help) {
    invocation.out << help_text(*command);
    return exit_done;
  }
  if (!resolution.problems.empty()) return refuse(invocation, command->name, resolution.problems);
  return command->run(invocation, resolution.values);
}

}  // namespace

int run_command(const Invocation& invocation, const std::vector<std::string>& arguments) {
  const int status = run_words(invocation, arguments);
  // Half an answer that ends with 0 would be taken for a whole one.
  if (invocation.out.flush() || status != exit_done) return status;
  invocation.err << "ferryman: standard output cannot be written\n";
  invocation.err.flush();
  return exit_failed;
}

int refuse(const Invocation& invocation, std::string_view command, const std::vector<std::string>& problems) {
  for (const std::string& problem : problems) {
    invocation.err << fmt::format("ferryman {}: {}\n", command, problem);
  }
  invocation.err.flush();
  return exit_settings;
}

}  // namespace ferryman::app
