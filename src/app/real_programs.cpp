// SPDX-License-Identifier: Apache-2.0
#include "app/real_programs.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <csignal>
#include <memory>
#include <system_error>

#include "app/child_setup.h"

namespace ferryman::app {

namespace {

namespace asio = boost::asio;

constexpr std::size_t most_output = std::size_t{1} << 20U;
constexpr std::size_t most_errors = std::size_t{4} << 10U;
// A grandchild may hold the pipes open for ever.
constexpr Duration wait_after_end = std::chrono::seconds{1};

Error system_error(const Program& program, int code) {
  Fault fault = Fault::unexpected;
  if (code == ENOENT || code == ENOTDIR) fault = Fault::not_found;
  if (code == EACCES || code == ENOEXEC) fault = Fault::denied;
  return {fault, fmt::format("starting {}: {}", program.command, std::generic_category().message(code))};
}

std::vector<std::string> variables_for(const Program& program, const Environment& environment) {
  std::vector<std::string> out;
  for (const auto& [name, value] : environment.all()) {
    if (!program.variables.contains(name)) out.push_back(fmt::format("{}={}", name, value));
  }
  for (const auto& [name, value] : program.variables) out.push_back(fmt::format("{}={}", name, value));
  return out;
}

/// One run. Held by its caller and by the callbacks that are under way, so that the child is reaped even when
/// the caller has gone.
class Run : public std::enable_shared_from_this<Run> {
 public:
  explicit Run(Clock& clock)
      : changed(clock),
        clock_(clock),
        output_(clock.executor()),
        errors_(clock.executor()),
        end_(clock.executor()) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() { kill(); }

  Result<void> start(const Program& program, const Environment& environment);

  [[nodiscard]] bool too_long() const { return output_.text.size() > most_output; }
  [[nodiscard]] bool ended() const { return pid_ <= 0; }
  [[nodiscard]] bool over() const {
    const bool silent = !output_.open && !errors_.open;
    return too_long() || (ended() && (silent || clock_.now() >= patience_));
  }
  [[nodiscard]] SteadyTime patience(Deadline deadline) const {
    return ended() ? std::min(patience_, deadline.at()) : deadline.at();
  }
  ProgramOutput take() {
    ProgramOutput out;
    out.status = status_;
    out.output = std::move(output_.text);
    out.errors = std::move(errors_.text);
    return out;
  }

  /// The caller wants no more. Without effect when the program has ended.
  void abandon() {
    kill();
    output_.close();
    errors_.close();
  }

  Signal changed;

 private:
  struct Stream {
    explicit Stream(const asio::any_io_executor& executor) : descriptor(executor) {}
    void close() {
      boost::system::error_code ignored;
      open = false;
      descriptor.close(ignored);
    }

    asio::posix::stream_descriptor descriptor;
    std::array<char, 4096> block{};
    std::string text;
    bool open = true;
  };

  void kill() const {
    if (pid_ > 0) ::kill(-pid_, SIGKILL);
  }
  void follow(Stream& stream, std::size_t most, bool keep_end);
  void await_end();
  void reap();

  Clock& clock_;
  Stream output_;
  Stream errors_;
  asio::posix::stream_descriptor end_;
  pid_t pid_ = -1;
  int status_ = 0;
  SteadyTime patience_ = SteadyTime::max();
};

Result<void> Run::start(const Program& program, const Environment& environment) {
  Child child;
  child.file = program.command;
  child.words = {program.command};
  child.words.insert(child.words.end(), program.arguments.begin(), program.arguments.end());
  child.variables = variables_for(program, environment);
  std::array<int, 2> output{};
  std::array<int, 2> errors{};
  if (::pipe2(output.data(), O_CLOEXEC) != 0) return system_error(program, errno);
  output_.descriptor.assign(output[0]);
  if (::pipe2(errors.data(), O_CLOEXEC) != 0) {
    const int code = errno;
    ::close(output[1]);
    return system_error(program, code);
  }
  errors_.descriptor.assign(errors[0]);
  child.output = output[1];
  child.errors = errors[1];
  const int code = spawn(std::move(child), pid_);
  ::close(output[1]);
  ::close(errors[1]);
  if (code != 0) return system_error(program, code);
  // Debian 12 declares pidfd_open without extern "C".
  const int end = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
  if (end < 0) {
    const int reason = errno;
    kill();
    ::waitpid(std::exchange(pid_, -1), nullptr, 0);
    return system_error(program, reason);
  }
  end_.assign(end);
  follow(output_, most_output, false);
  follow(errors_, most_errors, true);
  await_end();
  return {};
}

// Plain callbacks: they keep what came, and tell.
void Run::follow(Stream& stream, std::size_t most, bool keep_end) {
  stream.descriptor.async_read_some(asio::buffer(stream.block),
                                    [self = shared_from_this(), &stream, most, keep_end](
                                        const boost::system::error_code& error, std::size_t n) {
                                      stream.text.append(stream.block.data(), n);
                                      if (keep_end && stream.text.size() > most)
                                        stream.text.erase(0, stream.text.size() - most);
                                      if (error || stream.text.size() > most) {
                                        stream.close();
                                      } else {
                                        self->follow(stream, most, keep_end);
                                      }
                                      self->changed.notify_all();
                                    });
}

void Run::await_end() {
  end_.async_wait(asio::posix::descriptor_base::wait_read,
                  [self = shared_from_this()](const boost::system::error_code& error) {
                    if (!error) self->reap();
                    self->changed.notify_all();
                  });
}

void Run::reap() {
  int state = 0;
  if (::waitpid(pid_, &state, WNOHANG) != pid_) return await_end();
  constexpr int by_signal = 128;
  status_ = WIFEXITED(state) ? WEXITSTATUS(state) : by_signal + WTERMSIG(state);
  pid_ = -1;
  patience_ = clock_.now() + wait_after_end;
}

/// Ends the run with its caller, however that ends.
class Caller {
 public:
  explicit Caller(std::shared_ptr<Run> run) : run_(std::move(run)) {}
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;
  ~Caller() { run_->abandon(); }
  Run* operator->() { return run_.get(); }

 private:
  std::shared_ptr<Run> run_;
};

}  // namespace

Task<Result<ProgramOutput>> RealPrograms::run(Program program, Deadline deadline) {
  Caller run(std::make_shared<Run>(clock_));
  if (auto started = run->start(program, environment_); !started) co_return started.error();
  while (!run->over() && !deadline.passed(clock_))
    (void)co_await run->changed.wait_until(run->patience(deadline));
  if (run->too_long()) {
    co_return Error(Fault::unexpected, "TooLarge",
                    fmt::format("{} wrote more than {} bytes", program.command, most_output));
  }
  if (!run->over())
    co_return Error(Fault::deadline, fmt::format("{} did not end in time and was killed", program.command));
  co_return run->take();
}

}  // namespace ferryman::app
