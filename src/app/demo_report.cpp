// SPDX-License-Identifier: Apache-2.0
#include "app/demo_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "app/pretty_json.h"
#include "app/setting_value.h"

namespace ferryman::app {

namespace {

struct Spread {
  double median = 0;
  double longest = 0;
};

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values.back()};
}

json::object counts(const std::map<std::string, std::uint64_t>& calls) {
  json::object out;
  for (const auto& [name, n] : calls) out[name] = n;
  return out;
}

json::array texts(const std::vector<std::string>& list) {
  json::array out;
  for (const std::string& text : list) out.emplace_back(text);
  return out;
}

std::uint64_t total(const std::map<std::string, std::uint64_t>& calls) {
  std::uint64_t sum = 0;
  for (const auto& [name, n] : calls) sum += n;
  return sum;
}

// In the order of the work, not of the alphabet.
constexpr std::array<std::string_view, 6> phase_names{"cordon", "deregister", "drain",
                                                      "let go", "complete",   "whole"};

std::string phases_text(const DemoReport& report) {
  std::string out;
  for (const std::string_view name : phase_names) {
    const auto phase = report.phase_seconds.find(std::string(name));
    if (phase == report.phase_seconds.end()) continue;
    const Spread spread = spread_of(phase->second);
    out += fmt::format("  {:<10} median {:6.2f} s, longest {:6.2f} s\n", name, spread.median, spread.longest);
  }
  return out;
}

}  // namespace

DemoReport make_report(const DemoProgress& progress, const sandbox::Journal& journal,
                       std::size_t messages_left, std::vector<std::string> broken_promises) {
  DemoReport report;
  report.terminations = progress.nodes().size();
  report.hooks_completed = progress.completed();
  report.pods_evicted = progress.pods_evicted();
  report.targets_deregistered = progress.targets_deregistered();
  report.messages_left = messages_left - std::min(messages_left, progress.foreign_left());
  report.foreign_events = progress.foreign_events();
  report.foreign_given_back = progress.foreign_given_back();
  report.aws_calls = journal.aws_calls();
  report.kubernetes_calls = journal.kubernetes_calls();
  report.broken_promises = std::move(broken_promises);
  const auto add = [&](const char* phase, const auto& from, const auto& to) {
    if (from && to) report.phase_seconds[phase].push_back(seconds(*to - *from));
  };
  for (const NodeProgress& node : progress.nodes()) {
    const bool all_let_go = node.targets_left == 0 && (!node.let_go || node.let_go <= node.completed);
    if (!node.first_evicted || !node.deregistered || *node.deregistered <= *node.first_evicted)
      ++report.left_before_eviction;
    if (all_let_go && node.completed) ++report.let_go_before_completion;
    add("cordon", node.told, node.cordoned);
    add("deregister", node.cordoned, node.deregistered);
    add("drain", node.cordoned, node.empty);
    add("let go", node.deregistered, node.let_go);
    add("complete", node.let_go ? std::max(node.empty, node.let_go) : node.empty, node.completed);
    add("whole", node.told, node.completed);
    if (node.stage < Stage::completed) report.unfinished.push_back(node.node + " (" + how_far(node) + ")");
  }
  return report;
}

std::string report_json(const DemoReport& report) {
  json::object phases;
  for (const auto& [name, values] : report.phase_seconds) {
    const Spread spread = spread_of(values);
    phases[name] = json::object{{"median", spread.median}, {"longest", spread.longest}};
  }
  return pretty_json(json::object{{"terminations", report.terminations},
                                  {"hooks_completed", report.hooks_completed},
                                  {"pods_evicted", report.pods_evicted},
                                  {"targets_deregistered", report.targets_deregistered},
                                  {"left_before_eviction", report.left_before_eviction},
                                  {"let_go_before_completion", report.let_go_before_completion},
                                  {"messages_left", report.messages_left},
                                  {"foreign_events", report.foreign_events},
                                  {"foreign_given_back", report.foreign_given_back},
                                  {"gave_up", report.gave_up.has_value()},
                                  {"unfinished", texts(report.unfinished)},
                                  {"phase_seconds", std::move(phases)},
                                  {"aws_calls", counts(report.aws_calls)},
                                  {"kubernetes_calls", counts(report.kubernetes_calls)},
                                  {"broken_promises", texts(report.broken_promises)}});
}

std::string DemoReport::what_is_left() const {
  std::string out = gave_up ? fmt::format("gave up after {} (--timeout)", format_duration(*gave_up))
                            : std::string("not everything ended as promised");
  if (!unfinished.empty()) out += fmt::format("; not finished: {}", fmt::join(unfinished, ", "));
  if (messages_left > 0)
    out += fmt::format("; {} message{} left", messages_left, messages_left == 1 ? "" : "s");
  if (foreign_given_back < foreign_events)
    out += fmt::format("; {} foreign messages not given back yet", foreign_events - foreign_given_back);
  return out;
}

std::string report_text(const DemoReport& report) {
  std::string out =
      fmt::format("{} of {} nodes ended with their hook completed, {} pods evicted, {} messages left\n",
                  report.hooks_completed, report.terminations, report.pods_evicted, report.messages_left);
  if (report.foreign_events > 0) {
    out += fmt::format("{} events of foreign instances, {} given back to the queue for their owner\n",
                       report.foreign_events, report.foreign_given_back);
  }
  if (report.targets_deregistered > 0) {
    out += fmt::format(
        "{} targets deregistered: on {} of {} nodes before the first eviction, and let go before the "
        "completion on {} of {}\n",
        report.targets_deregistered, report.left_before_eviction, report.terminations,
        report.let_go_before_completion, report.terminations);
  }
  out += phases_text(report);
  out += fmt::format("{} calls to AWS, {} to Kubernetes\n", total(report.aws_calls),
                     total(report.kubernetes_calls));
  if (report.broken_promises.empty())
    return out + (report.gave_up ? "No promise was broken so far.\n" : "Every promise was kept.\n");
  out += "Broken promises:\n";
  for (const std::string& text : report.broken_promises) out += fmt::format("  {}\n", text);
  return out;
}

}  // namespace ferryman::app
