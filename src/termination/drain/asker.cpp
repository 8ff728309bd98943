// SPDX-License-Identifier: Apache-2.0
#include "termination/drain/asker.h"

#include <algorithm>

#include "termination/drain/blockers.h"

namespace ferryman::termination::drain {

namespace {

/// The same trouble again is no news: hundreds of pods are asked for an hour.
Level level_of(const PodRow& row, const Error& error) {
  return row.last_reason == error.text ? Level::debug : Level::warn;
}

constexpr std::size_t most_in_flight = 10;
constexpr Duration rarely = std::chrono::seconds{60};  // what asking again will hardly change

}  // namespace

/// One call about one pod. Whichever way it ends, the row is free again; broken off counts as refused.
class Asker::PodCall {
 public:
  PodCall(Asker& asker, const Uid& uid) : asker_(asker), uid_(uid) {}
  PodCall(const PodCall&) = delete;
  PodCall& operator=(const PodCall&) = delete;
  ~PodCall() {
    if (!open_) return;
    if (PodRow* row = end()) asker_.put_off(*row, "the call about it broke off", Duration{0});
  }

  /// Null when the pod is gone meanwhile.
  PodRow* end() {
    open_ = false;
    return asker_.call_ended(uid_);
  }

 private:
  Asker& asker_;
  const Uid& uid_;
  bool open_ = true;
};

Asker::Asker(Context& context, Aids& aids, std::shared_ptr<Narrator> narrator, Log log)
    : context_(context),
      aids_(aids),
      narrator_(std::move(narrator)),
      log_(std::move(log)),
      table_(context.policy) {}

void Asker::close() {
  closed_ = true;
  if (budgets_ != nullptr) budgets_->changed().notify_all();
}

void Asker::tell_kept() {
  for (auto& [uid, row] : table_.rows()) {
    if (!row.pod.misread.empty() && !std::exchange(row.misread_told, true))
      log_of(row).warn("annotation.unreadable", {{"what", row.pod.misread}});
    const bool kept = row.verdict.treatment == Treatment::keep || row.verdict.treatment == Treatment::refuse;
    if (!kept || std::exchange(row.named, true)) continue;
    log_of(row).warn("pod.kept", {{"reason", row.verdict.reason}});
    narrator_->tell(NoticeKind::pod_refused, "it is not asked to go: " + std::string(row.verdict.reason),
                    row.pod.key);
  }
}

void Asker::ask() {
  const Schedule schedule(table_.plan(), context_.policy, context_.moment());
  const std::size_t free = most_in_flight - std::min(in_flight_, most_in_flight);
  for (const Turn& turn : table_.turns(context_.moment(), free)) {
    if (aids_.slots.free() == 0) return aids_.slots.wait(waiter_);
    PodRow& row = *turn.row;
    row.in_flight = true;
    row.tried = turn.move;
    ++in_flight_;
    aids_.slots.take();
    const auto grace = schedule.grace_for(row, turn.move);
    row.story.grace = grace.value_or(row.pod.grace);
    if (turn.move == Move::evict) {
      aids_.calls.spawn("drain.evict", evict(shared_from_this(), row.pod.key, grace));
    } else {
      const bool forced = turn.move == Move::force;
      aids_.calls.spawn("drain.remove", remove(shared_from_this(), row.pod.key, row.story.grace, forced));
    }
  }
}

Task<void> Asker::evict(std::shared_ptr<Asker> self, PodKey key, std::optional<std::chrono::seconds> grace) {
  PodCall call(*self, key.uid);
  const auto answer = co_await self->aids_.cluster.evict(key, grace, self->context_.call_deadline());
  if (PodRow* row = call.end()) self->note_evicted(*row, answer);
}

Task<void> Asker::remove(std::shared_ptr<Asker> self, PodKey key, std::chrono::seconds grace, bool forced) {
  PodCall call(*self, key.uid);
  const auto answer = co_await self->aids_.cluster.delete_pod(key, grace, self->context_.call_deadline());
  if (PodRow* row = call.end()) self->note_removed(*row, answer, forced);
}

PodRow* Asker::call_ended(const Uid& uid) {
  --in_flight_;
  aids_.slots.give_back();
  view_->changed().notify_all();
  PodRow* row = table_.find(uid);
  if (row != nullptr) row->in_flight = false;
  return row;
}

/// Its end is awaited; if it does not even begin to terminate it is asked again.
void Asker::trust(PodRow& row) {
  constexpr Duration doubt_after = std::chrono::seconds{10};
  row.asked = true;
  row.blocked = false;
  if (!row.story.asked) row.story.asked = context_.clock.wall();
  row.next_attempt = context_.clock.now() + doubt_after;
}

void Asker::put_off(PodRow& row, std::string reason, Duration pause) {
  ++row.refusals;
  row.refused_at = context_.clock.now();
  row.blocked = false;
  row.last_reason = std::move(reason);
  row.next_attempt = row.refused_at + std::max(patient_back_off(row.refusals, context_.random), pause);
}

void Asker::note_evicted(PodRow& row, const Result<Eviction>& answer) {
  if (!answer) return note_failed(row, answer.error());
  switch (answer->answer) {
    case EvictionAnswer::accepted:
      context_.metrics.pods_evicted.add();
      trust(row);
      row.last_reason = "evicted, terminating";
      log_of(row).info("pod.evicted");
      return;
    case EvictionAnswer::gone:
      trust(row);
      row.last_reason = "gone, not confirmed yet";
      doubt_ = true;
      return;
    case EvictionAnswer::leaving:
      put_off(row, "its namespace terminates: it goes by itself", rarely);
      log_of(row).info("pod.leaving", {{"reason", answer->reason}});
      return;
    case EvictionAnswer::blocked:
    case EvictionAnswer::doubly_blocked:
      note_blocked(row, *answer);
      return;
  }
}

/// What the service asks for is obeyed until a deletion is due. A right that lacks is said once.
void Asker::note_failed(PodRow& row, const Error& error) {
  const Level level = level_of(row, error);
  put_off(row, error.text, lacks_right(error) ? rarely : Duration{error.retry_after});
  if (!lacks_right(error)) {
    log_of(row).write(level, "eviction.failed", {{"error", error}});
  } else if (!std::exchange(aids_.denial_said, true)) {
    log_of(row).error("eviction.denied",
                      {{"error", error},
                       {"cure",
                        "grant \"create\" on pods/eviction (deploy/rbac.yaml); meanwhile pods are "
                        "deleted when their time is nearly over"}});
  }
}

void Asker::note_blocked(PodRow& row, const Eviction& answer) {
  context_.metrics.evictions_refused.add();
  put_off(row, answer.reason, Duration{0});
  row.blocked = true;
  row.doubly = answer.answer == EvictionAnswer::doubly_blocked;
  row.next_attempt =
      row.refused_at + std::max<Duration>(budget_back_off(row.refusals, context_.random), answer.retry_after);
  if (row.story.refused_by.empty()) row.story.refused_by = answer.reason;
  log_of(row).debug("eviction.refused", {{"reason", answer.reason}, {"refusals", row.refusals}});
  if (budgets_ != nullptr) return explain(row);
  if (!std::exchange(heeds_budgets_, true))
    aids_.calls.spawn("drain.budgets", heed_budgets(shared_from_this()));
}

/// Names the budgets and what their owner could change, the first time as a warning.
void Asker::explain(PodRow& row) {
  if (!row.blocked) return;
  static const std::vector<Budget> unknown;
  const std::vector<Budget>& budgets = budgets_ == nullptr ? unknown : budgets_->budgets();
  const Blocker blocker = explain_block(row.pod, budgets, row.doubly);
  const bool known = !blocker.budgets.empty();
  if (known || row.doubly) row.last_reason = in_words(blocker);
  if (known) row.story.refused_by = "budget " + blocker.budgets;
  if (std::exchange(row.named, true)) return;
  log_of(row).warn("eviction.blocked",
                   {{"by", row.last_reason}, {"never", blocker.never}, {"budgets", blocker.budgets}});
  narrator_->tell(NoticeKind::pod_blocked, "it cannot be evicted yet: " + row.last_reason, row.pod.key);
}

void Asker::explain_all() {
  for (auto& [uid, row] : table_.rows()) {
    const bool one_has_gone =
        row.doubly && budgets_ != nullptr && covering(row.pod, budgets_->budgets()).size() == 1;
    if (one_has_gone) row.doubly = false;
    explain(row);
  }
}

Task<void> Asker::heed_budgets(std::shared_ptr<Asker> self) {
  self->budgets_ = co_await self->aids_.budgets.hold(self->context_.call_deadline());
  self->explain_all();
  if (self->budgets_ == nullptr) {
    self->heeds_budgets_ = false;  // the next refusal asks again
    co_return;
  }
  while (!self->closed_) {
    self->wake_blocked();
    co_await self->budgets_->changed().wait_until(self->table_.plan().deadline);
    if (self->context_.clock.now() >= self->table_.plan().deadline) co_return;
    self->explain_all();
  }
}

/// One try for each place that a budget has, and none within a moment of the last.
void Asker::wake_blocked() {
  constexpr Duration least_pause = std::chrono::milliseconds{500};
  bool any = false;
  for (auto& [uid, row] : table_.rows()) {
    if (!row.blocked || row.in_flight || row.next_attempt <= context_.clock.now()) continue;
    if (!aids_.room.take(row.pod, budgets_->budgets())) continue;
    row.next_attempt = std::max(context_.clock.now(), row.refused_at + least_pause);
    any = true;
  }
  if (any) view_->changed().notify_all();
}

void Asker::note_not_removed(PodRow& row, const Error& error) {
  const Level level = level_of(row, error);
  put_off(row, error.text, lacks_right(error) ? rarely : Duration{error.retry_after});
  if (!lacks_right(error)) {
    log_of(row).write(level, "pod.not_deleted", {{"error", error}});
  } else if (!std::exchange(aids_.deletion_denial_said, true)) {
    log_of(row).error("deletion.denied",
                      {{"error", error},
                       {"cure",
                        "grant \"delete\" on pods (deploy/rbac.yaml); meanwhile pods that no eviction moves "
                        "end with their node"}});
  }
}

void Asker::note_removed(PodRow& row, const Result<void>& answer, bool forced) {
  const Log log = log_of(row);
  if (!answer) return note_not_removed(row, answer.error());
  (forced ? context_.metrics.pods_forced : context_.metrics.pods_deleted).add();
  trust(row);
  row.forced = row.forced || forced;
  (forced ? row.story.forced : row.story.deleted) = context_.clock.wall();
  const bool escalated = forced || row.refusals > 0;
  const std::string why = escalated ? row.last_reason : std::string(row.verdict.reason);
  log.write(escalated ? Level::warn : Level::info, forced ? "pod.forced" : "pod.deleted",
            {{"reason", why}, {"grace", Duration{row.story.grace}}});
  if (escalated) {
    const bool past_budget = !row.story.refused_by.empty();
    const std::string what = forced        ? "it was ended before its grace was over: "
                             : past_budget ? "it was deleted past its budget: "
                                           : "it was deleted, since no eviction succeeded: ";
    narrator_->tell(NoticeKind::pod_deleted, what + why, row.pod.key);
  }
  row.last_reason = forced ? "ended by force, not gone" : "deleted, terminating";
}

}  // namespace ferryman::termination::drain
