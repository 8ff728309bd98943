// SPDX-License-Identifier: Apache-2.0
#include "app/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <system_error>

#include "app/child_setup.h"

namespace ferryman::app {

namespace {

namespace asio = boost::asio;

constexpr std::size_t longest_line = std::size_t{1} << 20U;

Error failed(std::string_view doing, int code) {
  return {Fault::unexpected, fmt::format("{}: {}", doing, std::generic_category().message(code))};
}

}  // namespace

ChildProcess::~ChildProcess() {
  if (pid_ <= 0 || status()) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

Result<void> ChildProcess::start(const std::vector<std::string>& arguments, const Variables& variables) {
  Child child;
  child.file = "/proc/self/exe";
  child.words = {"ferryman"};
  child.words.insert(child.words.end(), arguments.begin(), arguments.end());
  for (const auto& [name, value] : variables) child.variables.push_back(fmt::format("{}={}", name, value));

  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failed("making a pipe", errno);
  child.output = child.errors = ends[1];
  const int code = spawn(std::move(child), pid_);
  ::close(ends[1]);
  errors_.assign(ends[0]);
  if (code == 0) return {};
  return failed("starting ferryman again", code);
}

Task<std::optional<std::string>> ChildProcess::next_line() {
  boost::system::error_code error;
  const std::size_t n =
      co_await asio::async_read_until(errors_, asio::dynamic_buffer(buffer_, longest_line), '\n',
                                      asio::redirect_error(asio::use_awaitable, error));
  if (error == asio::error::operation_aborted) throw boost::system::system_error(error);
  if (n == 0 && buffer_.empty()) co_return std::nullopt;
  const std::size_t end = n == 0 ? buffer_.size() : n;
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end);
  if (line.ends_with('\n')) line.pop_back();
  co_return line;
}

void ChildProcess::signal(int number) {
  if (pid_ > 0 && !status()) ::kill(pid_, number);
}

std::optional<int> ChildProcess::status() {
  if (status_ || pid_ <= 0) return status_;
  int state = 0;
  if (::waitpid(pid_, &state, WNOHANG) == pid_) {
    constexpr int by_signal = 128;
    status_ = WIFEXITED(state) ? WEXITSTATUS(state) : by_signal + WTERMSIG(state);
  }
  return status_;
}

Task<std::optional<int>> ChildProcess::wait(Deadline deadline) {
  constexpr Duration look_again = std::chrono::milliseconds{20};
  while (!status() && !deadline.passed(clock_)) co_await clock_.sleep_for(look_again);
  co_return status_;
}

}  // namespace ferryman::app
