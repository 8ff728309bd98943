// SPDX-License-Identifier: Apache-2.0
#include "termination/decision.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/glob.h"
#include "base/text.h"
#include "termination/ports/marks.h"

namespace ferryman::termination {

namespace {

constexpr std::size_t longest_shown = 64;
constexpr std::string_view complete_word = "complete";
constexpr std::string_view ignore_word = "ignore";

/// False: the word is none of those that the kind knows.
bool read_word(std::string_view word, EventKind kind, Decision& decision) {
  if (kind == EventKind::asg_launch) {
    if (word != complete_word && word != ignore_word) return false;
    decision.complete = word == complete_word;
    return true;
  }
  const auto action = parse_action(word);
  if (action) decision.action = *action;
  return action.has_value();
}

std::string_view known_words(EventKind kind) {
  return kind == EventKind::asg_launch ? "complete or ignore" : "ignore, taint, cordon or drain";
}

class Asked {
 public:
  explicit Asked(EventKind kind)
      : kind_(kind), key_(fmt::format("{}{}", marks::action_prefix, name_of(kind))) {}

  [[nodiscard]] const std::string& key() const { return key_; }

  /// True: `value` decides.
  bool decided_by(std::string_view what, const std::string* value, Decision& decision) const {
    if (value == nullptr) return false;
    if (read_word(*value, kind_, decision)) {
      decision.by = fmt::format("{} {}", what, key_);
      return true;
    }
    if (!decision.unreadable.empty()) decision.unreadable += "; ";
    decision.unreadable += fmt::format("{} {}: \"{}\" counts for nothing; write {}", what, key_,
                                       shortened(*value, longest_shown), known_words(kind_));
    return false;
  }

 private:
  EventKind kind_;
  std::string key_;
};

/// What Health and DescribeInstanceStatus call the same thing stands together.
std::vector<LeadTime> make_default_lead_times() {
  constexpr Duration at_once = Duration::max();
  constexpr Duration shortly_before = std::chrono::minutes{10};
  return {
      {"AWS_EC2_*RETIREMENT*", at_once},  // …INSTANCE_…_SCHEDULED, …PERSISTENT_INSTANCE_…, …_EXPEDITED
      {"AWS_EC2_*STOP*", at_once},        // …INSTANCE_STOP_SCHEDULED
      {"AWS_EC2_*TERMINATION*", at_once},
      {"instance-retirement", at_once},
      {"instance-stop", at_once},
      {"AWS_EC2_*REBOOT*", shortly_before},  // …INSTANCE_REBOOT_MAINTENANCE_…, …SYSTEM_REBOOT_MAINTENANCE_…
      {"instance-reboot", shortly_before},
      {"system-reboot", shortly_before},
      {"AWS_EC2_*NETWORK_MAINTENANCE*", std::nullopt},  // …INSTANCE_…, …DEDICATED_HOST_…
      {"AWS_EC2_*POWER_MAINTENANCE*", std::nullopt},
      {"AWS_EC2_SYSTEM_MAINTENANCE*", std::nullopt},
      {"system-maintenance", std::nullopt},  // network or power, says EC2
      {"*", shortly_before},
  };
}

const LeadTime* first_match(std::span<const LeadTime> lead_times, std::string_view code) {
  const auto found = std::find_if(lead_times.begin(), lead_times.end(),
                                  [&](const LeadTime& row) { return matches_glob(row.code, code); });
  return found == lead_times.end() ? nullptr : &*found;
}

}  // namespace

Decision action_for(const Event& event, const Policy& policy, const Labels& labels, const Tags& group_tags) {
  const Asked asked(event.kind);
  Decision decision;
  const auto label = labels.find(asked.key());
  const auto tag = std::find_if(group_tags.begin(), group_tags.end(),
                                [&](const auto& pair) { return pair.first == asked.key(); });
  if (asked.decided_by("label", label == labels.end() ? nullptr : &label->second, decision)) return decision;
  if (asked.decided_by("tag", tag == group_tags.end() ? nullptr : &tag->second, decision)) return decision;
  decision.by = fmt::format("setting on-{}", name_of(event.kind));
  if (event.kind == EventKind::asg_launch) {
    decision.complete = policy.complete_launches;
  } else {
    decision.action = policy.actions_by_kind.at(static_cast<std::size_t>(event.kind));
  }
  return decision;
}

std::span<const LeadTime> default_lead_times() {
  static const std::vector<LeadTime> lead_times = make_default_lead_times();
  return lead_times;
}

std::optional<Duration> lead_of(const ScheduledChange& change, const Policy& policy) {
  const LeadTime* row = first_match(policy.lead_times, change.code);
  if (row == nullptr) row = first_match(default_lead_times(), change.code);
  return row == nullptr ? std::nullopt : row->lead;
}

std::optional<WallTime> due_at(const Event& event, const Policy& policy) {
  if (!event.change) return event.event_time;
  if (event.change->cancelled) return std::nullopt;
  const auto lead = lead_of(*event.change, policy);
  if (!lead) return std::nullopt;
  if (*lead == Duration::max()) return event.event_time;
  return std::max(event.event_time, event.change->starts - *lead);
}

}  // namespace ferryman::termination
