// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <ostream>
#include <set>
#include <system_error>

#include "app/commands.h"
#include "app/demo_daemon.h"
#include "app/demo_report.h"
#include "app/demo_view.h"
#include "app/groundwork.h"
#include "app/process_loop.h"
#include "app/sandbox_server.h"
#include "app/scenario_settings.h"
#include "net/curl_client.h"
#include "sandbox/promises.h"

namespace ferryman::app {

namespace {

std::vector<InstanceId> nodes_to_end(sandbox::World& world, std::int64_t most) {
  std::vector<InstanceId> chosen;
  for (const auto& node : world.kubernetes().nodes()) {
    if (std::ssize(chosen) < most) chosen.push_back(node.instance_id);
  }
  return chosen;
}

/// Instances that are no nodes: their events come to our queue, and are none of our business.
std::vector<InstanceId> foreign_to_end(sandbox::World& world, std::int64_t most) {
  std::set<InstanceId> ours;
  for (const auto& node : world.kubernetes().nodes()) ours.insert(node.instance_id);
  std::vector<InstanceId> chosen;
  for (const auto& [id, instance] : world.aws().instances().all()) {
    if (!ours.contains(id) && std::ssize(chosen) < most) chosen.push_back(id);
  }
  return chosen;
}

class Demo {
 public:
  Demo(const Invocation& invocation, const sandbox::Scenario& scenario, const ResolvedSettings& resolved)
      : invocation_(invocation),
        settings_(resolved),
        sandbox_settings_(resolved),
        loop_(LogSettings(Level::error)),
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
    if (auto daemon = daemon_.start(settings_.daemon_flags, daemon_variables()); !daemon) co_return daemon;
    readers_.spawn("daemon log", daemon_.follow_log());
    const auto ready = co_await daemon_.wait_ready(Deadline::after(clock_, std::chrono::seconds{30}));
    if (!ready) co_return ready.error();
    view_.say(fmt::format("AWS {}, Kubernetes {}, control {}, daemon {}", server_.access().aws_url,
                          server_.access().kubernetes_url, server_.access().control_url,
                          daemon_.status_url()));
    if (auto ended = end_nodes(); !ended) co_return ended;
    co_return co_await watch(Deadline::after(clock_, settings_.timeout));
  }

  // The child gets the sandbox's variables alone, and what builds with instruments need.
  [[nodiscard]] ChildProcess::Variables daemon_variables() const {
    ChildProcess::Variables variables = sandbox_variables(server_.access());
    for (const char* name :
         {"ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE", "LD_LIBRARY_PATH"}) {
      if (std::string value = invocation_.environment.get(name); !value.empty())
        variables[name] = std::move(value);
    }
    return variables;
  }

  // Through their groups and as nobody in particular: rights that lack are the daemon's, not the operator's.
  Result<void> end_nodes() {
    progress_.update();
    const auto nodes = server_.world().kubernetes().nodes();
    const std::vector<InstanceId> ours = nodes_to_end(server_.world(), settings_.terminate);
    const std::vector<InstanceId> foreign = foreign_to_end(server_.world(), settings_.terminate);
    for (const InstanceId& id : ours) progress_.follow(id);
    for (const InstanceId& id : foreign) progress_.follow_foreign(id);
    view_.say(fmt::format("{} of {} nodes end now", ours.size(), nodes.size()) +
              (foreign.empty() ? "" : fmt::format(", and {} foreign instances", foreign.size())));
    for (const auto* ids : {&foreign, &ours}) {
      for (const InstanceId& id : *ids) {
        const auto ended = server_.world().aws().groups().terminate_in_group(id, true);
        if (!ended) return ended.error().within("ending " + id.str());
      }
    }
    return {};
  }

  [[nodiscard]] bool is_over() {
    return progress_.all_ended() && server_.messages_left() == progress_.foreign_left() &&
           progress_.foreign_given_back() == progress_.foreign_events();
  }

  Task<Result<void>> watch(Deadline deadline) {
    constexpr Duration frame = std::chrono::milliseconds{200};
    for (;;) {
      progress_.update();
      view_.show(progress_.nodes(), clock_.now());
      if (is_over()) co_return Result<void>();
      if (stop_) co_return Error(Fault::cancelled, "stopped by a signal");
      if (daemon_.ended()) co_return Error(Fault::unexpected, "the daemon ended");
      gave_up_ = deadline.passed(clock_);
      if (gave_up_) co_return Result<void>();  // the report says what is left
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
    DemoReport report = make_report(progress_, server_.world().journal(), server_.messages_left(),
                                    broken_promises(server_.world().journal(), terms()));
    if (gave_up_) report.gave_up = settings_.timeout;
    view_.say("\n" + report_text(report));
    if (!settings_.report.empty()) write(report);
    if (!report.good()) fail(report.what_is_left());
    if (daemon_exit != exit_done) fail("the daemon did not end in order");
    if (daemon_.log_is_lost())
      fail(fmt::format("setting daemon-log: {} cannot be written", settings_.daemon_log));
  }

  /// When we gave up, what is not over yet breaks no promise.
  [[nodiscard]] sandbox::PromiseTerms terms() const {
    constexpr Duration imprecision = std::chrono::seconds{2};  // events tell their time in whole seconds
    sandbox::PromiseTerms terms;
    terms.finished = !gave_up_;
    terms.final_deadline = settings_.max_termination_time - imprecision;
    return terms;
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
  bool gave_up_ = false;
  int exit_ = exit_done;
};

/// Tried before the run: nobody wants to hear of it after minutes.
std::string file_problem(const ResolvedSettings& resolved, std::string_view name) {
  const std::string& path = resolved.text(name);
  if (path.empty() || std::ofstream(path, std::ios::app)) return {};
  return fmt::format("{} cannot be written: {}; name a file in a folder that exists and is yours",
                     resolved.told(name), std::generic_category().message(errno));
}

/// What no run can come of.
std::vector<std::string> problems_of(const ResolvedSettings& resolved, int nodes) {
  std::vector<std::string> problems;
  if (resolved.integer("terminate") > nodes) {
    problems.push_back(fmt::format("{} is more than the {} nodes; set --terminate={} or less, or add --nodes",
                                   resolved.told("terminate"), nodes, nodes));
  }
  termination::Policy policy;
  policy.max_termination_time = resolved.duration("max-termination-time");
  policy.margin = resolved.duration("deadline-margin");
  if (std::string text = margin_problem(policy); !text.empty()) problems.push_back(std::move(text));
  for (const std::string_view name : {"report", "daemon-log"}) {
    if (std::string text = file_problem(resolved, name); !text.empty()) problems.push_back(std::move(text));
  }
  return problems;
}

}  // namespace

int run_demo(const Invocation& invocation, const ResolvedSettings& resolved) {
  const auto scenario = scenario_of(resolved, invocation.files, random_seed());
  if (!scenario) return refuse(invocation, "demo", {scenario.error().text});
  if (const auto problems = problems_of(resolved, scenario->nodes); !problems.empty())
    return refuse(invocation, "demo", problems);
  return Demo(invocation, *scenario, resolved).run();
}

}  // namespace ferryman::app
