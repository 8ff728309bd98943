// SPDX-License-Identifier: Apache-2.0
// KubernetesEvents: tells notices as Kubernetes events, on the Node or the pod. It never holds up the work
// and never floods the API server: what cannot be written is dropped, and counted by reason. EventBook makes
// counts of what is said again.
#pragma once

#include <deque>
#include <string>

#include "base/scope.h"
#include "net/rate_limiter.h"
#include "notify/event_book.h"
#include "notify/metrics.h"

namespace ferryman::notify {

class KubernetesEvents final : public termination::Notices {
 public:
  /// The most that wait; a warning takes the place of what is none when all are taken.
  static constexpr std::size_t most_waiting = 2000;
  /// So many calls at once, then so many a second; halved when the API server throttles.
  static constexpr double burst = 50;
  static constexpr double per_second = 20;
  /// How long an event may wait for an API server that cannot be asked.
  static constexpr Duration patience = std::chrono::minutes{5};
  /// How long nothing is asked after a right was found missing.
  static constexpr Duration off_for = std::chrono::minutes{10};

  /// All must outlive this.
  KubernetesEvents(Clock& clock, Log log, termination::EventWriter& writer, Metrics& metrics);

  /// One call at a time until `scope` is cancelled.
  void start(Scope& scope);
  void tell(const termination::Notice& notice) override;
  /// Waits until all that was told is written, or the deadline comes.
  Task<void> flush(Deadline deadline);

 private:
  /// A right of ours, as far as the API server said.
  class Right {
   public:
    SteadyTime off_until;
    bool said = false;  // that it lacks
  };

  Task<void> run();
  Task<void> write(EventEntryPtr entry);
  void enqueue(const EventEntryPtr& entry);
  bool make_room(bool warning);
  EventEntryPtr take();
  void written(EventEntry& entry, std::uint32_t count, bool again);
  void failed(const EventEntryPtr& entry, bool again, const Error& error);
  void missing(bool again, const Error& error);
  void back_off(const Error& error);
  void drop(const EventEntryPtr& entry, EventLoss loss);
  void sweep();
  [[nodiscard]] bool off(const Right& right) const { return clock_.now() < right.off_until; }

  Clock& clock_;
  Log log_;
  termination::EventWriter& writer_;
  Metrics& metrics_;
  EventBook book_;
  std::deque<EventEntryPtr> queue_;
  net::RateLimiter pace_;
  Signal queued_;
  Signal idle_;
  Right create_;
  Right patch_;
  bool writing_ = false;
  int failures_ = 0;  // one after the other
  SteadyTime next_try_;
  SteadyTime next_sweep_;
  std::size_t lost_ = 0;  // since it was last said
  std::string trouble_;   // the newest
};

}  // namespace ferryman::notify
