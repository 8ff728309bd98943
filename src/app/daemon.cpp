// SPDX-License-Identifier: Apache-2.0
#include "app/daemon.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "app/aws_side.h"
#include "app/kube_side.h"
#include "app/metrics_page.h"
#include "notify/kubernetes_events.h"
#include "notify/notice_board.h"
#include "termination/engine.h"
#include "termination/shadow/shadow_event_writer.h"
#include "termination/shadow/shadow_ports.h"

namespace ferryman::app {

namespace {

termination::Policy complete_policy(termination::Policy policy, const Groundwork& ground) {
  policy.account = ground.account;
  policy.region = ground.region;
  return policy;
}

/// A line like "pod.evicted" must not be taken for a fact.
Log engine_log(const Log& log, const termination::Policy& policy) {
  return policy.shadow ? log.with({{"shadow", true}}) : log;
}

/// Tells replicas apart in events.
std::string instance_name(const termination::Policy& policy) {
  return policy.own_pod.empty() ? "ferryman" : policy.own_pod;
}

RunningRow row_of(const termination::TerminationStatus& status) {
  RunningRow row;
  row.instance_id = status.instance_id.str();
  row.node = status.node;
  row.phase = std::string(name_of(status.phase));
  row.pods_left = status.pods_left;
  row.waits_for = status.waits_for;
  row.started = status.started;
  row.deadline = status.deadline;
  return row;
}

FinishedRow row_of(const termination::FinishedTermination& finished) {
  FinishedRow row;
  row.instance_id = finished.status.instance_id.str();
  row.node = finished.status.node;
  row.result = std::string(name_of(finished.result));
  row.started = finished.status.started;
  row.ended = finished.ended;
  return row;
}

}  // namespace

struct Daemon::Parts {
  Parts(const Groundwork& ground, const Settings& settings, const Platform& platform, const Log& log,
        Scope& scope)
      : aws(ground, platform, log, scope),
        kube(ground, platform, log),
        event_writer(kube.event_writer(instance_name(settings.policy))),
        shadow_writer(log),
        events(platform.clock, log, chosen_writer(settings.policy.shadow), notify_metrics),
        real(aws.queue(), aws.cloud(), aws.balancers(), kube.cluster(), notices),
        shadow(platform.clock, log, real),
        engine(platform.clock, platform.random, engine_log(log, settings.policy),
               complete_policy(settings.policy, ground), settings.policy.shadow ? shadow.ports() : real) {
    if (settings.kubernetes_events) notices.add(events);
  }

  termination::EventWriter& chosen_writer(bool shadowed) {
    if (shadowed) return shadow_writer;
    return event_writer;
  }

  AwsSide aws;
  KubeSide kube;
  notify::Metrics notify_metrics;
  notify::NoticeBoard notices{notify_metrics,
                              [this](const InstanceId& id) { return kube.cluster().find_node(id); }};
  kube::KubeEventWriter event_writer;
  termination::shadow::ShadowEventWriter shadow_writer;
  notify::KubernetesEvents events;
  termination::Ports real;
  termination::shadow::ShadowPorts shadow;
  termination::Engine engine;
};

Daemon::Daemon(Settings settings, const Platform& platform)
    : settings_(std::move(settings)),
      platform_(platform),
      log_(platform_.log_sink, platform_.clock, settings_.log.level),
      started_(platform_.clock.wall()),
      stopping_(platform_.clock),
      scope_(platform_.clock, log_) {
  const Groundwork ground = lay_groundwork(settings_, platform_, log_, scope_);
  problems_ = ground.problems;
  if (problems_.empty()) parts_ = std::make_unique<Parts>(ground, settings_, platform_, log_, scope_);
}

Daemon::~Daemon() = default;

const std::vector<std::string>& Daemon::problems() const {
  return problems_;
}

Task<void> Daemon::run() {
  log_.info("daemon.started", {{"version", FERRYMAN_VERSION},
                               {"queue", settings_.queue_url},
                               {"server", parts_->kube.server()},
                               {"hooks", fmt::format("{}", fmt::join(settings_.policy.hooks, ","))},
                               {"shadow", settings_.policy.shadow}});
  parts_->kube.cluster().start(scope_);
  parts_->events.start(scope_);
  parts_->engine.start();
  scope_.spawn("readiness", watch_readiness());
  scope_.spawn("refusal", end_when_refused());
  constexpr Duration long_wait = std::chrono::hours{1};
  while (!stop_by_) co_await stopping_.wait_until(platform_.clock.now() + long_wait);
  co_await end(*stop_by_);
}

void Daemon::stop(Deadline deadline) {
  stop_by_ = stop_by_ ? stop_by_->earlier(deadline) : deadline;
  stopping_.notify_all();
}

Task<void> Daemon::end_when_refused() {
  refusal_ = co_await parts_->engine.refused();
  log_.error("queue.refused", {{"reason", refusal_}});
  stop(Deadline::after(platform_.clock, settings_.shutdown_grace));
}

// The engine first: its last calls still need credentials and the node cache.
Task<void> Daemon::end(Deadline deadline) {
  log_.info("daemon.stopping",
            {{"running", parts_->engine.status().size()}, {"within", deadline.left(platform_.clock)}});
  constexpr Duration for_the_last = std::chrono::seconds{1};
  co_await parts_->engine.stop(Deadline(deadline.at() - for_the_last));
  co_await parts_->events.flush(deadline.at_most(platform_.clock, for_the_last / 2));
  scope_.cancel();
  if (!co_await scope_.join(Deadline::after(platform_.clock, for_the_last))) log_.error("daemon.stuck");
  log_.info("daemon.stopped");
}

// One line per change of the whole; what is wrong is logged where it is seen and stands in /readyz.
Task<void> Daemon::watch_readiness() {
  constexpr Duration longest = std::chrono::seconds{5};
  Duration pause = std::chrono::milliseconds{50};
  bool was_ready = false;
  WallTime not_ready_since = started_;
  for (;;) {
    const bool is_ready = ready();
    if (is_ready && !was_ready) {
      // At the start "after" counts from it, later from the moment when it was lost.
      log_.info("daemon.ready", {{"nodes", static_cast<std::int64_t>(parts_->kube.metrics().nodes.value())},
                                 {"after", platform_.clock.wall() - not_ready_since}});
    } else if (!is_ready && was_ready) {
      not_ready_since = platform_.clock.wall();
      log_.warn("daemon.not_ready");
    }
    was_ready = is_ready;
    co_await platform_.clock.sleep_for(pause);
    pause = std::min(pause * 2, longest);
  }
}

StatusReport Daemon::status() {
  StatusReport report;
  report.version = FERRYMAN_VERSION;
  report.now = platform_.clock.wall();
  report.started = started_;
  if (!parts_) return report;
  add_health(report);
  report.shadow = settings_.policy.shadow;
  report.paused = parts_->engine.metrics().paused.value() > 0;
  for (const auto& status : parts_->engine.status()) report.running.push_back(row_of(status));
  std::ranges::sort(report.running, [](const RunningRow& a, const RunningRow& b) {
    return std::tie(a.deadline, a.instance_id) < std::tie(b.deadline, b.instance_id);
  });
  const auto& finished = parts_->engine.finished();
  for (auto it = finished.rbegin(); it != finished.rend(); ++it) report.finished.push_back(row_of(*it));
  return report;
}

void Daemon::add_health(StatusReport& report) {
  const auto& engine = parts_->engine;
  const auto why = [](const std::string& trouble) { return trouble.empty() ? "no answer yet" : trouble; };
  report.health.emplace_back("queue", engine.queue_reachable(),
                             engine.queue_reachable() ? settings_.queue_url : why(engine.queue_trouble()));
  const auto& cluster = parts_->kube.cluster();
  HealthRow nodes("nodes", cluster.in_sync(), why(cluster.trouble()));
  if (nodes.ok) {
    nodes.detail = fmt::format("{:.0f} in the cache, from {}", parts_->kube.metrics().nodes.value(),
                               parts_->kube.server());
    // A watch of a quiet cluster is silent for up to a minute; what is longer may be an outage, and counts as
    // one only at 150 s.
    constexpr Duration worth_telling = std::chrono::seconds{20};
    const Duration silence = cluster.silence();
    if (silence > worth_telling || !cluster.newest_trouble().empty())
      nodes.note = fmt::format("last word from the API server {:.0f} s ago", seconds(silence));
    if (!cluster.newest_trouble().empty()) nodes.note += ": " + cluster.newest_trouble();
  }
  report.health.push_back(std::move(nodes));
  if (stop_by_) report.health.emplace_back("process", false, "stopping");
}

std::string Daemon::metrics_text() {
  if (!parts_) return {};
  return print_metrics({parts_->engine.metrics(), parts_->aws.metrics(), parts_->kube.metrics(),
                        parts_->notify_metrics, read_process_facts(platform_.files), started_, ready()});
}

std::uint64_t Daemon::failures() const {
  return scope_.failures() + (parts_ ? parts_->engine.failures() : 0);
}

}  // namespace ferryman::app
