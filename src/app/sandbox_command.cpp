// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ostream>

#include "app/commands.h"
#include "app/process_loop.h"
#include "app/sandbox_server.h"
#include "app/scenario_settings.h"

namespace ferryman::app {

namespace {

class SandboxProcess {
 public:
  SandboxProcess(const Invocation& invocation, const sandbox::Scenario& scenario, SandboxSettings settings)
      : invocation_(invocation),
        settings_(std::move(settings)),
        loop_(LogSettings(Level::warn)),
        server_(loop_.clock(), loop_.log(), scenario),
        stopping_(loop_.clock()) {}

  int run() {
    loop_.on_signal([this] {
      stop_ = true;
      stopping_.notify_all();
    });
    return loop_.run("sandbox", work()) ? exit_ : exit_failed;
  }

 private:
  Task<void> work() {
    if (const auto started = server_.start(settings_, invocation_.environment, invocation_.files)) {
      announce();
      constexpr Duration long_wait = std::chrono::hours{1};
      while (!stop_) co_await stopping_.wait_until(loop_.clock().now() + long_wait);
    } else {
      exit_ = refuse(invocation_, "sandbox", {started.error().text});
    }
    co_await server_.stop();
  }

  void announce() {
    const SandboxAccess& access = server_.access();
    invocation_.out << shell_lines(sandbox_variables(access))
                    << fmt::format("# Kubernetes at {}, control API at {}\n", access.kubernetes_url,
                                   access.control_url);
    invocation_.out.flush();
  }

  const Invocation& invocation_;
  SandboxSettings settings_;
  ProcessLoop loop_;
  SandboxServer server_;
  Signal stopping_;
  bool stop_ = false;
  int exit_ = exit_done;
};

}  // namespace

int run_sandbox(const Invocation& invocation, const ResolvedSettings& resolved) {
  const auto scenario = scenario_of(resolved, invocation.files, random_seed());
  if (!scenario) return refuse(invocation, "sandbox", {scenario.error().text});
  return SandboxProcess(invocation, *scenario, SandboxSettings(resolved)).run();
}

}  // namespace ferryman::app
