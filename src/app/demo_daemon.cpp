// SPDX-License-Identifier: Apache-2.0
#include "app/demo_daemon.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>

#include "base/json.h"

namespace ferryman::app {

namespace {

constexpr std::size_t most_lines = 40;
constexpr Duration look_again = std::chrono::milliseconds{50};

std::string trimmed(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

DemoDaemon::DemoDaemon(Clock& clock, net::HttpClient& http, const std::string& log_file)
    : clock_(clock), http_(http), process_(clock) {
  if (!log_file.empty()) log_file_.open(log_file);
}

Result<void> DemoDaemon::start(const std::vector<std::string>& flags,
                               const ChildProcess::Variables& variables) {
  std::vector<std::string> words{"serve", "--listen=127.0.0.1:0", "--log-format=json",
                                 fmt::format("--end-with={}", ::getpid())};
  words.insert(words.end(), flags.begin(), flags.end());
  return process_.start(words, variables);
}

Task<void> DemoDaemon::follow_log() {
  while (const auto line = co_await process_.next_line()) keep(*line);
}

void DemoDaemon::keep(const std::string& line) {
  if (log_file_.is_open()) log_file_ << line << std::endl;
  lines_.push_back(line);
  if (lines_.size() > most_lines) lines_.pop_front();
  if (port_ != 0) return;
  const auto record = parse_json(line);
  if (record && string_at(*record, "event") == "http.listening")
    port_ = integer_at(&*record, "port").value_or(0);
}

Task<Result<void>> DemoDaemon::wait_ready(Deadline deadline) {
  std::string why = "it does not listen";
  while (!deadline.passed(clock_)) {
    if (ended()) co_return Error(Fault::unexpected, "the daemon ended before it was ready");
    if (port_ != 0) {
      const auto answer = co_await http_.send(net::HttpRequest("GET", status_url() + "readyz"), deadline);
      if (answer && answer->status == 200) co_return Result<void>();
      why = answer ? trimmed(answer->body) : answer.error().text;
    }
    co_await clock_.sleep_for(look_again);
  }
  co_return Error(Fault::deadline, fmt::format("the daemon is not ready: {}", why));
}

Task<std::optional<int>> DemoDaemon::stop(Deadline deadline) {
  process_.signal(SIGTERM);
  auto status = co_await process_.wait(deadline);
  if (!status) {
    process_.signal(SIGKILL);
    co_await process_.wait(Deadline::after(clock_, std::chrono::seconds{1}));
  }
  co_return status;
}

std::string DemoDaemon::status_url() const {
  return fmt::format("http://127.0.0.1:{}/", port_);
}

std::string DemoDaemon::last_lines() const {
  std::string out;
  for (const std::string& line : lines_) out += fmt::format("  {}\n", line);
  return out;
}

}  // namespace ferryman::app
