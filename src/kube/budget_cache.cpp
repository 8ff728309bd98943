// SPDX-License-Identifier: Apache-2.0
#include "kube/budget_cache.h"

#include <algorithm>
#include <tuple>

#include "kube/drain_objects.h"
#include "kube/object_rows.h"
#include "kube/objects.h"

namespace ferryman::kube {

using termination::Budget;
using termination::BudgetView;

namespace {

constexpr Duration longest_list = std::chrono::seconds{30};

auto place_of(const Budget& budget) {
  return std::tie(budget.budget_namespace, budget.name);
}

}  // namespace

void SharedBudgets::take(std::vector<Budget> budgets, std::string version) {
  std::ranges::sort(budgets, [](const Budget& a, const Budget& b) { return place_of(a) < place_of(b); });
  budgets_ = std::move(budgets);
  version_ = std::move(version);
  stale = false;
  changed_.notify_all();
}

void SharedBudgets::apply(const WatchEvent& event) {
  const json::value* metadata = find(event.object, "metadata");
  if (version_number(string_at(metadata, "resourceVersion")) <= version_number(version_)) return;
  const std::string space(string_at(metadata, "namespace"));
  const std::string name(string_at(metadata, "name"));
  const auto at = std::ranges::lower_bound(budgets_, std::tie(space, name), {}, place_of);
  const bool known = at != budgets_.end() && at->budget_namespace == space && at->name == name;
  auto budget = event.kind == WatchEventKind::deleted ? std::nullopt : budget_from(event.object);
  if (budget && known) {
    *at = std::move(*budget);
  } else if (budget) {
    budgets_.insert(at, std::move(*budget));
  } else if (known) {
    budgets_.erase(at);
  }
  changed_.notify_all();
}

BudgetCache::BudgetCache(Context context) : context_(std::move(context)), wanted_(context_.clock) {}

Call BudgetCache::call() {
  return {"GET", "/apis/policy/v1/poddisruptionbudgets"};
}

/// Until the list is as new as what the watch has said already: an event that nobody looked for is lost.
Task<Result<void>> BudgetCache::fill(std::shared_ptr<SharedBudgets> view, Deadline deadline) {
  constexpr int most_rounds = 3;
  for (int round = 1; round <= most_rounds; ++round) {
    ObjectRows<Budget> rows("a PodDisruptionBudget", budget_from);
    auto version = co_await read_list(context_.client, call(), rows, deadline);
    if (!version) co_return version.error().within("listing PodDisruptionBudgets");
    if (version_number(*version) < newest_) continue;
    view->take(std::move(rows.rows), std::move(*version));
    co_return Result<void>();
  }
  co_return Error(Fault::unexpected, "PodDisruptionBudgets change too fast to list");
}

Task<Result<std::shared_ptr<BudgetView>>> BudgetCache::view(Deadline deadline) {
  if (auto known = view_.lock()) co_return std::shared_ptr<BudgetView>(std::move(known));
  auto view = std::make_shared<SharedBudgets>(context_.clock);
  for (net::Retry retry = context_.client.retry(deadline);;) {
    auto filled = co_await fill(view, deadline.at_most(context_.clock, longest_list));
    if (filled) break;
    if (!co_await retry.again(filled.error())) co_return std::move(filled).error();
  }
  if (auto other = view_.lock()) co_return std::shared_ptr<BudgetView>(std::move(other));
  view_ = view;
  wanted_.notify_all();
  co_return std::shared_ptr<BudgetView>(std::move(view));
}

Task<Result<std::string>> BudgetCache::list() {
  const auto view = view_.lock();
  if (view == nullptr) co_return Error(Fault::not_found, "nobody looks any more");
  if (view->stale) {
    auto filled = co_await fill(view, Deadline::after(context_.clock, longest_list));
    if (!filled) co_return std::move(filled).error();
  }
  co_return view->version();
}

bool BudgetCache::apply(const WatchEvent& event) {
  const json::value* metadata = find(event.object, "metadata");
  const std::uint64_t version = version_number(string_at(metadata, "resourceVersion"));
  if (version == 0 || string_at(metadata, "name").empty()) return false;
  newest_ = std::max(newest_, version);
  if (const auto view = view_.lock()) view->apply(event);
  return true;
}

void BudgetCache::lost() {
  newest_ = 0;
  if (const auto view = view_.lock()) view->stale = true;
}

}  // namespace ferryman::kube
