// SPDX-License-Identifier: Apache-2.0
#include "termination/poison.h"

#include <algorithm>
#include <string_view>

namespace ferryman::termination {

namespace {

using std::chrono::seconds;

constexpr std::size_t most_remembered = 10'000;

/// In a shared queue each giving back counts as a receive, so a redrive policy would take messages that
/// another cluster waits for.
std::string_view cure(const Policy& policy) {
  if (policy.unparsable == Unparsable::remove)
    return "send only events of EventBridge, Auto Scaling or SNS to this queue; this message is deleted";
  return policy.queue_mode == QueueMode::shared
             ? "send only events of EventBridge, Auto Scaling or SNS to this queue, and delete this message "
               "by hand or let its retention end; no redrive policy on a shared queue"
             : "send only events of EventBridge, Auto Scaling or SNS to this queue; a redrive policy takes "
               "the message out of it";
}

/// 30 s, a minute, two …: it must not eat receives that others need. `n`: from 1.
seconds hidden_for(int n) {
  constexpr seconds first{30};
  constexpr seconds longest{900};
  return std::min(first * (1 << std::clamp(n - 1, 0, 10)), longest);
}

}  // namespace

void Poison::take(const Message& message, const Error& error) {
  Seen& seen = remember(message);
  const int forgiven = context_.policy.unparsable_after - 1;
  if (seen.receives <= forgiven) {
    held_.dispose(message, MessageOutcome::unparsable, Disposal::leave, seconds{0});
    return;
  }
  if (!seen.named) name(message, seen.receives, error);
  seen.named = true;
  const bool remove = context_.policy.unparsable == Unparsable::remove;
  held_.dispose(message, MessageOutcome::unparsable, remove ? Disposal::remove : Disposal::release,
                hidden_for(seen.receives - forgiven));
}

/// The queue counts the others' receives too, and those before our start.
Poison::Seen& Poison::remember(const Message& message) {
  const auto found = known_.find(message.id);
  if (found != known_.end()) {
    by_age_.splice(by_age_.end(), by_age_, found->second);
  } else {
    if (known_.size() == most_remembered) {
      known_.erase(by_age_.front().message_id);
      by_age_.pop_front();
    }
    by_age_.emplace_back().message_id = message.id;
    known_.emplace(message.id, std::prev(by_age_.end()));
  }
  Seen& seen = by_age_.back();
  seen.receives = std::max(seen.receives + 1, message.receive_count);
  return seen;
}

void Poison::name(const Message& message, int receives, const Error& error) {
  context_.metrics.messages_quarantined.add();
  context_.log.warn("message.unparsable", {{"message", message.id},
                                           {"bytes", message.body.size()},
                                           {"receives", receives},
                                           {"error", error},
                                           {"cure", cure(context_.policy)}});
}

}  // namespace ferryman::termination
