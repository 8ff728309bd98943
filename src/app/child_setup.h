// SPDX-License-Identifier: Apache-2.0
// What our process owes its children, and to itself at its start: which signals it ignores and children must
// not, and the three standard streams. Every child of ours starts here, without a shell between.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace ferryman::app {

/// A reader of our output that goes away must not end the process, nor a signal that means nothing to us.
void ignore_harmless_signals();

/// A standard stream that is closed would be the number of our next socket, and what is printed would go
/// there. It gets /dev/null instead, opened so that using it fails as before.
void fill_standard_streams();

/// Kills this process when its parent ends, however that ends. False: `parent` is not its parent (any more).
bool end_with_parent(pid_t parent);

class Child {
 public:
  Child() = default;

  std::string file;                    // looked for in PATH when it has no slash
  std::vector<std::string> words;      // the first is its own name
  std::vector<std::string> variables;  // "NAME=value"; no others
  int output = -1;                     // becomes its standard output
  int errors = -1;
};

/// Starts it with nothing to read, in a process group of its own (Ctrl-C at the terminal reaches us only, and
/// it can be killed with its own children), and with the signals that we ignore back to usual. 0, or errno.
int spawn(Child child, pid_t& pid);

}  // namespace ferryman::app
