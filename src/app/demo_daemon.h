// SPDX-License-Identifier: Apache-2.0
// DemoDaemon: the `ferryman serve` process that the demo watches. Keeps the end of its log for when something
// fails.
#pragma once

#include <deque>
#include <fstream>
#include <string>

#include "app/child_process.h"
#include "net/http_client.h"

namespace ferryman::app {

class DemoDaemon {
 public:
  /// `log_file` empty: the log is kept in memory only.
  DemoDaemon(Clock& clock, net::HttpClient& http, const std::string& log_file);

  /// `flags` of `ferryman serve`. It ends with us, even when we are killed.
  Result<void> start(const std::vector<std::string>& flags, const ChildProcess::Variables& variables);

  /// Reads its log until it ends; spawn it.
  Task<void> follow_log();

  /// Until /readyz says so. Error: it ended, or is not ready in time, and why.
  Task<Result<void>> wait_ready(Deadline deadline);

  /// SIGTERM, then SIGKILL. The exit status; empty when it had to be killed.
  Task<std::optional<int>> stop(Deadline deadline);

  [[nodiscard]] bool ended() { return process_.status().has_value(); }
  [[nodiscard]] std::string status_url() const;
  [[nodiscard]] std::string last_lines() const;
  /// A line of its log could not be written to the file.
  [[nodiscard]] bool log_is_lost() const { return log_file_.is_open() && !log_file_.good(); }

 private:
  void keep(const std::string& line);

  Clock& clock_;
  net::HttpClient& http_;
  ChildProcess process_;
  std::ofstream log_file_;
  std::deque<std::string> lines_;
  std::int64_t port_ = 0;  // of its probes, as it logs it
};

}  // namespace ferryman::app
