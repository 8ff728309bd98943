// SPDX-License-Identifier: Apache-2.0
#include "termination/event_words.h"

#include <fmt/format.h>

#include "termination/decision.h"

namespace ferryman::termination {

namespace {

constexpr std::string_view warm_pool = "WarmPool";

std::string in_brackets(std::string_view word) {
  return word.empty() ? std::string() : fmt::format(" ({})", word);
}

std::string at_deadline(const Event& event) {
  return event.deadline ? fmt::format(" at {}", format_rfc3339(*event.deadline)) : std::string();
}

std::string what_auto_scaling_does(const LifecycleAction& action, bool launches) {
  std::string words = fmt::format("Auto Scaling {} the instance and waits for hook {} of group {}.",
                                  launches ? "launches" : "ends", action.hook, action.group);
  if (action.origin == warm_pool) words += " It comes from the warm pool.";
  if (action.destination == warm_pool)
    words += launches ? " It goes to the warm pool." : " It goes to the warm pool and may come back.";
  return words;
}

std::string what_is_planned(const ScheduledChange& change) {
  std::string words = fmt::format("AWS plans {} from {}", change.code.empty() ? "a change" : change.code,
                                  format_rfc3339(change.starts));
  if (change.ends && *change.ends > change.starts)
    words += fmt::format(" to {}", format_rfc3339(*change.ends));
  return words + ".";
}

std::string in_minutes(Duration duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  return seconds % 60 == 0 ? fmt::format("{} min", seconds / 60) : fmt::format("{} s", seconds);
}

std::string launch_at_limit(AtLimit at_limit) {
  constexpr std::string_view until = "The hook is ours: when its time is over before that, ";
  switch (at_limit) {
    case AtLimit::proceed:
      return fmt::format("{}it is completed with CONTINUE.", until);
    case AtLimit::abandon:
      return fmt::format("{}it is completed with ABANDON.", until);
    case AtLimit::leave:
      break;
  }
  return fmt::format("{}its own default result decides.", until);
}

}  // namespace

std::string what_happened(const Event& event) {
  switch (event.kind) {
    case EventKind::asg_terminate:
    case EventKind::asg_launch:
      return event.action ? what_auto_scaling_does(*event.action, event.kind == EventKind::asg_launch)
                          : std::string();
    case EventKind::spot_interruption:
      return fmt::format("EC2 interrupts the Spot Instance{}{}.", in_brackets(event.what),
                         at_deadline(event));
    case EventKind::rebalance_recommendation:
      return "EC2 says that the Spot Instance is likely to be interrupted.";
    case EventKind::state_change:
      return fmt::format("The instance is {} now.", event.what);
    case EventKind::capacity_reservation_interruption:
      return fmt::format("The instance's capacity reservation is taken back{}{}.", in_brackets(event.what),
                         at_deadline(event));
    case EventKind::scheduled_change:
    case EventKind::instance_status:
      return event.change && !event.change->cancelled ? what_is_planned(*event.change) : std::string();
  }
  return {};
}

std::string begin_of_work(const Event& event, const Policy& policy) {
  const auto due = due_at(event, policy);
  if (!event.change || !due) return {};
  const auto lead = lead_of(*event.change, policy);
  if (lead == Duration::max()) return "Work begins at once, as the lead time of this code says.";
  if (*due == event.event_time) return "Work begins at once: the change is near.";
  return fmt::format("Work begins at {}, {} before the change.", format_rfc3339(*due),
                     in_minutes(event.change->starts - *due));
}

std::string why_never(const Event& event) {
  if (!event.change) return {};
  if (event.change->cancelled) {
    return fmt::format(
        "AWS says that {} will not come (any more): a plan that waits for it is dropped, and "
        "what was done for it is undone.",
        event.change->code.empty() ? "the change" : event.change->code);
  }
  return fmt::format("Nothing is done for {} (setting lead-time).",
                     event.change->code.empty() ? "such a change" : event.change->code);
}

std::string about_hook(const Event& event, bool ours, const Policy& policy) {
  if (!event.action) return {};
  if (!ours) {
    return fmt::format("Hook {} is not ours (setting hook): it is neither kept alive nor completed by us.",
                       event.action->hook);
  }
  if (event.kind == EventKind::asg_launch) return launch_at_limit(policy.launch_at_limit);
  return fmt::format(
      "The hook is ours: it is kept alive meanwhile and completed then, {} after it was taken over at the "
      "latest.",
      in_minutes(policy.max_termination_time));
}

}  // namespace ferryman::termination
