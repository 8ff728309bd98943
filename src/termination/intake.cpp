// SPDX-License-Identifier: Apache-2.0
#include "termination/intake.h"

#include "base/text.h"
#include "termination/useful_life.h"

namespace ferryman::termination {

namespace {

constexpr int most_messages = 10;              // SQS's own limit per receive
constexpr std::chrono::seconds long_poll{20};  // the longest that SQS allows
constexpr Duration answer_margin = std::chrono::seconds{10};

}  // namespace

Intake::Intake(Crew& crew, Dispatch& dispatch)
    : crew_(crew),
      context_(crew.context),
      dispatch_(dispatch),
      pause_(crew.pause),
      poison_(crew.context, crew.held),
      filled_(crew.context.clock) {}

Task<void> Intake::poll(int index) {
  constexpr Duration long_wait = std::chrono::hours{1};
  int failures = 0;
  for (;;) {
    while (index > 0 && !full_) co_await filled_.wait_until(context_.clock.now() + long_wait);
    while (pause_.on() || !pause_.looked())
      co_await pause_.changed().wait_until(context_.clock.now() + long_wait);
    const Deadline deadline = Deadline::after(context_.clock, long_poll + answer_margin);
    // Without waiting until the queue has answered once: a long poll would hide for 20 s that it is
    // reachable.
    const std::chrono::seconds wait = reachable_ ? long_poll : std::chrono::seconds{0};
    auto received =
        co_await crew_.ports.queue.receive(most_messages, wait, context_.policy.visibility, deadline);
    note(received);
    if (!received) {
      co_await context_.clock.sleep_for(patient_back_off(++failures, context_.random));
      continue;
    }
    failures = 0;
    for (Message& message : *received) handle(std::move(message));
  }
}

void Intake::note(const Result<std::vector<Message>>& received) {
  const std::string trouble = received ? std::string() : received.error().text;
  if (trouble != trouble_) {
    if (trouble.empty()) {
      context_.log.info("queue.reachable");
    } else {
      context_.log.warn("queue.unreachable", {{"error", trouble}});
    }
  }
  trouble_ = trouble;
  asked_ = true;
  reachable_ = received.ok();
  full_ = received.ok() && received->size() == most_messages;
  if (full_) filled_.notify_all();
}

void Intake::handle(Message message) {
  context_.metrics.messages_received.add();
  // A long poll that was under way when the switch went on.
  if (pause_.on()) {
    crew_.held.settle(crew_.held.hold(std::move(message), 1), MessageOutcome::interrupted);
    return;
  }
  const auto parsed = parse::parse_message(message.body);
  if (!parsed) {
    poison_.take(message, parsed.error());
    return;
  }
  if (parsed->events.empty() || !for_our_account(*parsed)) {
    settle_unusable(std::move(message), *parsed);
    return;
  }
  std::vector<InstanceId> instances;
  for (const Event& event : parsed->events) instances.push_back(event.instance_id);
  const auto held =
      crew_.held.hold(std::move(message), static_cast<int>(parsed->events.size()), std::move(instances));
  for (const Event& event : parsed->events) dispatch_.take(event, held);
}

MessageOutcome Intake::outcome_without_events(const parse::ParsedMessage& parsed, bool for_us) const {
  if (parsed.content == parse::Content::test) return MessageOutcome::test;
  if (parsed.content == parse::Content::nobodys) return MessageOutcome::nobodys;
  if (context_.clock.wall() > end_of_life(parsed)) return MessageOutcome::past_its_life;
  return for_us ? MessageOutcome::not_for_us : MessageOutcome::foreign;
}

/// Understood, but nothing in it is for us to do.
void Intake::settle_unusable(Message message, const parse::ParsedMessage& parsed) {
  constexpr std::size_t longest_shown = 64;
  const bool for_us = for_our_account(parsed);
  const MessageOutcome outcome = outcome_without_events(parsed, for_us);
  if (parsed.content == parse::Content::other && for_us)
    context_.metrics.unknown_events.add(parsed.source, parsed.detail_type);
  context_.log.write(outcome == MessageOutcome::test ? Level::info : Level::debug, "message.unusable",
                     {{"message", message.id},
                      {"outcome", name_of(outcome)},
                      {"reason", parsed.because},
                      {"source", shortened(parsed.source, longest_shown)},
                      {"detail_type", shortened(parsed.detail_type, longest_shown)},
                      {"account", shortened(parsed.account, longest_shown)},
                      {"region", shortened(parsed.region, longest_shown)}});
  crew_.held.settle(crew_.held.hold(std::move(message), 1), outcome);
}

bool Intake::for_our_account(const parse::ParsedMessage& parsed) const {
  const Policy& policy = context_.policy;
  const bool account = policy.account.empty() || parsed.account.empty() || parsed.account == policy.account;
  const bool region = policy.region.empty() || parsed.region.empty() || parsed.region == policy.region;
  return account && region;
}

}  // namespace ferryman::termination
