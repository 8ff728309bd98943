// SPDX-License-Identifier: Apache-2.0
#include "termination/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "termination/event_words.h"

namespace ferryman::termination {

namespace {

std::string_view work_of(Action action) {
  switch (action) {
    case Action::ignore:
      return "Nothing is done.";
    case Action::taint:
      return "The node gets our taint, nothing else.";
    case Action::cordon:
      return "The node is cordoned and gets our taint, nothing else.";
    case Action::drain:
      return "The node is cordoned, taken out of its load balancers and drained.";
  }
  return {};
}

bool is_acted_on(const EventExplanation& about, const Decision& decision, const Policy& policy) {
  if (about.event.kind == EventKind::asg_launch) return decision.complete && about.our_hook;
  return decision.action != Action::ignore && due_at(about.event, policy).has_value();
}

std::string what_is_done(const EventExplanation& about, const Decision& decision, const Policy& policy) {
  if (about.event.kind == EventKind::asg_launch) {
    if (!about.our_hook) return {};
    return fmt::format(
        "{} ({}).",
        decision.complete ? "The hook is completed as soon as the node is Ready" : "Nothing is done",
        decision.by);
  }
  std::string done(work_of(decision.action));
  done.insert(done.size() - 1, fmt::format(" ({})", decision.by));
  if (about.event.change && decision.action != Action::ignore)
    done = begin_of_work(about.event, policy) + " " + done;
  return done;
}

std::vector<std::string> reasons_of(const EventExplanation& about, const Decision& decision,
                                    const Policy& policy, const InstanceFacts& facts) {
  const Event& event = about.event;
  std::vector<std::string> reasons{what_happened(event), facts.word};
  if (facts.ours) {
    const bool never = event.change && !due_at(event, policy);
    reasons.push_back(never ? why_never(event) : what_is_done(about, decision, policy));
    if (about.acts && event.voluntary()) {
      reasons.push_back(
          fmt::format("It may come to nothing, so at most {} % of a group's nodes leave at a time.",
                      policy.voluntary_share));
    }
    if (about.acts || (event.kind == EventKind::asg_launch && !about.our_hook))
      reasons.push_back(about_hook(event, about.our_hook, policy));
    if (!decision.unreadable.empty()) reasons.push_back(decision.unreadable + ".");
  }
  std::erase(reasons, std::string());
  return reasons;
}

/// A hook's own timeout, which only Auto Scaling knows, may come sooner.
std::optional<WallTime> deadline_of(const Event& event, const Policy& policy) {
  if (event.deadline) return event.deadline;
  if (event.change) return event.change->cancelled ? std::nullopt : std::optional(event.change->starts);
  if (event.kind == EventKind::state_change) return event.event_time;
  if (event.kind == EventKind::asg_terminate) return event.event_time + policy.max_termination_time;
  return std::nullopt;
}

EventExplanation explain_event(const Event& event, const Policy& policy, const InstanceFacts& facts) {
  EventExplanation about;
  about.event = event;
  about.owner = facts.owner;
  about.our_hook = event.action && is_our_hook(policy, event.action->hook);
  const Decision decision = action_for(event, policy, facts.labels, facts.group_tags);
  about.acts = facts.ours && is_acted_on(about, decision, policy);
  about.action = name_of(about.acts ? decision.action : Action::ignore);
  if (about.acts && decision.complete) about.action = "complete";
  about.deadline = deadline_of(event, policy);
  about.reasons = reasons_of(about, decision, policy, facts);
  return about;
}

std::string not_ours(const parse::ParsedMessage& message, const Policy& policy) {
  const auto differs = [](const std::string& ours, const std::string& theirs) {
    return !ours.empty() && !theirs.empty() && ours != theirs;
  };
  if (differs(policy.account, message.account))
    return fmt::format("it is about account {}, and ours is {}", message.account, policy.account);
  if (differs(policy.region, message.region))
    return fmt::format("it is about region {}, and ours is {}", message.region, policy.region);
  return {};
}

std::string_view disposal_words(Disposal disposal) {
  switch (disposal) {
    case Disposal::remove:
      return "is deleted";
    case Disposal::release:
      return "is given back to the queue";
    case Disposal::leave:
      return "is left alone and comes back when its visibility timeout ends";
  }
  return {};
}

/// `asked`: whose the instances are is known.
std::string fate_of(MessageOutcome outcome, QueueMode mode, bool asked) {
  const std::string_view words = disposal_words(disposal_of(outcome, mode));
  const std::string unless = asked ? std::string()
                                   : fmt::format("; if the instance is not ours, it {}",
                                                 disposal_words(disposal_of(MessageOutcome::foreign, mode)));
  const std::string_view why =
      mode == QueueMode::shared ? "other readers may want it" : "nobody else reads it";
  switch (outcome) {
    case MessageOutcome::claimed:
      return fmt::format("The message {} once the work is written on the Node or over{}.", words, unless);
    case MessageOutcome::ignored:
      return fmt::format("The message {}{}.", words, unless);
    case MessageOutcome::foreign:
    case MessageOutcome::not_for_us:
      return fmt::format("The message {}: {}.", words, why);
    default:
      return fmt::format("The message {}.", words);
  }
}

MessageOutcome outcome_of(parse::Content content) {
  switch (content) {
    case parse::Content::test:
      return MessageOutcome::test;
    case parse::Content::nobodys:
      return MessageOutcome::nobodys;
    case parse::Content::events:
    case parse::Content::other:
      break;
  }
  return MessageOutcome::not_for_us;
}

}  // namespace

bool MessageExplanation::acts() const {
  return std::any_of(events.begin(), events.end(), [](const EventExplanation& one) { return one.acts; });
}

MessageExplanation explain(const parse::ParsedMessage& message, const Policy& policy, const LookUp& look_up) {
  MessageExplanation explanation;
  explanation.because = message.because;
  explanation.outcome = outcome_of(message.content);
  const std::string why_foreign = not_ours(message, policy);
  const bool nobodys = message.content == parse::Content::nobodys || message.content == parse::Content::test;
  if (!why_foreign.empty() && !nobodys) {
    explanation.because = why_foreign;
    explanation.outcome = MessageOutcome::foreign;
  } else if (!message.events.empty()) {
    for (const Event& event : message.events) {
      const InstanceFacts facts = look_up ? look_up(event) : InstanceFacts();
      explanation.events.push_back(explain_event(event, policy, facts));
      if (facts.ours) {
        explanation.outcome = MessageOutcome::ignored;
      } else if (explanation.outcome != MessageOutcome::ignored) {
        explanation.outcome = facts.outcome;
      }
    }
    if (explanation.acts()) explanation.outcome = MessageOutcome::claimed;
  }
  explanation.fate = fate_of(explanation.outcome, policy.queue_mode, static_cast<bool>(look_up));
  return explanation;
}

}  // namespace ferryman::termination
