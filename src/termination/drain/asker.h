// SPDX-License-Identifier: Apache-2.0
// Asker: asks the pods of one node to go and notes in their rows what came of it. A few calls at a time; a
// budget that refuses is explained at once, and heeded when it has room again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "termination/drain/aids.h"
#include "termination/drain/table.h"
#include "termination/narrator.h"

namespace ferryman::termination::drain {

/// Shared with its calls: they may end after the drain.
class Asker : public std::enable_shared_from_this<Asker> {
 public:
  Asker(Context& context, Aids& aids, std::shared_ptr<Narrator> narrator, Log log);

  /// The view's signal is notified whenever an answer came.
  void open(std::shared_ptr<PodView> view) {
    view_ = std::move(view);
    waiter_->view = view_;
  }
  /// No further call, nobody is woken any more.
  void close();

  /// Names the pods, each once, that a setting or an annotation keeps.
  void tell_kept();
  /// Starts what is due now.
  void ask();
  [[nodiscard]] bool idle() const { return in_flight_ == 0; }
  /// A call said that a pod is gone which the view still has: it should be listed anew. Once each.
  bool take_doubt() { return std::exchange(doubt_, false); }
  [[nodiscard]] bool doubts() const { return doubt_; }

  Table& table() { return table_; }
  [[nodiscard]] const Table& table() const { return table_; }

 private:
  class PodCall;

  static Task<void> evict(std::shared_ptr<Asker> self, PodKey key, std::optional<std::chrono::seconds> grace);
  static Task<void> remove(std::shared_ptr<Asker> self, PodKey key, std::chrono::seconds grace, bool forced);
  static Task<void> heed_budgets(std::shared_ptr<Asker> self);
  PodRow* call_ended(const Uid& uid);
  void note_evicted(PodRow& row, const Result<Eviction>& answer);
  void note_removed(PodRow& row, const Result<void>& answer, bool forced);
  void note_not_removed(PodRow& row, const Error& error);
  void note_failed(PodRow& row, const Error& error);
  void note_blocked(PodRow& row, const Eviction& answer);
  void trust(PodRow& row);
  void put_off(PodRow& row, std::string reason, Duration pause);
  void explain(PodRow& row);
  void explain_all();
  void wake_blocked();
  Log log_of(const PodRow& row) const { return log_.with({{"pod", full_name(row.pod)}}); }

  Context& context_;
  Aids& aids_;
  std::shared_ptr<Narrator> narrator_;
  Log log_;
  Table table_;
  std::shared_ptr<PodView> view_;
  std::shared_ptr<BudgetView> budgets_;  // once a budget has refused
  bool heeds_budgets_ = false;
  std::shared_ptr<SlotWaiter> waiter_ = std::make_shared<SlotWaiter>();
  std::size_t in_flight_ = 0;
  bool doubt_ = false;
  bool closed_ = false;
};

}  // namespace ferryman::termination::drain
