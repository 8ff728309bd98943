// SPDX-License-Identifier: Apache-2.0
#include "app/status_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "base/text.h"

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
main {{ max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }}
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
td {{ vertical-align: top; }} tr.head td {{ border-bottom: 0; }}
td.waits {{ white-space: normal; overflow-wrap: anywhere; padding-bottom: .6rem; }}
tbody + tbody tr:first-child td {{ border-top: 1px solid var(--line); padding-top: .6rem; }}
.waits ul {{ margin: 0; padding: 0 0 0 1rem; border-left: 3px solid var(--busy); list-style: none; }}
.waits li {{ padding-left: 1.2em; text-indent: -1.2em; }}
.late .waits ul {{ border-color: var(--bad); }}
.number {{ font-variant-numeric: tabular-nums; }}
.soft {{ color: var(--soft); }} .good {{ color: var(--good); }} .bad {{ color: var(--bad); }} .busy {{ color: var(--busy); }}
td.steps {{ white-space: normal; font-size: .9rem; }} .steps span {{ color: var(--soft); }} .steps .done {{ color: var(--good); }} .steps .now {{ color: var(--busy); font-weight: 600; }}
progress {{ width: 9rem; accent-color: var(--busy); vertical-align: middle; }}
</style>
</head>
<body>
<main>
)";

constexpr std::size_t longest_wait = 400;

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

// Every termination's way, and where on it this one is: what is behind it, its place, what is still to come.
std::string steps(std::string_view current) {
  constexpr std::array<std::string_view, 8> phases{"resolve",    "find",  "wait",   "cordon",
                                                   "deregister", "drain", "settle", "complete"};
  const auto is_rare = [](std::string_view phase) { return phase == "find" || phase == "wait"; };
  const auto* const place = std::ranges::find(phases, current);
  std::string out = "<td class=\"steps\">";
  for (const auto* phase = phases.begin(); phase != phases.end(); ++phase) {
    if (is_rare(*phase) && phase != place) continue;
    const std::string_view look = phase == place ? "now" : phase < place ? "done" : "";
    out +=
        fmt::format("{}<span{}>{}</span>", phase == phases.begin() ? "" : " › ",
                    place == phases.end() || look.empty() ? "" : fmt::format(" class=\"{}\"", look), *phase);
  }
  if (place == phases.end()) out += fmt::format(" <span class=\"now\">{}</span>", escaped(current));
  return out + "</td>";
}

std::string waits(const RunningRow& row, std::size_t most) {
  if (row.waits_for.empty()) return {};
  std::string out = "<tr><td class=\"waits\" colspan=\"5\"><span class=\"soft\">waits for</span><ul>";
  for (const std::string& text : std::span(row.waits_for).first(std::min(most, row.waits_for.size())))
    out += fmt::format("<li>{}</li>", escaped(shortened(to_utf8(text), longest_wait)));
  if (row.waits_for.size() > most)
    out += fmt::format("<li class=\"soft\">and {} more</li>", row.waits_for.size() - most);
  return out + "</ul></td></tr>\n";
}

std::string clock_time(WallTime time, WallTime now) {
  constexpr std::size_t date_and_t = 11;
  const std::string text = format_rfc3339(time);
  return text.substr(0, date_and_t) == format_rfc3339(now).substr(0, date_and_t) ? text.substr(date_and_t)
                                                                                 : text;
}

std::string running_row(const RunningRow& row, WallTime now, std::size_t most_waits) {
  const double whole = std::max(seconds(row.deadline - row.started), 1.0);
  const double gone = std::clamp(seconds(now - row.started), 0.0, whole);
  const bool late = now >= row.deadline;
  constexpr double nearly = 0.9;
  const std::string waiting = waits(row, most_waits);
  return fmt::format(
             "<tbody class=\"{}\"><tr{}><td><strong>{}</strong><br><span class=\"soft\">{}</span></td>"
             "<td class=\"number{}\"><progress max=\"{:.0f}\" value=\"{:.0f}\"></progress><br>{} "
             "<span class=\"soft\">{}</span></td>{}<td class=\"number\">{}</td><td "
             "class=\"number\">{}</td></tr>\n",
             late ? "late" : "", waiting.empty() ? "" : " class=\"head\"",
             row.node.empty() ? "<span class=\"soft\">not known yet</span>" : escaped(row.node),
             escaped(row.instance_id), gone >= nearly * whole ? " bad" : "", whole, gone,
             late ? "deadline passed" : spoken_duration(row.deadline - now) + " left",
             clock_time(row.deadline, now), steps(row.phase), row.pods_left,
             spoken_duration(now - row.started)) +
         waiting + "</tbody>\n";
}

// What waits is shown without a click, since the page comes anew every few seconds; of many nodes less each.
std::string running(const StatusReport& report) {
  constexpr std::size_t few_rows = 20;
  const std::size_t most_waits = report.running.size() > few_rows ? 3 : 10;
  std::string out = fmt::format("<section><h2>Running terminations ({})</h2>\n", report.running.size());
  if (report.running.empty()) return out + "<p class=\"soft\">No node is leaving.</p></section>\n";
  out += "<table><tr><th>Node</th><th>Deadline</th><th>Phase</th><th>Pods left</th><th>Since</th></tr>\n";
  for (const RunningRow& row : report.running) out += running_row(row, report.now, most_waits);
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
         "<p class=\"soft\"><a href=\"/status.json\">/status.json</a> · <a href=\"/metrics\">/metrics</a> · "
         "<a href=\"/readyz\">/readyz</a> · "
         "<a href=\"/healthz\">/healthz</a></p>\n</main>\n</body>\n</html>\n";
}

}  // namespace ferryman::app
