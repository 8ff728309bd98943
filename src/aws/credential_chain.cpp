// SPDX-License-Identifier: Apache-2.0
#include "aws/credential_chain.h"

#include <fmt/format.h>

#include <algorithm>

#include "net/retry.h"

namespace ferryman::aws {

namespace {

constexpr Duration refresh_before = std::chrono::minutes{5};
constexpr double refresh_jitter = 0.2;
constexpr Duration refresh_limit = std::chrono::seconds{30};
// Fresh credentials that look older than this mean that our clock is wrong, not that they are.
constexpr Duration shortest_life = std::chrono::minutes{1};

net::BackOff refresh_back_off() {
  net::BackOff policy;
  policy.first = std::chrono::seconds{1};
  policy.longest = std::chrono::seconds{60};
  return policy;
}

}  // namespace

CredentialChain::CredentialChain(Clock& clock, Random& random, Log log, Scope& scope, Sources sources)
    : clock_(clock),
      random_(random),
      log_(std::move(log)),
      scope_(scope),
      sources_(std::move(sources)),
      refreshed_(clock) {}

const Credentials* CredentialChain::usable() const {
  return current_ && clock_.now() < valid_until_ ? &*current_ : nullptr;
}

void CredentialChain::refresh_if_due() {
  const bool due = usable() == nullptr || clock_.now() >= refresh_at_;
  // After a failure `refresh_at_` lies ahead: the sources are not asked by every caller in turn.
  if (!due || refreshing_ || (last_error_ && clock_.now() < refresh_at_)) return;
  refreshing_ = true;
  scope_.spawn("aws.credentials.refresh", refresh());
}

Task<Result<Credentials>> CredentialChain::get(Deadline deadline) {
  const Error late(Fault::deadline, "no AWS credentials in time");
  for (;;) {
    refresh_if_due();
    if (const Credentials* ready = usable()) co_return *ready;
    const bool waits_for_refresh = refreshing_;
    const std::uint64_t seen = refreshed_.version();
    const SteadyTime until = waits_for_refresh ? deadline.at() : std::min(deadline.at(), refresh_at_);
    while (refreshed_.version() == seen && clock_.now() < until) co_await refreshed_.wait_until(until);
    if (const Credentials* ready = usable()) co_return *ready;
    const bool round_failed = waits_for_refresh && refreshed_.version() != seen;
    if (round_failed || deadline.passed(clock_)) co_return last_error_.value_or(late);
  }
}

void CredentialChain::expired(const Credentials& used) {
  if (!current_ || current_->access_key_id != used.access_key_id ||
      current_->session_token != used.session_token) {
    return;  // somebody else said so already
  }
  valid_until_ = clock_.now();
  refresh_at_ = clock_.now();
}

Task<void> CredentialChain::refresh() {
  auto answer = co_await ask_sources(Deadline::after(clock_, refresh_limit));
  refreshing_ = false;
  if (answer) {
    keep(std::move(*answer));
  } else {
    failed(std::move(answer).error());
  }
  refreshed_.notify_all();
}

Task<Result<Credentials>> CredentialChain::ask_sources(Deadline deadline) {
  std::string tried;
  for (const auto& source : sources_) {
    auto answer = co_await source->fetch(deadline);
    if (answer) {
      answer->source = std::string(source->name());
      co_return answer;
    }
    if (answer.error().fault != Fault::not_found) {
      co_return answer.error().within(fmt::format("getting AWS credentials from {}", source->name()));
    }
    tried += fmt::format("{}{}: {}", tried.empty() ? "" : "; ", source->name(), answer.error().text);
  }
  co_return Error(Fault::denied, "NoCredentials",
                  fmt::format("no AWS credentials found ({}); give the pod a role (pod identity or web "
                              "identity), or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
                              tried));
}

void CredentialChain::keep(Credentials fresh) {
  const bool first = !current_ || current_->source != fresh.source;
  valid_until_ = SteadyTime::max();
  refresh_at_ = SteadyTime::max();
  std::string expiry = "never";
  if (fresh.expires) {
    const Duration life = std::max(*fresh.expires - clock_.wall(), shortest_life);
    const Duration margin = std::min(random_.jittered(refresh_before, refresh_jitter), life / 2);
    valid_until_ = clock_.now() + life;
    refresh_at_ = valid_until_ - margin;
    expiry = format_rfc3339(*fresh.expires);
  }
  if (first) {
    log_.info("aws.credentials", {{"source", fresh.source}, {"expires", expiry}});
  } else {
    log_.debug("aws.credentials.refreshed", {{"source", fresh.source}, {"expires", expiry}});
  }
  current_ = std::move(fresh);
  last_error_.reset();
  failures_ = 0;
}

void CredentialChain::failed(Error error) {
  ++failures_;
  refresh_at_ = clock_.now() + net::back_off(refresh_back_off(), failures_, error.retry_after, random_);
  if (usable() != nullptr) {
    log_.warn("aws.credentials.refresh_failed",
              {{"error", error}, {"valid_for", Duration(valid_until_ - clock_.now())}});
  }
  last_error_ = std::move(error);
}

}  // namespace ferryman::aws
