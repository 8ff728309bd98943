// SPDX-License-Identifier: Apache-2.0
#include "app/process_loop.h"

#include <unistd.h>

#include <csignal>
#include <random>

namespace ferryman::app {

namespace {

/// As nohup leaves it.
bool is_ignored(int signal) {
  struct sigaction now{};
  return ::sigaction(signal, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

const char* name_of_signal(int signal) {
  if (signal == SIGTERM) return "SIGTERM";
  return signal == SIGINT ? "SIGINT" : "SIGHUP";
}

}  // namespace

ProcessLoop::ProcessLoop(const LogSettings& log)
    : random_(random_seed()),
      sink_(log.json),
      log_(sink_, clock_, log.level),
      signals_(loop_, SIGTERM, SIGINT) {
  if (!is_ignored(SIGHUP)) signals_.add(SIGHUP);
}

bool ProcessLoop::run(std::string name, Task<void> task) {
  Scope root(clock_, log_);
  wait_for_signal();
  root.spawn(std::move(name), std::move(task));
  while (root.size() > 0) loop_.run_one();
  signals_.cancel();
  return root.failures() == 0;
}

// Plain callbacks: they only pass the word on.
void ProcessLoop::wait_for_signal() {
  signals_.async_wait([this](const boost::system::error_code& error, int number) {
    if (error) return;
    if (stopping_) ::_exit(1);
    stopping_ = true;
    log_.info("signal.received", {{"signal", name_of_signal(number)}});
    if (stop_) stop_();
    wait_for_signal();
  });
}

std::uint64_t random_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32U) | device();
}

}  // namespace ferryman::app
