// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/drain_step.h"

#include <algorithm>

namespace ferryman::termination::steps {

using drain::Move;
using drain::PodRow;
using drain::Treatment;

namespace {

constexpr std::size_t most_in_flight = 10;
constexpr Duration look_again = std::chrono::seconds{30};   // a LIST even when the watch says nothing
constexpr Duration late_binding = std::chrono::seconds{5};  // of a pod that was scheduled before the cordon

std::string full_name(const Pod& pod) {
  return pod.key.pod_namespace + "/" + pod.key.name;
}

}  // namespace

/// One call about one pod. Whichever way it ends, the row is free again; broken off counts as refused.
class DrainStep::PodCall {
 public:
  PodCall(DrainStep& step, const Uid& uid) : step_(step), uid_(uid) {}
  PodCall(const PodCall&) = delete;
  PodCall& operator=(const PodCall&) = delete;
  ~PodCall() {
    if (open_) {
      if (PodRow* row = end()) step_.refuse(*row, "the call about it broke off", Duration{0});
    }
  }

  /// Null when the pod is gone meanwhile.
  PodRow* end() {
    open_ = false;
    return step_.call_ended(uid_);
  }

 private:
  DrainStep& step_;
  const Uid& uid_;
  bool open_ = true;
};

DrainStep::DrainStep(Context& context, Cluster& cluster, Scope& calls, Log log)
    : context_(context), cluster_(cluster), calls_(calls), log_(std::move(log)) {}

void DrainStep::replan(const Plan& plan) {
  plan_ = plan;
  if (view_ != nullptr) view_->changed().notify_all();
}

std::size_t DrainStep::pods_left() const {
  return static_cast<std::size_t>(std::count_if(rows_.begin(), rows_.end(), [](const auto& entry) {
    return entry.second.verdict.treatment != Treatment::skip;
  }));
}

Task<std::shared_ptr<PodView>> DrainStep::open_view(const std::string& node_name) {
  for (int attempt = 1;; ++attempt) {
    const Deadline call = context_.call_deadline().earlier(Deadline(plan_.deadline));
    auto view = co_await cluster_.view_pods(node_name, call);
    if (view) co_return *view;
    const Duration pause = patient_back_off(attempt, context_.random);
    log_.warn("pods.not_listed", {{"error", view.error()}, {"retry_in", pause}});
    if (context_.clock.now() + pause >= plan_.deadline) co_return nullptr;
    co_await context_.clock.sleep_for(pause);
  }
}

/// Rows follow the view: new pods are judged, gone ones leave the table.
void DrainStep::take_stock() {
  std::erase_if(rows_, [&](const auto& entry) {
    if (!view_->gone(entry.first)) return false;
    if (entry.second.asked) log_.info("pod.gone", {{"pod", full_name(entry.second.pod)}});
    return true;
  });
  const SteadyTime quiet_at = quiet_at_ ? quiet_at_() : SteadyTime{};
  for (const Pod& pod : view_->pods()) {
    take_in(pod);
    if (quiet_at_ && drain::takes_traffic(pod, services_)) rows_[pod.key.uid].held_until = quiet_at;
  }
}

/// A pod that was asked to go, or goes by itself, is waited for whatever it turns into.
void DrainStep::take_in(const Pod& pod) {
  PodRow& row = rows_[pod.key.uid];
  const bool known = !row.pod.key.uid.empty();
  row.pod = pod;
  row.asked = row.asked || (known && pod.terminating);
  const bool open = row.verdict.treatment == Treatment::evict || row.verdict.treatment == Treatment::keep;
  if (known && (row.asked || !open)) return;
  drain::Judging judging(context_.policy.drain, context_.clock.wall());
  judging.voluntary = plan_.voluntary;
  row.verdict = drain::judge(pod, judging);
  if (row.verdict.treatment == Treatment::sweep) row.verdict.treatment = Treatment::skip;
  if (!known || row.verdict.treatment != Treatment::evict) row.last_reason = std::string(row.verdict.reason);
  row.own = drain::is_own_pod(pod, context_.policy);
  if (row.verdict.treatment == Treatment::skip) {
    log_.debug("pod.skipped", {{"pod", full_name(pod)}, {"reason", row.verdict.reason}});
  }
}

bool DrainStep::others_left() const {
  return std::any_of(rows_.begin(), rows_.end(), [](const auto& entry) {
    return !entry.second.own && entry.second.verdict.treatment != Treatment::skip;
  });
}

bool DrainStep::all_gone() const {
  return pods_left() == 0;
}

void DrainStep::start_moves() {
  const SteadyTime now = context_.clock.now();
  const bool own_pod_waits = others_left();
  for (auto& [uid, row] : rows_) {
    if (in_flight_ >= most_in_flight) return;
    if (row.own && own_pod_waits) continue;
    const Move move = drain::next_move(row, plan_, context_.policy, now);
    if (move == Move::none) continue;
    row.in_flight = true;
    ++in_flight_;
    if (move == Move::evict) {
      calls_.spawn("drain.evict", evict(shared_from_this(), row.pod.key));
    } else {
      const bool forced = move == Move::force;
      const auto grace =
          forced ? std::chrono::seconds{1} : drain::capped_grace(row, plan_, context_.policy, now);
      calls_.spawn("drain.remove", remove(shared_from_this(), row.pod.key, grace, forced));
    }
  }
}

SteadyTime DrainStep::wake_at() const {
  const SteadyTime now = context_.clock.now();
  SteadyTime wake = std::min(plan_.deadline, now + look_again);
  for (const auto& [uid, row] : rows_)
    wake = std::min(wake, drain::next_look(row, plan_, context_.policy, now));
  return wake;
}

/// True when the API server answered.
Task<bool> DrainStep::list_anew() {
  stale_ = false;
  listed_ = context_.clock.now();
  const auto listed = co_await view_->refresh(context_.call_deadline().earlier(Deadline(plan_.deadline)));
  if (!listed) log_.warn("pods.not_listed", {{"error", listed.error()}});
  take_stock();
  co_return listed.ok();
}

Task<DrainOutcome> DrainStep::run(std::string node_name, Plan plan) {
  plan_ = plan;
  view_ = co_await open_view(node_name);
  if (view_ == nullptr) {
    DrainOutcome blind;
    blind.left.emplace_back("unknown pods: the API server could not be asked");
    co_return blind;
  }
  listed_ = context_.clock.now();
  take_stock();
  log_.info("drain.started", {{"node", node_name}, {"pods", pods_left()}});
  constexpr Duration for_a_list = std::chrono::seconds{1};
  const SteadyTime last_look = std::min(context_.clock.now() + late_binding, plan_.deadline - for_a_list);
  while (context_.clock.now() < plan_.deadline) {
    if (all_gone() && in_flight_ == 0 && context_.clock.now() >= last_look) {
      const bool answered = co_await list_anew();
      if (answered && all_gone()) co_return outcome(true);
      if (!answered) {
        const Duration pause = patient_back_off(2, context_.random);
        co_await context_.clock.sleep_until(std::min(context_.clock.now() + pause, plan_.deadline));
        continue;
      }
    }
    start_moves();
    // The calls notify this signal too when they end.
    const bool waits_for_late_ones = all_gone() && last_look > context_.clock.now();
    const SteadyTime wake = waits_for_late_ones ? last_look : wake_at();
    if (!stale_) co_await view_->changed().wait_until(wake);
    if (stale_ || context_.clock.now() - listed_ >= look_again) (void)co_await list_anew();
    take_stock();
  }
  co_return outcome(false);
}

/// `proven`: a LIST just showed that nothing is left.
DrainOutcome DrainStep::outcome(bool proven) const {
  DrainOutcome result;
  for (const auto& [uid, row] : rows_) {
    if (row.verdict.treatment == Treatment::skip) continue;
    result.left.push_back(full_name(row.pod) + ": " + row.last_reason);
  }
  if (result.left.empty() && !proven) {
    result.left.emplace_back("no pod by the watch, but not confirmed: the API server could not be asked");
  }
  result.empty = result.left.empty();
  return result;
}

void DrainStep::refuse(PodRow& row, std::string reason, Duration retry_after) {
  ++row.refusals;
  row.last_reason = std::move(reason);
  row.next_attempt =
      context_.clock.now() + std::max(patient_back_off(row.refusals, context_.random), retry_after);
}

void DrainStep::note_evicted(PodRow& row, const Result<Eviction>& answer) {
  const Log log = log_.with({{"pod", full_name(row.pod)}});
  if (!answer) {
    log.warn("eviction.failed", {{"error", answer.error()}});
    refuse(row, answer.error().text, answer.error().retry_after);
    return;
  }
  switch (answer->answer) {
    case EvictionAnswer::accepted:
      context_.metrics.pods_evicted.add();
      trust(row);
      row.last_reason = "evicted, terminating";
      log.info("pod.evicted");
      return;
    case EvictionAnswer::gone:
      trust(row);
      row.last_reason = "gone, not confirmed yet";
      stale_ = true;
      return;
    case EvictionAnswer::leaving:
    case EvictionAnswer::blocked:
    case EvictionAnswer::doubly_blocked:
      context_.metrics.evictions_refused.add();
      log.info("eviction.refused", {{"reason", answer->reason}, {"refusals", row.refusals + 1}});
      refuse(row, answer->reason, answer->retry_after);
      return;
  }
}

/// Its end is awaited; if it does not even begin to terminate it is asked again.
void DrainStep::trust(PodRow& row) {
  constexpr Duration doubt_after = std::chrono::seconds{10};
  row.asked = true;
  row.next_attempt = context_.clock.now() + doubt_after;
}

PodRow* DrainStep::call_ended(const Uid& uid) {
  --in_flight_;
  view_->changed().notify_all();
  const auto found = rows_.find(uid);
  if (found == rows_.end()) return nullptr;
  found->second.in_flight = false;
  return &found->second;
}

Task<void> DrainStep::evict(std::shared_ptr<DrainStep> self, PodKey key) {
  PodCall call(*self, key.uid);
  const Result<Eviction> answer =
      co_await self->cluster_.evict(key, std::nullopt, self->context_.call_deadline());
  if (PodRow* row = call.end()) self->note_evicted(*row, answer);
}

Task<void> DrainStep::remove(std::shared_ptr<DrainStep> self, PodKey key, std::chrono::seconds grace,
                             bool forced) {
  PodCall call(*self, key.uid);
  const Result<void> answer = co_await self->cluster_.delete_pod(key, grace, self->context_.call_deadline());
  if (PodRow* row = call.end()) self->note_removed(*row, answer, forced);
}

void DrainStep::note_removed(PodRow& row, const Result<void>& answer, bool forced) {
  const Log log = log_.with({{"pod", full_name(row.pod)}});
  if (!answer) {
    log.warn("pod.not_deleted", {{"error", answer.error()}});
    refuse(row, answer.error().text, answer.error().retry_after);
    return;
  }
  (forced ? context_.metrics.pods_forced : context_.metrics.pods_deleted).add();
  trust(row);
  row.forced = row.forced || forced;
  log.warn(forced ? "pod.forced" : "pod.deleted", {{"reason", row.last_reason}});
  row.last_reason = forced ? "deleted with grace 1, not gone" : "deleted, terminating";
}

}  // namespace ferryman::termination::steps
