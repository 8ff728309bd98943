// SPDX-License-Identifier: Apache-2.0
#include "app/metrics_page.h"

#include <charconv>

#include "app/build_info.h"
#include "app/prometheus_text.h"

namespace ferryman::app {

namespace {

template <class Label, class Metric, std::size_t N>
void add_family(PrometheusText& out, const Family<Metric, Label, N>& family, const std::string& label) {
  for (std::size_t i = 0; i < N; ++i) {
    const auto value = static_cast<Label>(i);
    out.add(family[value], {{label, std::string(name_of(value))}});
  }
}

void messages(PrometheusText& out, const termination::Metrics& m) {
  out.counter("ferryman_messages_received_total", "Messages received, repeated ones included")
      .add(m.messages_received);
  out.counter("ferryman_messages_total", "Messages by how they ended");
  add_family(out, m.messages, "outcome");
  out.counter("ferryman_messages_quarantined_total", "Messages that do not parse and were put out of the way")
      .add(m.messages_quarantined);
  out.counter("ferryman_unknown_events_total", "Messages of kinds that are not acted on, by source and type");
  for (const auto& [words, number] : m.unknown_events.counts())
    out.add(static_cast<double>(number), {{"source", words.first}, {"detail_type", words.second}});
  out.counter("ferryman_events_total", "Events by kind");
  add_family(out, m.events, "kind");
}

void terminations(PrometheusText& out, const termination::Metrics& m) {
  out.counter("ferryman_terminations_started_total", "Terminations started").add(m.terminations_started);
  out.counter("ferryman_terminations_resumed_total", "Terminations taken over from a claim")
      .add(m.terminations_resumed);
  out.counter("ferryman_terminations_total", "Terminations by result");
  add_family(out, m.terminations, "result");
  out.counter("ferryman_marks_taken_back_total", "Nodes that stay after all and were put back to work")
      .add(m.marks_taken_back);
  out.gauge("ferryman_terminations_running", "Terminations at work now").add(m.running);
  out.gauge("ferryman_paused", "1 while the pause switch stops new work").add(m.paused);
  out.gauge("ferryman_terminations_in_phase", "Terminations at work now by phase");
  add_family(out, m.in_phase, "phase");
  out.histogram("ferryman_cordon_seconds", "From the event to the cordoned node").add(m.seconds_to_cordon);
  out.histogram("ferryman_termination_seconds", "From the event to the end of its termination")
      .add(m.seconds_to_complete);
}

void pods_and_hooks(PrometheusText& out, const termination::Metrics& m) {
  out.counter("ferryman_pods_evicted_total", "Accepted evictions").add(m.pods_evicted);
  out.counter("ferryman_evictions_refused_total", "Evictions refused by a disruption budget")
      .add(m.evictions_refused);
  out.counter("ferryman_pods_deleted_total", "Pods deleted in the delete phase").add(m.pods_deleted);
  out.counter("ferryman_pods_forced_total", "Pods deleted with their grace cut").add(m.pods_forced);
  out.counter("ferryman_pods_left_total", "Pods still there when a final deadline came").add(m.pods_left);
  out.counter("ferryman_volumes_left_total", "Volumes still attached when their wait was over")
      .add(m.volumes_left);
  out.counter("ferryman_nodes_deleted_total", "Node objects of ended instances that were removed")
      .add(m.nodes_deleted);
  out.counter("ferryman_ghost_pods_deleted_total", "Pods removed that hung on the Node of an ended instance")
      .add(m.ghosts_deleted);
  out.counter("ferryman_hooks_unheeded_total",
              "Lifecycle hooks that were found waiting though no message told of them")
      .add(m.hooks_unheeded);
  out.counter("ferryman_heartbeats_total", "Lifecycle heartbeats accepted").add(m.heartbeats);
  out.counter("ferryman_heartbeat_failures_total", "Lifecycle heartbeats that failed")
      .add(m.heartbeats_failed);
  out.counter("ferryman_completions_total", "Lifecycle actions completed").add(m.completions);
  out.counter("ferryman_launches_total", "Launch hooks completed because the Node was Ready").add(m.launches);
}

void load_balancers(PrometheusText& out, const termination::Metrics& m) {
  out.counter("ferryman_targets_deregistered_total", "Targets whose deregistration was accepted")
      .add(m.targets_deregistered);
  out.counter("ferryman_deregistration_failures_total", "Deregistering calls that failed")
      .add(m.deregistrations_failed);
  out.counter("ferryman_targets_came_back_total", "Targets that somebody registered again")
      .add(m.targets_came_back);
  out.counter("ferryman_targets_left_total", "Targets still held when a final deadline came")
      .add(m.targets_left);
}

std::string service_label(std::size_t service) {
  return std::string(aws::facts_of(static_cast<aws::Service>(service)).label);
}

void aws_calls(PrometheusText& out, const aws::Metrics& m) {
  const auto each = [&](auto&& add) {
    for (std::size_t i = 0; i < aws::service_count; ++i) {
      add(m.services[static_cast<aws::Service>(i)], service_label(i));
    }
  };
  out.counter("ferryman_aws_calls_total", "Requests sent to AWS, retries included");
  each([&](const auto& s, const auto& service) { out.add(s.calls, {{"service", service}}); });
  out.counter("ferryman_aws_retries_total", "Requests sent to AWS again");
  each([&](const auto& s, const auto& service) { out.add(s.retries, {{"service", service}}); });
  out.counter("ferryman_aws_errors_total", "Requests to AWS that failed, by fault");
  each([&](const auto& s, const auto& service) {
    for (std::size_t i = 0; i < aws::fault_count; ++i) {
      const auto fault = static_cast<Fault>(i);
      out.add(s.errors[fault], {{"service", service}, {"fault", std::string(name_of(fault))}});
    }
  });
  out.histogram("ferryman_aws_call_seconds", "Time of a request to AWS; long polls included");
  each([&](const auto& s, const auto& service) { out.add(s.seconds, {{"service", service}}); });
}

void kubernetes_calls(PrometheusText& out, const kube::Metrics& m) {
  out.counter("ferryman_kubernetes_requests_total", "Requests sent to the API server").add(m.requests);
  out.counter("ferryman_kubernetes_failures_total", "Requests to the API server that failed, by fault");
  add_family(out, m.failures, "fault");
  out.counter("ferryman_kubernetes_lists_total", "Complete lists").add(m.lists);
  out.counter("ferryman_kubernetes_watches_total", "Watches opened").add(m.watches);
  out.counter("ferryman_kubernetes_watch_expirations_total", "Watches that had to start over with a list")
      .add(m.watch_expirations);
  out.counter("ferryman_kubernetes_watch_silences_total", "Watches given up because nothing came")
      .add(m.watch_silences);
  out.counter("ferryman_kubernetes_unreadable_objects_total", "Objects that could not be read")
      .add(m.unreadable_objects);
  out.gauge("ferryman_nodes", "Nodes in the cache").add(m.nodes);
}

void notices(PrometheusText& out, const notify::Metrics& m) {
  out.counter("ferryman_notices_total", "What people were told, by the reason of its Kubernetes event");
  for (std::size_t i = 0; i < termination::notice_kinds; ++i) {
    const auto kind = static_cast<termination::NoticeKind>(i);
    out.add(m.notices[kind], {{"reason", std::string(reason_of(kind))}});
  }
  out.counter("ferryman_kubernetes_events_written_total", "Kubernetes events created").add(m.events_written);
  out.counter("ferryman_kubernetes_events_repeated_total", "Kubernetes events whose count was raised")
      .add(m.events_repeated);
  out.counter("ferryman_kubernetes_events_dropped_total", "Kubernetes events that could not be written");
  add_family(out, m.events_dropped, "because");
}

void process(PrometheusText& out, const MetricsPage& page) {
  const BuildInfo info = build_info();
  out.gauge("ferryman_build_info", "Version and compiler, always 1")
      .add(1, {{"version", info.version}, {"compiler", info.compiler}});
  out.gauge("ferryman_ready", "1 when /readyz says so").add(page.ready ? 1 : 0);
  out.gauge("process_start_time_seconds", "Start of the process in seconds since 1970")
      .add(seconds(page.started.time_since_epoch()));
  if (page.process.resident_bytes) {
    out.gauge("process_resident_memory_bytes", "Resident memory").add(*page.process.resident_bytes);
  }
  if (page.process.cpu_seconds) {
    out.counter("process_cpu_seconds_total", "User and system time").add(*page.process.cpu_seconds);
  }
}

// The n-th field (from 0) of blank-separated numbers.
std::optional<double> field(std::string_view text, int n) {
  for (; n > 0; --n) {
    const auto blank = text.find(' ');
    if (blank == std::string_view::npos) return std::nullopt;
    text.remove_prefix(blank + 1);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} ? std::optional(value) : std::nullopt;
}

}  // namespace

// proc(5): statm's second field is resident pages; stat's fields 14 and 15 are ticks of 10 ms. The second
// field of stat is the program's name in parentheses and may hold anything, so counting starts behind it.
ProcessFacts read_process_facts(Files& files) {
  constexpr double page_bytes = 4096;
  constexpr double ticks_per_second = 100;
  ProcessFacts facts;
  if (const auto statm = files.read("/proc/self/statm")) {
    if (const auto pages = field(*statm, 1)) facts.resident_bytes = *pages * page_bytes;
  }
  if (const auto stat = files.read("/proc/self/stat")) {
    const auto name_end = stat->rfind(") ");
    if (name_end == std::string::npos) return facts;
    const std::string_view rest = std::string_view(*stat).substr(name_end + 2);
    const auto user = field(rest, 11);
    const auto system = field(rest, 12);
    if (user && system) facts.cpu_seconds = (*user + *system) / ticks_per_second;
  }
  return facts;
}

std::string print_metrics(const MetricsPage& page) {
  PrometheusText out;
  messages(out, page.termination);
  terminations(out, page.termination);
  pods_and_hooks(out, page.termination);
  load_balancers(out, page.termination);
  aws_calls(out, page.aws);
  kubernetes_calls(out, page.kube);
  notices(out, page.notify);
  process(out, page);
  return out.str();
}

}  // namespace ferryman::app
