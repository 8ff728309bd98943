// SPDX-License-Identifier: Apache-2.0
#include "notify/kubernetes_events.h"

#include <algorithm>

namespace ferryman::notify {

namespace {

constexpr Duration longest_call = std::chrono::seconds{10};
constexpr Duration between_sweeps = std::chrono::minutes{1};

/// 403; a 401 is a matter of credentials, which may come right any moment.
bool lacks_right(const Error& error) {
  return error.fault == Fault::denied && error.code == "Forbidden";
}

bool may_succeed_later(const Error& error) {
  return is_retryable(error.fault) || error.fault == Fault::denied || error.fault == Fault::cancelled;
}

}  // namespace

KubernetesEvents::KubernetesEvents(Clock& clock, Log log, termination::EventWriter& writer, Metrics& metrics)
    : clock_(clock),
      log_(std::move(log)),
      writer_(writer),
      metrics_(metrics),
      book_(clock),
      pace_(clock, burst, per_second),
      queued_(clock),
      idle_(clock),
      next_try_(clock.now()),
      next_sweep_(clock.now() + between_sweeps) {}

void KubernetesEvents::start(Scope& scope) {
  scope.spawn_loop("events", [this] { return run(); });
}

void KubernetesEvents::tell(const termination::Notice& notice) {
  if (off(create_)) return metrics_.events_dropped[EventLoss::not_allowed].add();
  const EventEntryPtr entry = book_.enter(notice);
  // A written one waits for the sweep, and what is queued already is written with its new count.
  if (entry == nullptr || entry->queued || entry->written()) return;
  if (!make_room(entry->event.warning)) return drop(entry, EventLoss::queue_full);
  enqueue(entry);
}

void KubernetesEvents::enqueue(const EventEntryPtr& entry) {
  entry->queued = true;
  entry->queued_at = clock_.now();
  queue_.push_back(entry);
  queued_.notify_all();
}

bool KubernetesEvents::make_room(bool warning) {
  if (queue_.size() < most_waiting) return true;
  if (!warning) return false;
  const auto least = std::ranges::find_if(queue_, [](const auto& entry) { return !entry->event.warning; });
  if (least == queue_.end()) return false;
  const EventEntryPtr entry = *least;
  queue_.erase(least);
  drop(entry, EventLoss::queue_full);
  return true;
}

Task<void> KubernetesEvents::run() {
  writing_ = false;
  for (;;) {
    sweep();
    if (queue_.empty()) {
      idle_.notify_all();
      co_await queued_.wait_until(next_sweep_);
    } else if (clock_.now() < next_try_) {
      co_await clock_.sleep_until(next_try_);
    } else if (const EventEntryPtr entry = take(); entry != nullptr) {
      co_await write(entry);
    }
  }
}

/// The next that is still worth a call.
EventEntryPtr KubernetesEvents::take() {
  EventEntryPtr entry = queue_.front();
  queue_.pop_front();
  if (clock_.now() - entry->queued_at < patience) return entry;
  drop(entry, EventLoss::too_late);
  return nullptr;
}

Task<void> KubernetesEvents::write(EventEntryPtr entry) {
  writing_ = true;
  (void)co_await pace_.take(Deadline::after(clock_, std::chrono::hours{1}));
  const bool again = entry->written();
  const termination::ClusterEvent event = entry->event;  // more may be said while it is written
  const Deadline deadline = Deadline::after(clock_, longest_call);
  Result<void> answer;
  if (again) {
    answer = co_await writer_.repeat(event, deadline);
  } else {
    answer = co_await writer_.create(event, deadline);
  }
  writing_ = false;
  if (answer) {
    written(*entry, event.count, again);
  } else {
    failed(entry, again, answer.error());
  }
}

void KubernetesEvents::written(EventEntry& entry, std::uint32_t count, bool again) {
  entry.queued = false;
  entry.told = count;
  entry.told_at = clock_.now();
  (again ? metrics_.events_repeated : metrics_.events_written).add();
  (again ? patch_ : create_).said = false;
  failures_ = 0;
}

void KubernetesEvents::failed(const EventEntryPtr& entry, bool again, const Error& error) {
  trouble_ = error.text;
  if (again && error.fault == Fault::not_found) {
    entry->told = 0;  // its time to live was over: it is created anew
    queue_.push_front(entry);
  } else if (lacks_right(error)) {
    drop(entry, EventLoss::not_allowed);
    missing(again, error);
  } else if (may_succeed_later(error)) {
    queue_.push_front(entry);
    back_off(error);
  } else {
    drop(entry, EventLoss::refused);
  }
}

void KubernetesEvents::missing(bool again, const Error& error) {
  Right& right = again ? patch_ : create_;
  right.off_until = clock_.now() + off_for;
  if (!right.said) {
    log_.warn("events.not_allowed",
              {{"verb", again ? "patch" : "create"}, {"for", off_for}, {"error", error}});
  }
  right.said = true;
  // The others would get the same answer.
  const auto rest = std::exchange(queue_, {});
  for (const EventEntryPtr& entry : rest) {
    if (!again || entry->written()) {
      drop(entry, EventLoss::not_allowed);
    } else {
      queue_.push_back(entry);
    }
  }
}

void KubernetesEvents::back_off(const Error& error) {
  constexpr int most_doublings = 5;
  constexpr Duration longest = std::chrono::minutes{1};
  if (error.fault == Fault::throttled) pace_.slow_down();
  const Duration pause = std::chrono::seconds{1U << static_cast<unsigned>(failures_)};
  failures_ = std::min(failures_ + 1, most_doublings);
  next_try_ = clock_.now() + std::min<Duration>(std::max<Duration>(pause, error.retry_after), longest);
}

void KubernetesEvents::drop(const EventEntryPtr& entry, EventLoss loss) {
  metrics_.events_dropped[loss].add();
  if (loss != EventLoss::not_allowed) ++lost_;  // that is said where it is found out
  entry->queued = false;
  if (!entry->written()) book_.forget(entry);
}

void KubernetesEvents::sweep() {
  if (clock_.now() < next_sweep_) return;
  next_sweep_ = clock_.now() + between_sweeps;
  if (!off(patch_)) {
    for (const EventEntryPtr& entry : book_.due()) {
      if (queue_.size() < most_waiting) enqueue(entry);
    }
  }
  book_.forget_old();
  if (lost_ == 0) return;
  log_.warn("events.dropped",
            {{"count", lost_}, {"trouble", trouble_.empty() ? "too many at once" : trouble_}});
  lost_ = 0;
  trouble_.clear();
}

Task<void> KubernetesEvents::flush(Deadline deadline) {
  while ((writing_ || !queue_.empty()) && !deadline.passed(clock_)) co_await idle_.wait_until(deadline.at());
}

}  // namespace ferryman::notify
