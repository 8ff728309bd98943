// SPDX-License-Identifier: Apache-2.0
#include "termination/queue_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ferryman::termination {

namespace {

constexpr int least_receives = 100;
constexpr Duration long_wait = std::chrono::hours{1};

QueueFlaw flaw(std::string attribute, std::string value, std::string why, std::string cure) {
  QueueFlaw found;
  found.attribute = std::move(attribute);
  found.value = std::move(value);
  found.why = std::move(why);
  found.cure = std::move(cure);
  return found;
}

/// The key that SQS has in each account, by its alias, whole or as the end of an ARN. Nobody can change its
/// policy, so services that send in their own name are shut out.
/// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-key-management.html
bool is_awss_own_key(const std::string& key) {
  return key.ends_with("alias/aws/sqs");
}

std::string_view cure_for(const Error& error) {
  const Fault fault = error.fault;
  if (fault == Fault::denied && error.code.find("Signature") != std::string::npos)
    return "correct the keys, or --region: the queue's own region signs";
  if (fault == Fault::denied)
    return "allow sqs:GetQueueAttributes; without it nobody sees what about the queue can lose messages";
  if (fault == Fault::invalid) return "none, if this is an emulator: what it lacks is not checked";
  if (fault == Fault::not_found) return "make the queue, or correct --queue-url; it is asked for again";
  return "none needed if it ends by itself; it is asked again";
}

std::string what_redrive_does(int most_receives) {
  return fmt::format(
      "each message that is given back to a shared queue counts as a receive, so after {} the redrive policy "
      "takes messages away that another cluster waits for",
      most_receives);
}

}  // namespace

QueueVerdict judge_queue(const QueueFacts& facts, const Policy& policy,
                         std::optional<Duration> longest_hook) {
  QueueVerdict verdict;
  if (facts.delay.count() > 0) {
    verdict.warnings.push_back(flaw("DelaySeconds", std::to_string(facts.delay.count()),
                                    "each event arrives that many seconds late; a spot instance has 120",
                                    "set DelaySeconds to 0"));
  }
  const Duration needed = std::max(policy.max_termination_time, longest_hook.value_or(Duration{0}));
  if (facts.retention < needed) {
    verdict.warnings.push_back(
        flaw("MessageRetentionPeriod", std::to_string(facts.retention.count()),
             "a message can vanish while its lifecycle hook still waits and nobody has taken it",
             fmt::format("set MessageRetentionPeriod to {:.0f} or more", std::ceil(seconds(needed)))));
  }
  if (is_awss_own_key(facts.kms_key)) {
    verdict.warnings.push_back(flaw("KmsMasterKeyId", facts.kms_key,
                                    "EventBridge cannot use this key, so its events never arrive",
                                    "set SqsManagedSseEnabled to true, or take a key of your own whose "
                                    "policy allows events.amazonaws.com "
                                    "kms:GenerateDataKey and kms:Decrypt"));
  }
  const bool shared = policy.queue_mode == QueueMode::shared;
  if (!shared || !facts.most_receives || *facts.most_receives >= least_receives) return verdict;
  const std::string cure = fmt::format(
      "set maxReceiveCount to {} or more, or take the redrive policy off the queue", least_receives);
  if (policy.allow_redrive) {
    verdict.warnings.push_back(flaw("RedrivePolicy", fmt::format("maxReceiveCount {}", *facts.most_receives),
                                    what_redrive_does(*facts.most_receives), cure));
  } else {
    verdict.refusal = fmt::format(
        "setting queue-url: the redrive policy of {} has maxReceiveCount {}, and {}; {}, or set "
        "--queue-mode=exclusive if nobody else reads it, or --allow-redrive to start all the same",
        facts.arn, *facts.most_receives, what_redrive_does(*facts.most_receives), cure);
  }
  return verdict;
}

Task<void> QueueCheck::run() {
  constexpr Duration look_again = std::chrono::minutes{1};
  for (int attempt = 1; !co_await ask(attempt); ++attempt)
    co_await context_.clock.sleep_for(patient_back_off(attempt, context_.random));
  while (!facts_.arn.empty()) {
    co_await context_.clock.sleep_for(look_again);
    warn(judge_queue(facts_, context_.policy, longest_hook_()));
  }
}

/// False: it may come right, so ask again. A queue that is made later, too.
Task<bool> QueueCheck::ask(int attempt) {
  const auto facts = co_await queue_.facts(context_.call_deadline());
  if (facts) {
    facts_ = *facts;
    context_.log.info("queue.checked", {{"queue", facts_.arn}, {"attempts", attempt}});
    const QueueVerdict verdict = judge_queue(facts_, context_.policy, longest_hook_());
    warn(verdict);
    refusal_ = verdict.refusal;
    if (account_.empty()) account_ = facts_.account;
  } else {
    complain(facts.error());
  }
  asked_ = true;
  changed_.notify_all();
  co_return facts || facts.error().fault == Fault::denied || facts.error().fault == Fault::invalid;
}

void QueueCheck::warn(const QueueVerdict& verdict) {
  for (const QueueFlaw& found : verdict.warnings) {
    if (!told_.insert(found.attribute).second) continue;
    context_.log.warn(
        "queue.unsuitable",
        {{"attribute", found.attribute}, {"value", found.value}, {"why", found.why}, {"cure", found.cure}});
  }
}

/// Once for each kind of trouble. That it is not reachable is told by the receives too.
void QueueCheck::complain(const Error& error) {
  if (complained_ == error.fault) return;
  complained_ = error.fault;
  context_.log.warn("queue.not_checked", {{"error", error}, {"cure", cure_for(error)}});
}

Task<void> QueueCheck::passed() {
  const Deadline deadline = context_.call_deadline();
  while (!asked_ && !deadline.passed(context_.clock)) co_await changed_.wait_until(deadline.at());
  while (refusal_) co_await context_.clock.sleep_for(long_wait);
}

Task<std::string> QueueCheck::refused() {
  while (!refusal_) co_await changed_.wait_until(context_.clock.now() + long_wait);
  co_return *refusal_;
}

}  // namespace ferryman::termination
