// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/watch_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sandbox/kube/kube_status.h"

namespace ferryman::sandbox {

namespace {
constexpr Duration bookmark_interval = std::chrono::seconds{60};
}  // namespace

WatchStream::WatchStream(ClusterState& state, WatchPlan plan)
    : state_(state),
      plan_(std::move(plan)),
      end_(state.clock.now() + plan_.length),
      next_bookmark_(state.clock.now() + bookmark_interval) {
  // What is there is what was there when the watch began, however late it is read.
  if (plan_.initial) pending_ = initial_lines();
}

Task<Result<std::string>> WatchStream::read(Deadline deadline) {
  for (;;) {
    std::string piece = lines();
    if (!piece.empty() || over_) co_return piece;
    if (deadline.passed(state_.clock)) co_return Error(Fault::deadline, "nothing changed in time");
    const SteadyTime until = std::min({deadline.at(), end_, next_bookmark_});
    co_await state_.objects.changed(plan_.style.type->resource).wait_until(until);
  }
}

std::string WatchStream::initial_lines() {
  std::string text;
  for (const ObjectPtr& object : state_.objects.list(plan_.style.type->resource)) {
    if (plan_.filter.matches(*object)) text += encode_event(plan_.style, "ADDED", *object);
  }
  plan_.after = state_.objects.version();
  if (plan_.initial_end) text += encode_bookmark(plan_.style, plan_.after, true);
  return text;
}

std::string WatchStream::line_of(const Change& change) const {
  const bool was = change.before != nullptr && plan_.filter.matches(*change.before);
  const bool is = change.kind != Change::Kind::deleted && plan_.filter.matches(*change.object);
  if (!was && !is) return {};
  // An object that leaves the selection is a deletion for this watch, one that enters it an addition.
  return encode_event(plan_.style, !was ? "ADDED" : is ? "MODIFIED" : "DELETED", *change.object);
}

std::string WatchStream::lines() {
  if (over_) return {};
  const std::string_view resource = plan_.style.type->resource;
  plan_.style.now = state_.clock.wall();
  std::string text = std::exchange(pending_, {});
  if (state_.objects.expired(resource, plan_.after)) {
    over_ = true;
    return text + encode_error_event(failure_status(410, "Expired",
                                                    fmt::format("too old resource version: {} ({})",
                                                                plan_.after, state_.objects.version())));
  }
  for (const Change& change : state_.objects.changes_after(resource, plan_.after)) text += line_of(change);
  plan_.after = state_.objects.version();
  const bool ends = state_.clock.now() >= end_;
  // The API server sends one more bookmark just before it ends a watch.
  if (plan_.bookmarks && (ends || state_.clock.now() >= next_bookmark_)) {
    text += encode_bookmark(plan_.style, plan_.after, false);
  }
  if (state_.clock.now() >= next_bookmark_) next_bookmark_ = state_.clock.now() + bookmark_interval;
  over_ = ends;
  return text;
}

}  // namespace ferryman::sandbox
