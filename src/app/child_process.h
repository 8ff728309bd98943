// SPDX-License-Identifier: Apache-2.0
// ChildProcess: this same binary started again, with its own arguments and environment and no shell between.
// Its standard error comes line by line. What is still running when the object dies is killed.
#pragma once

#include <sys/types.h>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/task.h"

namespace ferryman::app {

class ChildProcess {
 public:
  using Variables = std::map<std::string, std::string>;

  explicit ChildProcess(Clock& clock) : clock_(clock), errors_(clock.executor()) {}
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  /// Starts `ferryman <arguments>`; the child sees these variables and no others.
  Result<void> start(const std::vector<std::string>& arguments, const Variables& variables);

  /// The next line of standard error, without its end; empty when there will be no more.
  Task<std::optional<std::string>> next_line();

  void signal(int number);

  /// The exit status (128 + number after a signal). Empty: still running at the deadline.
  Task<std::optional<int>> wait(Deadline deadline);

  /// The exit status if it has ended; does not wait.
  std::optional<int> status();

 private:
  Clock& clock_;
  pid_t pid_ = -1;
  std::optional<int> status_;
  boost::asio::posix::stream_descriptor errors_;
  std::string buffer_;
};

}  // namespace ferryman::app
