// SPDX-License-Identifier: Apache-2.0
// Programs: how anything below `app` starts another program (credential plugins of kubeconfigs), without a
// shell. Simulations have none.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"

namespace ferryman {

class Program {
 public:
  Program() = default;

  std::string command;  // a path, or a name to be looked for in PATH
  std::vector<std::string> arguments;
  std::map<std::string, std::string> variables;  // on top of our own environment
};

class ProgramOutput {
 public:
  ProgramOutput() = default;

  int status = 0;      // 128 + number after a signal
  std::string output;  // all of it
  std::string errors;  // the last few KiB of standard error
};

class Programs {
 public:
  virtual ~Programs() = default;

  /// Runs it to its end; any status is a value. What does not end in time, or whose caller is cancelled, is
  /// killed. Errors: not_found, denied (it cannot be started), deadline, unexpected (more than 1 MiB
  /// written).
  virtual Task<Result<ProgramOutput>> run(Program program, Deadline deadline) = 0;
};

class NoPrograms final : public Programs {
 public:
  Task<Result<ProgramOutput>> run(Program /*program*/, Deadline /*deadline*/) override {
    co_return Error(Fault::not_found, "no programs can be started here");
  }
};

}  // namespace ferryman
