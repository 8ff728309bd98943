// SPDX-License-Identifier: Apache-2.0
// Reflector: keeps a copy of what the API server has: a list, then a watch from the list's version on, for
// ever. What a row is, is its target's business.
#pragma once

#include <string>
#include <string_view>

#include "kube/context.h"
#include "kube/watch.h"

namespace ferryman::kube {

/// After so long with neither event nor bookmark (sent about once a minute) a watch is dead and a copy is
/// stale.
inline constexpr Duration longest_silence = std::chrono::seconds{150};

class ReflectorTarget {
 public:
  virtual ~ReflectorTarget() = default;

  /// Brings the copy up to date and gives the version from which to watch.
  virtual Task<Result<std::string>> list() = 0;
  /// An event, never a bookmark. False: it cannot be understood, so it is as good as missed.
  virtual bool apply(const WatchEvent& event) = 0;
  /// Events may have been missed: the next `list` must ask for all.
  virtual void lost() = 0;
  /// False: nobody looks, no watch is kept.
  [[nodiscard]] virtual bool wanted() const = 0;
  /// Notified when `wanted` becomes true.
  virtual Signal& wanted_changed() = 0;
};

class Reflector {
 public:
  /// `call` is what is watched, `what` its name in logs and errors ("nodes"). The target must outlive it.
  Reflector(Context context, ReflectorTarget& target, Call call, std::string what);

  /// Until cancelled.
  Task<void> run();

  /// A complete list, and since then never `longest_silence` without a sign of life.
  [[nodiscard]] bool in_sync() const;

  /// Since the last answer, event or bookmark; zero before the first list.
  [[nodiscard]] Duration silence() const;

  /// The newest failure; empty since the last success.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  enum class End : std::uint8_t { resume, relist, refused, unwanted };

  Task<void> follow(std::string version);
  Task<End> watch_once(std::string& version);
  Task<End> read_events(Watch& watch);
  End end_of_watch(const Error& error);
  void failed(const Error& error, std::string_view doing);
  void heard();
  Task<void> pause();

  Context context_;
  ReflectorTarget& target_;
  Call call_;
  std::string what_;
  std::string trouble_;
  SteadyTime heard_;
  int quiet_rounds_ = 0;  // lists and watches in a row that brought no sign of life
  bool listed_ = false;
  bool refusal_named_ = false;
};

}  // namespace ferryman::kube
