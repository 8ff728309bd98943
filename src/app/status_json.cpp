// SPDX-License-Identifier: Apache-2.0
#include "app/status_json.h"

#include "app/pretty_json.h"
#include "base/text.h"

namespace ferryman::app {

namespace {

json::object health_row(const HealthRow& row) {
  json::object out{{"name", row.name}, {"ok", row.ok}, {"detail", to_utf8(row.detail)}};
  if (!row.note.empty()) out["note"] = to_utf8(row.note);
  return out;
}

json::object running_row(const RunningRow& row) {
  json::array waits;
  for (const std::string& text : row.waits_for) waits.emplace_back(to_utf8(text));
  return {{"instance", row.instance_id},
          {"node", row.node},
          {"phase", row.phase},
          {"pods_left", row.pods_left},
          {"waits_for", std::move(waits)},
          {"started", format_rfc3339(row.started)},
          {"deadline", format_rfc3339(row.deadline)}};
}

json::object finished_row(const FinishedRow& row) {
  return {{"instance", row.instance_id},
          {"node", row.node},
          {"result", row.result},
          {"started", format_rfc3339(row.started)},
          {"ended", format_rfc3339(row.ended)}};
}

template <class Row>
json::array list(const std::vector<Row>& rows, json::object (*form)(const Row&)) {
  json::array out;
  for (const Row& row : rows) out.push_back(form(row));
  return out;
}

}  // namespace

std::string status_json(const StatusReport& report) {
  return pretty_json(json::object{{"version", report.version},
                                  {"now", format_rfc3339(report.now)},
                                  {"started", format_rfc3339(report.started)},
                                  {"ready", report.ready()},
                                  {"shadow", report.shadow},
                                  {"paused", report.paused},
                                  {"health", list(report.health, health_row)},
                                  {"running", list(report.running, running_row)},
                                  {"finished", list(report.finished, finished_row)}});
}

}  // namespace ferryman::app
