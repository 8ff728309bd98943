// SPDX-License-Identifier: Apache-2.0
#include "app/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <system_error>

namespace ferryman::app {

namespace {

namespace asio = boost::asio;

constexpr std::size_t longest_line = std::size_t{1} << 20U;

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

class SpawnActions {
 public:
  explicit SpawnActions(int error_end) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, error_end, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, error_end, STDOUT_FILENO);
    // A process group of its own: Ctrl-C at the terminal reaches us only, and we end the child in order.
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes_, 0);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;
  ~SpawnActions() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  posix_spawn_file_actions_t* actions() { return &actions_; }
  posix_spawnattr_t* attributes() { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

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
  std::vector<std::string> words{"ferryman"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> environment;
  for (const auto& [name, value] : variables) environment.push_back(fmt::format("{}={}", name, value));

  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return failed("making a pipe", errno);
  SpawnActions spawn(ends[1]);
  const int code = ::posix_spawn(&pid_, "/proc/self/exe", spawn.actions(), spawn.attributes(),
                                 pointers(words).data(), pointers(environment).data());
  ::close(ends[1]);
  errors_.assign(ends[0]);
  if (code == 0) return {};
  pid_ = -1;
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
