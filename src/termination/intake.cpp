// SPDX-License-Identifier: Apache-2.0
#include "termination/intake.h"

#include "base/text.h"
#include "termination/ownership.h"

namespace ferryman::termination {

namespace {

constexpr int most_messages = 10;              // SQS's own limit per receive
constexpr std::chrono::seconds long_poll{20};  // the longest that SQS allows
constexpr Duration answer_margin = std::chrono::seconds{10};

}  // namespace

Intake::Intake(Crew& crew, Registry& registry)
    : crew_(crew),
      context_(crew.context),
      registry_(registry),
      poison_(crew.context, crew.held),
      filled_(crew.context.clock) {}

Task<void> Intake::poll(int index) {
  int failures = 0;
  for (;;) {
    while (index > 0 && !full_) co_await filled_.wait_until(context_.clock.now() + std::chrono::hours{1});
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
  reachable_ = received.ok();
  full_ = received.ok() && received->size() == most_messages;
  if (full_) filled_.notify_all();
}

void Intake::handle(Message message) {
  context_.metrics.messages_received.add();
  const auto parsed = parse::parse_message(message.body);
  if (!parsed) {
    poison_.take(message, parsed.error());
    return;
  }
  if (parsed->events.empty() || !for_our_account(*parsed)) {
    settle_unusable(std::move(message), *parsed);
    return;
  }
  const auto held = crew_.held.hold(std::move(message), static_cast<int>(parsed->events.size()));
  for (const Event& event : parsed->events) handle_event(event, held);
}

/// Understood, but nothing in it is for us to do.
void Intake::settle_unusable(Message message, const parse::ParsedMessage& parsed) {
  constexpr std::size_t longest_shown = 64;
  MessageOutcome outcome = for_our_account(parsed) ? MessageOutcome::not_for_us : MessageOutcome::foreign;
  const bool test = parsed.content == parse::Content::test;
  if (test) outcome = MessageOutcome::test;
  if (parsed.content == parse::Content::nobodys) outcome = MessageOutcome::nobodys;
  context_.log.write(test ? Level::info : Level::debug, "message.unusable",
                     {{"message", message.id},
                      {"outcome", name_of(outcome)},
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

void Intake::handle_event(const Event& event, const HeldMessagePtr& held) {
  context_.metrics.events[event.kind].add();
  if (registry_.running(event.instance_id) || registry_.handled_before(event)) {
    registry_.take(event, held);
    return;
  }
  if (context_.clock.wall() > end_of_life(event)) {
    crew_.held.settle(held, MessageOutcome::past_its_life);
    return;
  }
  switch (owner_of(event, crew_.ports.cluster)) {
    case Ownership::ours:
      registry_.take(event, held);
      return;
    case Ownership::unknown:
      crew_.held.settle(held, MessageOutcome::not_in_sync);
      return;
    case Ownership::foreign:
      handle_foreign(event, held);
      return;
  }
}

/// A message that keeps coming back may have no owner left: then EC2 is asked whether anything can still wait
/// for it.
void Intake::handle_foreign(const Event& event, const HeldMessagePtr& held) {
  constexpr int patience = 6;  // releases before EC2 is asked: an owner answers sooner
  context_.log.debug("event.foreign", {{"instance", event.instance_id}, {"kind", name_of(event.kind)}});
  if (crew_.held.releases_of(held->message.id) < patience) {
    crew_.held.settle(held, MessageOutcome::foreign);
  } else {
    crew_.calls.spawn("intake.settle_foreign", settle_foreign(event, held));
  }
}

Task<void> Intake::settle_foreign(Event event, HeldMessagePtr held) {
  const bool gone = co_await crew_.lookup.gone(event.instance_id);
  if (gone) {
    context_.log.info(
        "event.past_its_life",
        {{"instance", event.instance_id}, {"message", held->message.id}, {"reason", "EC2 says it is gone"}});
  }
  crew_.held.settle(held, gone ? MessageOutcome::past_its_life : MessageOutcome::foreign);
}

}  // namespace ferryman::termination
