// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <boost/json/serialize.hpp>
#include <istream>
#include <iterator>
#include <ostream>

#include "app/commands.h"
#include "app/explain_node.h"
#include "app/live_facts.h"
#include "app/process_loop.h"
#include "app/real_programs.h"
#include "app/region_lookup.h"
#include "app/settings.h"
#include "base/json.h"
#include "net/curl_client.h"
#include "termination/explain.h"

namespace ferryman::app {

namespace {

using termination::EventExplanation;
using termination::MessageExplanation;
using termination::parse::ParsedMessage;

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
  if (!about.owner.empty()) out["owner"] = about.owner;
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

int answer(const Invocation& invocation, bool as_json, const MessageExplanation& explanation) {
  as_json ? print_json(invocation, explanation) : print_text(invocation, explanation);
  return explanation.acts() ? exit_done : exit_nothing_to_do;
}

/// `explain --live` on the real platform.
class LiveExplain {
 public:
  LiveExplain(const Invocation& invocation, Settings settings, const ParsedMessage& message)
      : invocation_(invocation),
        message_(message),
        settings_(std::move(settings)),
        loop_(settings_.log),
        http_(loop_.clock(), invocation.environment),
        programs_(loop_.clock(), invocation.environment),
        platform_{loop_.clock(),          loop_.random(), http_,    invocation.files,
                  invocation.environment, loop_.sink(),   programs_} {}

  int run(const std::string& account, bool as_json) {
    if (lacks_region(settings_, platform_))
      loop_.run("region", take_region_from_instance(settings_, platform_, loop_.log()));
    LiveFacts live(settings_, platform_);
    if (!live.problems().empty()) return refuse(invocation_, "explain", live.problems());
    loop_.on_signal([&live] { live.give_up(); });
    const bool sound = loop_.run("explain", ask(live));
    if (sound && answers_) return print(live.policy(), account, as_json);
    invocation_.err << fmt::format("ferryman explain: {}\n", trouble_);
    return exit_failed;
  }

 private:
  Task<void> ask(LiveFacts& live) {
    constexpr Duration patience = std::chrono::seconds{30};
    auto answers = co_await live.ask(message_.events, Deadline::after(loop_.clock(), patience));
    if (answers) {
      answers_ = std::move(*answers);
    } else {
      trouble_ = answers.error().text;
    }
  }

  int print(termination::Policy policy, const std::string& account, bool as_json) {
    if (!account.empty()) policy.account = account;
    const auto look_up = [this](const termination::Event& event) { return answers_->at(event.instance_id); };
    return answer(invocation_, as_json, explain(message_, policy, look_up));
  }

  const Invocation& invocation_;
  const ParsedMessage& message_;
  Settings settings_;
  ProcessLoop loop_;
  net::CurlClient http_;
  RealPrograms programs_;
  Platform platform_;
  std::optional<LiveFacts::Answers> answers_;
  std::string trouble_ = "a bug: see the log line above";
};

}  // namespace

int run_explain(const Invocation& invocation, const ResolvedSettings& resolved) {
  Settings settings(resolved);
  if (!settings.problems.empty()) return refuse(invocation, "explain", settings.problems);
  termination::Policy policy = settings.policy;
  policy.account = resolved.text("account");
  policy.region = settings.region;
  const bool as_json = resolved.text("output") == "json";
  const std::string& node = resolved.text("node");
  if (node.empty() && resolved.given("node"))
    return refuse(invocation, "explain", {fmt::format("{} is empty; name a Node", resolved.told("node"))});
  if (!node.empty()) {
    if (!resolved.text("file").empty())
      return refuse(invocation, "explain",
                    {fmt::format("{} and {} ask two questions; give one of them", resolved.told("node"),
                                 resolved.told("file"))});
    if (!resolved.given("log-level")) settings.log.level = Level::warn;
    return explain_node(invocation, std::move(settings), node, as_json);
  }
  const auto body = read_body(invocation, resolved);
  if (!body) return refuse(invocation, "explain", {body.error().text});
  const auto parsed = termination::parse::parse_message(*body);
  if (!parsed) return not_understood(invocation, parsed.error(), policy);
  if (!resolved.boolean("live") || parsed->events.empty())
    return answer(invocation, as_json, explain(*parsed, policy));
  if (!resolved.given("log-level")) settings.log.level = Level::warn;  // the answer is what is asked for
  return LiveExplain(invocation, std::move(settings), *parsed).run(policy.account, as_json);
}

}  // namespace ferryman::app
