// SPDX-License-Identifier: Apache-2.0
#include "termination/drain/table.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>

namespace ferryman::termination::drain {

namespace {

constexpr std::int32_t last_wave = std::numeric_limits<std::int32_t>::max() - 1;  // selected DaemonSet pods
constexpr std::int32_t own_wave = std::numeric_limits<std::int32_t>::max();

std::string owner_of(const Pod& pod) {
  return pod.key.pod_namespace + "/" + pod.owner_name;
}

std::string controller_of(const Pod& pod) {
  return pod.owner_name.empty() ? std::string() : pod.owner_kind + "/" + owner_of(pod);
}

bool has_wave_label(const Pod& pod, const std::string& label) {
  return !label.empty() && pod.labels.contains(label);
}

/// Small numbers only, so that no label gets past the last waves.
std::optional<std::int32_t> wave_label(const Pod& pod, const std::string& label) {
  constexpr std::int32_t most = 1000;
  const auto found = pod.labels.find(label);
  if (label.empty() || found == pod.labels.end()) return std::nullopt;
  const std::string& text = found->second;
  std::int32_t wave = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), wave);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return std::clamp(wave, -most, most);
}

}  // namespace

std::int32_t wave_of(const Pod& pod, const Verdict& verdict, const Policy& policy) {
  if (is_own_pod(pod, policy)) return own_wave;
  if (verdict.treatment == Treatment::last) return last_wave;
  if (const auto wave = wave_label(pod, policy.drain.wave_label)) return *wave;
  const auto& begins = policy.drain.wave_priorities;
  return static_cast<std::int32_t>(
      std::count_if(begins.begin(), begins.end(), [&](auto from) { return pod.priority >= from; }));
}

std::string misread_wave(const Pod& pod, const Policy& policy) {
  const std::string& label = policy.drain.wave_label;
  if (!has_wave_label(pod, label) || wave_label(pod, label)) return {};
  return "label " + label + " is no whole number: the pod goes in the usual wave";
}

void Table::hold_traffic(std::function<SteadyTime()> quiet_at, std::vector<LocalService> services) {
  quiet_at_ = std::move(quiet_at);
  services_ = std::move(services);
}

std::vector<PodRow> Table::follow(const PodView& view, const Sight& sight) {
  std::vector<PodRow> gone;
  for (auto entry = rows_.begin(); entry != rows_.end();) {
    if (!view.gone(entry->first)) {
      ++entry;
      continue;
    }
    gone.push_back(std::move(entry->second));
    gone.back().story.gone = sight.now.wall;
    if (gone.back().asked) ++rounds_[controller_of(gone.back().pod)].sent_off;
    entry = rows_.erase(entry);
  }
  const SteadyTime quiet_at = quiet_at_ ? quiet_at_() : SteadyTime{};
  for (const Pod& pod : view.pods()) {
    if (sight.replaced && !rows_.contains(pod.key.uid)) continue;
    take_in(pod, sight);
    if (quiet_at_ && !sight.unreachable && takes_traffic(pod, services_))
      rows_[pod.key.uid].held_until = quiet_at;
  }
  return gone;
}

/// A DaemonSet puts its pod back at once, whatever the cordon says.
bool Table::is_successor(const Pod& pod) const {
  return pod.owner_kind == "DaemonSet" && deleted_sets_.contains(owner_of(pod));
}

/// Some controllers place pods that tolerate every taint, ours too: asked again and again they would be
/// restarted until the deadline.
bool Table::keeps_coming_back(const Pod& pod) const {
  constexpr int patience = 3;
  const auto found = rounds_.find(controller_of(pod));
  return found != rounds_.end() && !found->first.empty() &&
         found->second.sent_off >= found->second.first + patience;
}

void Table::take_in(const Pod& pod, const Sight& sight) {
  PodRow& row = rows_[pod.key.uid];
  const bool known = !row.pod.key.uid.empty();
  row.pod = pod;
  if (std::string wrong = misread_wave(pod, policy_); !wrong.empty()) row.pod.misread = std::move(wrong);
  row.unreachable = sight.unreachable;
  row.asked = row.asked || (known && pod.terminating);
  judge_again(row, sight, known);
  if (known) return;
  const Treatment treatment = row.verdict.treatment;
  if (treatment != Treatment::evict && treatment != Treatment::remove) return;
  if (keeps_coming_back(pod)) {
    row.verdict = Verdict(Treatment::refuse, "its controller puts it back here");
    row.last_reason = std::string(row.verdict.reason);
  } else if (Rounds& rounds = rounds_[controller_of(pod)]; rounds.sent_off == 0) {
    ++rounds.first;
  }
}

/// A pod that was asked to go, or goes by itself, is waited for whatever it turns into, but for a kubelet
/// that does not answer.
void Table::judge_again(PodRow& row, const Sight& sight, bool known) {
  const Treatment before = row.verdict.treatment;
  if (known && row.own) return;
  Judging judging(policy_.drain, sight.now.wall);
  judging.voluntary = plan_.voluntary;
  judging.unreachable = sight.unreachable;
  judging.daemon_sets = sight.daemon_sets;
  judging.asked = row.story.asked;
  const Verdict verdict = judge(row.pod, judging);
  const bool abandoned = sight.unreachable && row.pod.terminating && verdict.treatment == Treatment::skip;
  const bool settled = row.asked || (before != Treatment::evict && before != Treatment::keep);
  if (known && settled && !abandoned) return;
  row.verdict = verdict;
  if (!known && verdict.treatment == Treatment::last && is_successor(row.pod))
    row.verdict = Verdict(Treatment::skip, "its DaemonSet put it back");
  if (!known || row.verdict.treatment != Treatment::evict) row.last_reason = std::string(row.verdict.reason);
  row.own = is_own_pod(row.pod, policy_);
  row.wave = wave_of(row.pod, row.verdict, policy_);
}

std::int32_t Table::first_wave() const {
  std::int32_t first = own_wave;
  for (const auto& [uid, row] : rows_) {
    if (!row.indifferent() && row.verdict.treatment != Treatment::sweep) first = std::min(first, row.wave);
  }
  return first;
}

std::vector<Turn> Table::turns(Moment now, std::size_t most) {
  const Schedule schedule(plan_, policy_, now);
  const std::int32_t first = first_wave();
  std::vector<Turn> turns;
  for (auto& [uid, row] : rows_) {
    const Move move = schedule.next_move(row, row.wave > first);
    if (move != Move::none) turns.emplace_back(row, move);
  }
  // Finished pods, of which there may be thousands, take no place from those that still run.
  const auto key = [](const Turn& turn) {
    return std::tuple(turn.row->verdict.treatment == Treatment::sweep, turn.row->wave,
                      std::string_view(turn.row->pod.key.uid.str()));
  };
  std::ranges::sort(turns, {}, key);
  if (turns.size() > most) turns.erase(turns.begin() + static_cast<std::ptrdiff_t>(most), turns.end());
  for (const Turn& turn : turns) {
    if (turn.row->verdict.treatment == Treatment::last) deleted_sets_.insert(owner_of(turn.row->pod));
  }
  return turns;
}

SteadyTime Table::next_look(Moment now) const {
  const Schedule schedule(plan_, policy_, now);
  SteadyTime next = plan_.deadline;
  for (const auto& [uid, row] : rows_) next = std::min(next, schedule.next_look(row));
  return next;
}

std::size_t Table::left() const {
  return static_cast<std::size_t>(std::count_if(
      rows_.begin(), rows_.end(), [](const auto& entry) { return !entry.second.indifferent(); }));
}

std::vector<std::string> Table::waits_for(Moment now) const {
  const Schedule schedule(plan_, policy_, now);
  const std::int32_t first = first_wave();
  std::vector<std::string> texts;
  for (const auto& [uid, row] : rows_) {
    if (row.indifferent()) continue;
    const std::string why = schedule.why_not_asked(row, row.wave > first);
    texts.push_back("pod " + full_name(row.pod) + ": " + (why.empty() ? row.last_reason : why));
  }
  return texts;
}

PodRow* Table::find(const Uid& uid) {
  const auto found = rows_.find(uid);
  return found == rows_.end() ? nullptr : &found->second;
}

}  // namespace ferryman::termination::drain
