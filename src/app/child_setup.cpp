// SPDX-License-Identifier: Apache-2.0
#include "app/child_setup.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

namespace ferryman::app {

namespace {

constexpr std::array harmless_signals{SIGPIPE, SIGUSR1, SIGUSR2};

class Beginning {
 public:
  Beginning(int output, int errors) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, errors, STDERR_FILENO);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t usual{};
    sigemptyset(&usual);
    for (const int signal : harmless_signals) sigaddset(&usual, signal);
    posix_spawnattr_setsigdefault(&attributes_, &usual);
  }
  Beginning(const Beginning&) = delete;
  Beginning& operator=(const Beginning&) = delete;
  ~Beginning() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  posix_spawn_file_actions_t* actions() { return &actions_; }
  posix_spawnattr_t* attributes() { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

}  // namespace

void ignore_harmless_signals() {
  for (const int signal : harmless_signals) std::signal(signal, SIG_IGN);
}

void fill_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1 || errno != EBADF) continue;
    // The lowest free number, which is this stream's: those below it are open. The wrong way round, so that
    // reading or writing goes on failing.
    (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

bool end_with_parent(pid_t parent) {
  return ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent;
}

int spawn(Child child, pid_t& pid) {
  Beginning beginning(child.output, child.errors);
  const int code = ::posix_spawnp(&pid, child.file.c_str(), beginning.actions(), beginning.attributes(),
                                  pointers(child.words).data(), pointers(child.variables).data());
  if (code != 0) pid = -1;
  return code;
}

}  // namespace ferryman::app
