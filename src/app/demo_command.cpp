// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <ostream>

#include "app/commands.h"
#include "app/demo_daemon.h"
#include "app/demo_report.h"
#include "app/demo_view.h"
#include "app/operator_call.h"
#include "app/process_loop.h"
#include "app/sandbox_server.h"
#include "app/scenario_settings.h"
#include "net/curl_client.h"
#include "sandbox/promises.h"

namespace ferryman::app {

namespace {

LogSettings errors_only() {
  LogSettings log;
  log.level = Level::error;
  return log;
}

class Demo {
 public:
  Demo(const Invocation& invocation, const sandbox::Scenario& scenario, const ResolvedSettings& resolved)
      : invocation_(invocation),
        settings_(resolved),
        sandbox_settings_(resolved),
        loop_(errors_only()),
        clock_(loop_.clock()),
        http_(clock_, Environment()),
        server_(clock_, loop_.log(), scenario),
        daemon_(clock_, http_, settings_.daemon_log),
        readers_(clock_, loop_.log()),
        progress_(server_.world().journal()),
        view_(invocation.out, ::isatty(STDOUT_FILENO) == 1, clock_.now()) {}

  int run() {
    loop_.on_signal([this] { stop_ = true; });
    return loop_.run("demo", work()) ? exit_ : exit_failed;
  }

 private:
  Task<void> work() {
    const auto done = co_await play();
    const auto daemon_exit = co_await daemon_.stop(Deadline::after(clock_, std::chrono::seconds{30}));
    readers_.cancel();
    co_await readers_.join(Deadline::after(clock_, std::chrono::seconds{1}));
    if (!done) {
      fail(done.error().text);
    } else {
      finish(daemon_exit);
    }
    co_await server_.stop();
  }

  Task<Result<void>> play() {
    auto started = server_.start(sandbox_settings_, invocation_.environment, invocation_.files);
    if (!started) {
      exit_ = exit_settings;
      co_return started;
    }
    if (auto daemon = daemon_.start(daemon_variables()); !daemon) co_return daemon;
    readers_.spawn("daemon log", daemon_.follow_log());
    const auto ready = co_await daemon_.wait_ready(Deadline::after(clock_, std::chrono::seconds{30}));
    if (!ready) co_return ready.error();
    view_.say(fmt::format("AWS {}, Kubernetes {}, daemon {}", server_.access().aws_url,
                          server_.access().kubernetes_url, daemon_.status_url()));
    if (auto ended = co_await end_nodes(); !ended) co_return ended;
    co_return co_await watch(Deadline::after(clock_, settings_.timeout));
  }

  // The child gets the sandbox's variables alone, and what builds with instruments need.
  [[nodiscard]] ChildProcess::Variables daemon_variables() const {
    ChildProcess::Variables variables = sandbox_variables(server_.access());
    // Nobody wants to watch for two minutes how nothing comes any more.
    variables["FERRYMAN_CONTINUED_SERVICE_NETWORK"] = "20s";
    for (const char* name :
         {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE", "LD_LIBRARY_PATH"}) {
      if (std::string value = invocation_.environment.get(name); !value.empty())
        variables[name] = std::move(value);
    }
    return variables;
  }

  Task<Result<void>> end_nodes() {
    progress_.update();
    std::vector<InstanceId> chosen;
    for (const auto& node : server_.world().kubernetes().nodes()) {
      if (std::ssize(chosen) < settings_.terminate) chosen.push_back(node.instance_id);
    }
    view_.say(
        fmt::format("{} of {} nodes end now", chosen.size(), server_.world().kubernetes().nodes().size()));
    for (const InstanceId& id : chosen) {
      progress_.follow(id);
      auto ended = co_await terminate_instance(http_, server_.access(), id, clock_.wall(),
                                               Deadline::after(clock_, std::chrono::seconds{10}));
      if (!ended) co_return ended;
    }
    co_return Result<void>();
  }

  Task<Result<void>> watch(Deadline deadline) {
    constexpr Duration frame = std::chrono::milliseconds{200};
    for (;;) {
      progress_.update();
      view_.show(progress_.nodes(), clock_.now());
      if (progress_.all_ended() && server_.messages_left() == 0) co_return Result<void>();
      if (stop_) co_return Error(Fault::cancelled, "stopped by a signal");
      if (daemon_.ended()) co_return Error(Fault::unexpected, "the daemon ended");
      if (deadline.passed(clock_)) co_return Result<void>();  // the report says what is left
      co_await clock_.sleep_for(frame);
    }
  }

  void fail(const std::string& why) {
    if (exit_ == exit_done) exit_ = exit_failed;
    invocation_.err << fmt::format("ferryman demo: {}\n", why);
    if (const std::string lines = daemon_.last_lines(); !stop_ && !lines.empty()) {
      invocation_.err << "The end of the daemon's log:\n" << lines;
    }
    invocation_.err.flush();
  }

  void finish(const std::optional<int>& daemon_exit) {
    progress_.update();
    const DemoReport report =
        make_report(progress_, server_.world().journal(), server_.messages_left(),
                    broken_promises(server_.world().journal(), sandbox::PromiseTerms()));
    view_.say("\n" + report_text(report));
    if (!settings_.report.empty()) write(report);
    if (!report.good()) fail("not everything ended as promised");
    if (daemon_exit != exit_done) fail("the daemon did not end in order");
  }

  void write(const DemoReport& report) {
    std::ofstream file(settings_.report);
    file << report_json(report);
    if (!file.flush()) fail(fmt::format("setting report: {} cannot be written", settings_.report));
  }

  const Invocation& invocation_;
  DemoSettings settings_;
  SandboxSettings sandbox_settings_;
  ProcessLoop loop_;
  Clock& clock_;
  net::CurlClient http_;
  SandboxServer server_;
  DemoDaemon daemon_;
  Scope readers_;
  DemoProgress progress_;
  DemoView view_;
  bool stop_ = false;
  int exit_ = exit_done;
};

/// Tried before the run: nobody wants to hear of it after minutes.
std::string report_problem(const std::string& path) {
  if (path.empty() || std::ofstream(path, std::ios::app)) return {};
  return fmt::format("setting report: {} cannot be written: {}", path, std::strerror(errno));
}

}  // namespace

int run_demo(const Invocation& invocation, const ResolvedSettings& resolved) {
  const auto scenario = scenario_of(resolved, invocation.files, random_seed());
  if (!scenario) return refuse(invocation, "demo", {scenario.error().text});
  if (resolved.integer("terminate") > scenario->nodes) {
    return refuse(
        invocation, "demo",
        {fmt::format("setting terminate: {} from {} is more than the {} nodes; end fewer or add --nodes",
                     resolved.integer("terminate"), resolved.source("terminate"), scenario->nodes)});
  }
  if (const std::string text = report_problem(resolved.text("report")); !text.empty()) {
    return refuse(invocation, "demo", {text});
  }
  return Demo(invocation, *scenario, resolved).run();
}

}  // namespace ferryman::app
