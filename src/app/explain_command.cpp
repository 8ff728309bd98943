// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <istream>
#include <iterator>
#include <ostream>

#include "app/commands.h"
#include "app/settings.h"
#include "base/json.h"
#include "termination/explain.h"

namespace ferryman::app {

namespace {

using termination::EventExplanation;
using termination::MessageExplanation;

std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) {
    if (!text.empty()) text += ' ';
    text += sentence;
  }
  return text;
}

json::value action_object(const EventExplanation& about) {
  if (!about.event.action) return nullptr;
  const termination::LifecycleAction& action = *about.event.action;
  return json::object{{"group", action.group},     {"hook", action.hook},
                      {"token", action.token},     {"transition", action.transition},
                      {"origin", action.origin},   {"destination", action.destination},
                      {"our_hook", about.our_hook}};
}

json::object event_object(const EventExplanation& about) {
  json::object out{{"kind", name_of(about.event.kind)},
                   {"instance_id", about.event.instance_id.str()},
                   {"event_id", about.event.event_id},
                   {"event_time", format_rfc3339(about.event.event_time)}};
  out["deadline"] = about.deadline ? json::value(format_rfc3339(*about.deadline)) : json::value(nullptr);
  out["lifecycle_action"] = action_object(about);
  out["action"] = about.action;
  out["reason"] = joined(about.reasons);
  return out;
}

void print_json(const Invocation& invocation, const MessageExplanation& message) {
  for (const EventExplanation& about : message.events)
    invocation.out << json::serialize(event_object(about)) << '\n';
  // A reader of lines must not meet anything else on standard output.
  if (message.events.empty())
    invocation.err << fmt::format("ferryman explain: nothing to act on: {}. {}\n", message.because,
                                  message.fate);
}

std::string time_left(const termination::Event& event, WallTime deadline) {
  if (deadline <= event.event_time) return "There is no time left: what can still be done is done at once.";
  return fmt::format("It has to be over by {}.", format_rfc3339(deadline));
}

void print_text(const Invocation& invocation, const MessageExplanation& message) {
  for (const EventExplanation& about : message.events) {
    invocation.out << fmt::format("{} of {}, told at {}: {}\n", name_of(about.event.kind),
                                  about.event.instance_id.str(), format_rfc3339(about.event.event_time),
                                  about.action);
    for (const std::string& sentence : about.reasons) invocation.out << "  " << sentence << '\n';
    if (about.acts && about.deadline)
      invocation.out << "  " << time_left(about.event, *about.deadline) << '\n';
  }
  if (message.events.empty()) invocation.out << fmt::format("Nothing to act on: {}.\n", message.because);
  invocation.out << message.fate << '\n';
}

/// Errors: what `refuse` can print.
Result<std::string> read_body(const Invocation& invocation, const ResolvedSettings& resolved) {
  const std::string& path = resolved.text("file");
  if (!path.empty() && path != "-") {
    auto text = invocation.files.read(path);
    if (text) return std::move(*text);
    return Error(text.error().fault, fmt::format("{} cannot be read: {}; name one that can be read, or - for "
                                                 "standard input",
                                                 resolved.told("file"), text.error().text));
  }
  if (invocation.in == nullptr) return Error(Fault::invalid, "there is no standard input; name a file");
  return std::string(std::istreambuf_iterator<char>(*invocation.in), {});
}

/// What serve does with what it does not understand.
std::string fate_of_the_unparsable(const termination::Policy& policy) {
  const bool removed = policy.unparsable == termination::Unparsable::remove;
  return fmt::format(
      "serve leaves such a message on the queue; after {} receives it {}.", policy.unparsable_after,
      removed ? "deletes it" : "says so once and leaves it to the queue's redrive policy or retention");
}

int not_understood(const Invocation& invocation, const Error& error, const termination::Policy& policy) {
  invocation.err << fmt::format(
      "ferryman explain: not understood: {}; give the body of one message as SQS delivers it: an event of "
      "EventBridge, Auto Scaling or SNS. {}\n",
      error.text, fate_of_the_unparsable(policy));
  invocation.err.flush();
  return exit_not_understood;
}

}  // namespace

int run_explain(const Invocation& invocation, const ResolvedSettings& resolved) {
  const Settings settings(resolved);
  if (!settings.problems.empty()) return refuse(invocation, "explain", settings.problems);
  termination::Policy policy = settings.policy;
  policy.account = resolved.text("account");
  policy.region = settings.region;
  const auto body = read_body(invocation, resolved);
  if (!body) return refuse(invocation, "explain", {body.error().text});
  const auto parsed = termination::parse::parse_message(*body);
  if (!parsed) return not_understood(invocation, parsed.error(), policy);
  const MessageExplanation explanation = explain(*parsed, policy);
  const bool as_json = resolved.text("output") == "json";
  as_json ? print_json(invocation, explanation) : print_text(invocation, explanation);
  return explanation.acts() ? exit_done : exit_nothing_to_do;
}

}  // namespace ferryman::app
