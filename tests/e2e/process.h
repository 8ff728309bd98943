// SPDX-License-Identifier: Apache-2.0
// Process: a child with its own arguments and variables and no shell between. What it prints goes to a file.
// However a test ends, the child is killed and reaped.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"

namespace ferryman::e2e {

using Variables = std::map<std::string, std::string>;

/// A folder of its own below the temporary one, gone with the object.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::filesystem::path path(const std::string& name) const { return path_ / name; }
  /// Writes the file and gives its path.
  std::string write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

/// Empty when there is no such file.
std::string read_file(const std::filesystem::path& path);

/// Looks every few milliseconds until it holds. False: not within that time.
template <class Condition>
bool eventually(Duration within, Condition condition);

/// What the child finds as its standard streams.
enum class Streams : std::uint8_t { to_the_file, closed };

class Process {
 public:
  /// Starts `ferryman <arguments>`; the child sees these variables, those that instrumented builds need, and
  /// no others. `output`: where standard output and error go, one behind the other.
  Process(const std::vector<std::string>& arguments, const Variables& variables, std::filesystem::path output,
          Streams streams = Streams::to_the_file);
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }
  void signal(int number);

  /// The exit status (128 + number after a signal). Empty: it still runs at the end of that time.
  std::optional<int> wait(Duration within);
  [[nodiscard]] bool running() { return !wait(Duration{0}); }

  [[nodiscard]] std::string output() const { return read_file(output_); }

 private:
  pid_t pid_ = -1;
  std::optional<int> status_;
  std::filesystem::path output_;
};

void pause_briefly();

template <class Condition>
bool eventually(Duration within, Condition condition) {
  const auto end = std::chrono::steady_clock::now() + within;
  while (!condition()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    pause_briefly();
  }
  return true;
}

}  // namespace ferryman::e2e
