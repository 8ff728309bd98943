// SPDX-License-Identifier: Apache-2.0
#include "termination/drain/report.h"

#include <fmt/format.h>

#include "base/text.h"

namespace ferryman::termination::drain {

namespace {

std::string time_text(const std::optional<WallTime>& time) {
  return time ? format_rfc3339(*time) : std::string();
}

std::string cut_text(const PodRow& row) {
  if (row.story.forced) return full_name(row.pod) + ": ended before its grace was over";
  return full_name(row.pod) + ": deleted against " +
         (row.story.refused_by.empty() ? "its budget" : row.story.refused_by);
}

}  // namespace

std::string full_name(const Pod& pod) {
  return pod.key.pod_namespace + "/" + pod.key.name;
}

void NodeReport::add(const PodRow& row, bool left_over, const Log& log) {
  ++pods;
  const Treatment treatment = row.verdict.treatment;
  if (!left_over) {
    ++(treatment == Treatment::sweep ? finished : gone);
  } else if (treatment == Treatment::refuse) {
    ++refused;
  } else if (row.indifferent()) {
    ++skipped;
  } else {
    left.push_back(full_name(row.pod) + ": " + row.last_reason);
  }
  if (!row.story.refused_by.empty()) ++blocked;
  if (row.story.deleted) ++deleted;
  if (row.story.forced) ++forced;
  const bool past_budget = row.story.deleted && !row.story.refused_by.empty();
  if (past_budget || row.story.forced) cut.push_back(cut_text(row));
  log.info("pod.report", {{"pod", full_name(row.pod)},
                          {"verdict", name_of(treatment)},
                          {"reason", row.verdict.reason},
                          {"asked", time_text(row.story.asked)},
                          {"refusals", row.refusals},
                          {"refused_by", row.story.refused_by},
                          {"deleted", time_text(row.story.deleted)},
                          {"forced", time_text(row.story.forced)},
                          {"grace", Duration{row.story.grace}},
                          {"gone", time_text(row.story.gone)},
                          {"still_there", left_over ? row.last_reason : std::string()}});
}

void NodeReport::summarize(const Log& log, Duration took) const {
  log.info("drain.report", {{"pods", pods},
                            {"gone", gone},
                            {"finished", finished},
                            {"skipped", skipped},
                            {"refused", refused},
                            {"blocked", blocked},
                            {"deleted", deleted},
                            {"forced", forced},
                            {"cut", first_few(cut)},
                            {"left", first_few(left)},
                            {"took", took}});
}

std::string NodeReport::in_words() const {
  std::string words = fmt::format("{} pods are gone", gone);
  if (!cut.empty()) words += fmt::format(", {} of them lost budget or grace: {}", cut.size(), first_few(cut));
  if (refused > 0) words += fmt::format("; {} stay because a setting says so", refused);
  return words;
}

}  // namespace ferryman::termination::drain
