// SPDX-License-Identifier: Apache-2.0
// EventBook: which Kubernetes events were said about whom in the last minutes, so that what is said again
// becomes a count and not another object. It waits for nothing and writes nothing.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "termination/ports/event_writer.h"
#include "termination/ports/notices.h"

namespace ferryman::notify {

class EventEntry {
 public:
  /// The object, and the reason.
  using Key = std::pair<std::string, termination::NoticeKind>;

  explicit EventEntry(Key key_in) : key(std::move(key_in)) {}

  [[nodiscard]] bool written() const { return told > 0; }
  [[nodiscard]] bool has_news() const { return event.count > told; }

  Key key;
  termination::ClusterEvent event;
  SteadyTime said;         // last
  SteadyTime queued_at;    // while it is queued
  SteadyTime told_at;      // when the API server last heard of it
  std::uint32_t told = 0;  // the count that it heard; 0: it has no such event
  bool queued = false;
};
using EventEntryPtr = std::shared_ptr<EventEntry>;

class EventBook {
 public:
  static constexpr Duration memory = std::chrono::minutes{5};
  static constexpr Duration between_repeats = std::chrono::minutes{1};
  /// About one object for one reason within `memory`; a further text takes the place of the last.
  static constexpr std::size_t most_texts = 5;
  static constexpr std::size_t longest_text = 1024;  // what the API allows

  explicit EventBook(Clock& clock) : clock_(clock) {}

  /// The entry of this notice, new or with its count raised. Null: there is no object to say it about.
  EventEntryPtr enter(const termination::Notice& notice);
  void forget(const EventEntryPtr& entry);

  /// Written ones of which the API server has not heard the last, and whose turn has come.
  [[nodiscard]] std::vector<EventEntryPtr> due() const;
  /// Drops what nobody spoke of for `memory`, unless it is queued.
  void forget_old();
  [[nodiscard]] std::size_t size() const;

 private:
  using Texts = std::vector<EventEntryPtr>;

  EventEntryPtr begin(const termination::Notice& notice, WallTime at);

  Clock& clock_;
  std::map<EventEntry::Key, Texts> entries_;
  std::int64_t begun_ = 0;
};

}  // namespace ferryman::notify
