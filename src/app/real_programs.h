// SPDX-License-Identifier: Apache-2.0
// RealPrograms: Programs on the event loop: started without a shell, their output read as it comes, their end
// told by the kernel (pidfd, Linux 5.3). Nothing blocks, and no program outlives its caller.
#pragma once

#include "base/environment.h"
#include "base/programs.h"

namespace ferryman::app {

class RealPrograms final : public Programs {
 public:
  /// The programs get these variables and their own. The clock must outlive this.
  RealPrograms(Clock& clock, Environment environment) : clock_(clock), environment_(std::move(environment)) {}

  Task<Result<ProgramOutput>> run(Program program, Deadline deadline) override;

 private:
  Clock& clock_;
  Environment environment_;
};

}  // namespace ferryman::app
