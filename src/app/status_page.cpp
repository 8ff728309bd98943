// SPDX-License-Identifier: Apache-2.0
#include "app/status_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace ferryman::app {

namespace {

constexpr std::string_view head = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="3">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; --ink: #1c2330; --soft: #667085; --line: #e3e7ee; --card: #fff; --page: #f6f7f9;
  --good: #14804a; --bad: #b42318; --busy: #1d5fd1; }}
@media (prefers-color-scheme: dark) {{ :root {{ --ink: #e6e9ef; --soft: #98a2b3; --line: #2b3342; --card: #171c26;
  --page: #0f131a; --good: #4ac58a; --bad: #f97066; --busy: #7aa7f5; }} }}
* {{ box-sizing: border-box; }}
body {{ margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }}
main {{ max-width: 70rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }}
header {{ display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1rem; margin-bottom: 1.25rem; }}
h1 {{ font-size: 1.35rem; margin: 0; }}
h2 {{ font-size: 1rem; margin: 0 0 .75rem; }}
section {{ background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.25rem;
  margin-bottom: 1rem; overflow-x: auto; }}
table {{ border-collapse: collapse; width: 100%; }}
th {{ text-align: left; font-weight: 600; color: var(--soft); font-size: .85rem; }}
th, td {{ padding: .35rem 1rem .35rem 0; border-bottom: 1px solid var(--line); white-space: nowrap; }}
tr:last-child td {{ border-bottom: 0; }}
td.wide {{ white-space: normal; overflow-wrap: anywhere; width: 99%; }}
.number {{ font-variant-numeric: tabular-nums; }}
.soft {{ color: var(--soft); }} .good {{ color: var(--good); }} .bad {{ color: var(--bad); }} .busy {{ color: var(--busy); }}
.steps span {{ color: var(--soft); }} .steps .now {{ color: var(--busy); font-weight: 600; }}
progress {{ width: 7rem; accent-color: var(--busy); vertical-align: middle; }}
</style>
</head>
<body>
<main>
)";

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string_view modes(const StatusReport& report) {
  if (report.shadow && report.paused) return "<strong class=\"busy\">shadow, paused</strong>";
  if (report.shadow) return "<strong class=\"busy\">shadow: nothing is written</strong>";
  return report.paused ? "<strong class=\"busy\">paused: nothing new is begun</strong>" : "";
}

std::string header(const StatusReport& report) {
  return fmt::format(
      "<header><h1>Ferryman</h1><strong class=\"{}\">{}</strong>{}"
      "<span class=\"soft\">version {} · up {} · {}</span></header>\n",
      report.ready() ? "good" : "bad", report.ready() ? "ready" : "not ready", modes(report),
      escaped(report.version), spoken_duration(report.now - report.started), format_rfc3339(report.now));
}

std::string health(const StatusReport& report) {
  std::string out = "<section><h2>Health</h2><table>\n";
  for (const HealthRow& row : report.health) {
    out += fmt::format("<tr><td>{}</td><td class=\"{}\">{}</td><td class=\"wide soft\">{}</td></tr>\n",
                       escaped(row.name), row.ok ? "good" : "bad", row.ok ? "ok" : "not ready",
                       escaped(row.detail + (row.note.empty() ? "" : "; " + row.note)));
  }
  return out + "</table></section>\n";
}

// The phases in their order, the current one marked.
std::string steps(std::string_view current) {
  constexpr std::array<std::string_view, 5> phases{"resolve", "cordon", "drain", "settle", "complete"};
  std::string out = "<td class=\"steps\">";
  for (const std::string_view phase : phases) {
    out += fmt::format("{}<span{}>{}</span>", phase == phases.front() ? "" : " › ",
                       phase == current ? " class=\"now\"" : "", phase);
  }
  if (std::find(phases.begin(), phases.end(), current) == phases.end()) {
    out += fmt::format(" <span class=\"now\">{}</span>", escaped(current));
  }
  return out + "</td>";
}

std::string running_row(const RunningRow& row, WallTime now) {
  const double whole = std::max(seconds(row.deadline - row.started), 1.0);
  const double gone = std::clamp(seconds(now - row.started), 0.0, whole);
  const bool late = now >= row.deadline;
  return fmt::format(
      "<tr><td>{}</td><td>{}</td>{}<td class=\"number\">{}</td><td class=\"number\">{}</td>"
      "<td class=\"number{}\"><progress max=\"{:.0f}\" value=\"{:.0f}\"></progress> {}</td></tr>\n",
      row.node.empty() ? "<span class=\"soft\">not known yet</span>" : escaped(row.node),
      escaped(row.instance_id), steps(row.phase), row.pods_left, spoken_duration(now - row.started),
      late ? " bad" : "", whole, gone,
      late ? "deadline passed" : spoken_duration(row.deadline - now) + " left");
}

std::string running(const StatusReport& report) {
  std::string out = fmt::format("<section><h2>Running terminations ({})</h2>\n", report.running.size());
  if (report.running.empty()) return out + "<p class=\"soft\">No node is leaving.</p></section>\n";
  out +=
      "<table><tr><th>Node</th><th>Instance</th><th>Phase</th><th>Pods left</th><th>Since</th>"
      "<th>Deadline</th></tr>\n";
  for (const RunningRow& row : report.running) out += running_row(row, report.now);
  return out + "</table></section>\n";
}

std::string finished(const StatusReport& report) {
  std::string out = "<section><h2>Last finished</h2>\n";
  if (report.finished.empty()) return out + "<p class=\"soft\">None since the start.</p></section>\n";
  out += "<table><tr><th>Node</th><th>Instance</th><th>Outcome</th><th>Took</th><th>Ended</th></tr>\n";
  for (const FinishedRow& row : report.finished) {
    const bool good = row.result == "completed" || row.result == "node-gone";
    out += fmt::format(
        "<tr><td>{}</td><td>{}</td><td class=\"{}\">{}</td><td class=\"number\">{}</td><td "
        "class=\"number\">{}</td></tr>\n",
        escaped(row.node), escaped(row.instance_id), good ? "good" : "bad", escaped(row.result),
        spoken_duration(row.ended - row.started), format_rfc3339(row.ended));
  }
  return out + "</table></section>\n";
}

}  // namespace

std::string spoken_duration(Duration duration) {
  const auto total = std::max<std::int64_t>(std::chrono::floor<std::chrono::seconds>(duration).count(), 0);
  if (total >= 86'400) return fmt::format("{}d {}h", total / 86'400, total / 3600 % 24);
  if (total >= 3600) return fmt::format("{}h {}m", total / 3600, total / 60 % 60);
  if (total >= 60) return fmt::format("{}m {}s", total / 60, total % 60);
  return fmt::format("{}s", total);
}

std::string status_page(const StatusReport& report) {
  const std::string title =
      report.running.empty() ? "Ferryman" : fmt::format("Ferryman ({})", report.running.size());
  return fmt::format(fmt::runtime(head), fmt::arg("title", title)) + header(report) + health(report) +
         running(report) + finished(report) +
         "<p class=\"soft\"><a href=\"/metrics\">/metrics</a> · <a href=\"/readyz\">/readyz</a> · "
         "<a href=\"/healthz\">/healthz</a></p>\n</main>\n</body>\n</html>\n";
}

}  // namespace ferryman::app
