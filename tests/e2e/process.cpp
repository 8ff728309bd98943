// SPDX-License-Identifier: Apache-2.0
#include "e2e/process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace ferryman::e2e {

namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> environment_of(Variables variables) {
  for (const char* name : {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE"}) {
    if (const char* value = std::getenv(name)) variables.emplace(name, value);
  }
  std::vector<std::string> out;
  for (const auto& [name, value] : variables) out.push_back(name + "=" + value);
  return out;
}

}  // namespace

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "ferryman-e2e-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string Folder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name)) << text;
  return path(name).string();
}

std::string read_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void pause_briefly() {
  std::this_thread::sleep_for(std::chrono::milliseconds{10});
}

Process::Process(const std::vector<std::string>& arguments, const Variables& variables,
                 std::filesystem::path output, Streams streams)
    : output_(std::move(output)) {
  std::vector<std::string> words{"ferryman"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  Variables own = variables;
  own.emplace("TMPDIR",
              output_.parent_path().string());  // what a killed child leaves goes with the test's folder
  std::vector<std::string> environment = environment_of(std::move(own));
  const std::vector<char*> argument_pointers = pointers(words);
  const std::vector<char*> environment_pointers = pointers(environment);
  const int file = ::open(output_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  pid_ = ::fork();
  if (pid_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is itself killed leaves nobody behind
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
    if (streams == Streams::closed) {
      for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(stream);
    }
    ::execve(FERRYMAN_BINARY, argument_pointers.data(), environment_pointers.data());
    ::_exit(127);
  }
  ::close(file);
  ::close(nothing);
  if (pid_ < 0) throw std::runtime_error("cannot fork");
}

Process::~Process() {
  if (!running()) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Process::signal(int number) {
  if (running()) ::kill(pid_, number);
}

std::optional<int> Process::wait(Duration within) {
  (void)eventually(within, [this] {
    int state = 0;
    if (!status_ && ::waitpid(pid_, &state, WNOHANG) == pid_) {
      constexpr int by_signal = 128;
      status_ = WIFEXITED(state) ? WEXITSTATUS(state) : by_signal + WTERMSIG(state);
    }
    return status_.has_value();
  });
  return status_;
}

}  // namespace ferryman::e2e
