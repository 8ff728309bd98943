// SPDX-License-Identifier: Apache-2.0
// PauseSwitch: a ConfigMap whose key "paused" says "true" (or anything but a no) stops new work; what runs
// goes on. One that is not there means not paused. What cannot be read changes nothing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "termination/context.h"

namespace ferryman::termination {

class PauseSwitch {
 public:
  PauseSwitch(Context& context, Cluster& cluster)
      : context_(context), cluster_(cluster), changed_(context.clock) {}

  /// Looks every 5 s until it is cancelled; over at once when the policy names no ConfigMap.
  Task<void> run();

  [[nodiscard]] bool on() const { return on_; }
  /// False until the first look has ended, however it ended.
  [[nodiscard]] bool looked() const { return looked_ || context_.policy.pause_name.empty(); }
  /// Notified when either of them changes.
  Signal& changed() { return changed_; }

 private:
  using Data = std::optional<std::map<std::string, std::string>>;

  static bool means_on(std::string_view value);
  void note(const Data& data);
  void complain(const Error& error);
  void set(bool on);

  Context& context_;
  Cluster& cluster_;
  Signal changed_;
  bool on_ = false;
  bool looked_ = false;
  std::string said_;  // the newest failure that was logged; empty once a look has succeeded
};

}  // namespace ferryman::termination
