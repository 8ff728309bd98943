// SPDX-License-Identifier: Apache-2.0
#include "aws/service_client.h"

#include <fmt/format.h>

#include "aws/error_reply.h"
#include "aws/http_date.h"
#include "aws/sigv4.h"

namespace ferryman::aws {

namespace {

constexpr std::size_t longest_text = 500;
// SigV4 allows five minutes of difference; a smaller one was not the reason of a refusal.
constexpr Duration skew_that_matters = std::chrono::minutes{4};

void replace_all(std::string& text, const std::string& what, std::string_view by) {
  if (what.empty()) return;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

constexpr std::string_view hidden = "***";

/// A blank as "+", as the SDKs write it: checkers of signatures have been seen that encode the form anew.
std::string as_form(std::string encoded) {
  replace_all(encoded, "%20", "+");
  return encoded;
}

}  // namespace

/// What one call remembers from attempt to attempt.
struct ServiceClient::Attempt {
  std::optional<Credentials> used;
  WallTime signed_at;
  std::optional<WallTime> answered_at;  // the Date header of the last answer
  bool renewed = false;
  bool clock_set = false;
};

ServiceClient::ServiceClient(const CallContext& context, Endpoint endpoint, CredentialProvider* credentials,
                             double share)
    : context_(context), endpoint_(std::move(endpoint)), credentials_(credentials) {
  const ServiceRates rates = rates_of(endpoint_.service);
  if (rates.normal)
    normal_.emplace(context_.clock, rates.normal->burst * share, rates.normal->per_second * share);
  if (rates.urgent)
    urgent_.emplace(context_.clock, rates.urgent->burst * share, rates.urgent->per_second * share);
}

net::RateLimiter* ServiceClient::limiter_for(Lane lane) {
  if (lane != Lane::normal && urgent_) return &*urgent_;
  return normal_ ? &*normal_ : nullptr;
}

Task<Result<std::string>> ServiceClient::send(Call call, Deadline deadline) {
  Attempt state;
  for (net::Retry retry(context_.clock, context_.random, budget_, back_off_policy(), deadline);;) {
    auto answer = co_await attempt(call, state, deadline);
    while (!answer && second_chance(answer.error(), state)) answer = co_await attempt(call, state, deadline);
    if (answer) {
      retry.success();
      co_return answer;
    }
    bool again = call.retried;
    if (again) again = co_await retry.again(answer.error());
    if (!again) {
      co_return told(answer.error(), call, state)
          .within(fmt::format("calling {} {}", facts_of(endpoint_.service).label, call.operation));
    }
    context_.metrics.services[endpoint_.service].retries.add();
  }
}

Task<Result<std::string>> ServiceClient::attempt(const Call& call, Attempt& state, Deadline deadline) {
  net::RateLimiter* const limiter = limiter_for(call.lane);
  if (limiter != nullptr) {
    auto turn = co_await limiter->take(deadline, static_cast<int>(call.lane));
    if (!turn) co_return std::move(turn).error();
  }
  net::HttpRequest request = request_for(call);
  auto authenticated = co_await authenticate(request, state, deadline);
  if (!authenticated) co_return std::move(authenticated).error();

  const SteadyTime started = context_.clock.now();
  context_.metrics.services[endpoint_.service].calls.add();
  const Deadline limit = deadline.at_most(context_.clock, limits::attempt + call.extra_time);
  auto answer = co_await context_.http.send(std::move(request), limit);
  if (!answer) {
    note(call, 0, &answer.error(), started);
    co_return std::move(answer).error();
  }
  state.answered_at = parse_http_date(answer->headers.get("Date"));
  if (answer->status >= 200 && answer->status < 300) {
    note(call, answer->status, nullptr, started);
    co_return std::move(answer->body);
  }
  const Error error = error_of(*answer);
  if (error.fault == Fault::throttled && limiter != nullptr) limiter->slow_down();
  note(call, answer->status, &error, started);
  co_return error;
}

net::HttpRequest ServiceClient::request_for(const Call& call) const {
  const ServiceFacts& facts = facts_of(endpoint_.service);
  net::HttpRequest request("POST", endpoint_.url);
  request.max_response_bytes = call.max_answer_bytes;
  request.headers.add("User-Agent", "ferryman/" FERRYMAN_VERSION);
  if (facts.version.empty()) {
    request.headers.add("Content-Type", "application/x-amz-json-1.0");
    request.headers.add("X-Amz-Target", "AmazonSQS." + call.operation);
    request.body = call.body;
  } else {
    request.headers.add("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
    request.body = fmt::format("Action={}&Version={}{}{}", call.operation, facts.version,
                               call.body.empty() ? "" : "&", as_form(call.body));
  }
  return request;
}

Task<Result<void>> ServiceClient::authenticate(net::HttpRequest& request, Attempt& state, Deadline deadline) {
  if (credentials_ == nullptr) co_return Result<void>();
  FERRYMAN_TRY(credentials, co_await credentials_->get(deadline));
  Signer signer;
  signer.access_key_id = credentials.access_key_id;
  signer.secret_access_key = credentials.secret_access_key;
  signer.session_token = credentials.session_token;
  signer.region = endpoint_.region;
  signer.service = std::string(facts_of(endpoint_.service).prefix);
  state.used = std::move(credentials);
  state.signed_at = context_.clock.wall() + skew_;
  co_return sign(request, signer, state.signed_at);
}

/// Two refusals can be mended on the spot, each once a call: expired credentials and a wrong clock.
bool ServiceClient::second_chance(const Error& error, Attempt& state) {
  if (error.fault != Fault::denied || !state.used) return false;
  if (is_expired_token(error.code) && !state.renewed) {
    state.renewed = true;
    credentials_->expired(*state.used);
    return true;
  }
  if (!may_be_clock_skew(error.code) || state.clock_set || !state.answered_at) return false;
  const Duration difference = *state.answered_at - state.signed_at;
  if (difference < skew_that_matters && difference > -skew_that_matters) return false;
  state.clock_set = true;
  skew_ = *state.answered_at - context_.clock.wall();
  context_.log.warn("aws.clock_skew", {{"service", facts_of(endpoint_.service).label}, {"seconds", skew_}});
  return true;
}

void ServiceClient::note(const Call& call, int status, const Error* error, SteadyTime started) {
  const Duration took = context_.clock.now() - started;
  ServiceMetrics& metrics = context_.metrics.services[endpoint_.service];
  metrics.seconds.observe(seconds(took));
  if (error != nullptr) metrics.errors[error->fault].add();
  context_.log.debug("aws.call", {{"service", facts_of(endpoint_.service).label},
                                  {"operation", call.operation},
                                  {"status", status},
                                  {"error", error == nullptr ? std::string() : error->code},
                                  {"seconds", took}});
}

Error ServiceClient::misread(const Call& call, const Error& error) {
  context_.metrics.services[endpoint_.service].errors[error.fault].add();
  return error.within(
      fmt::format("reading the answer of {} {}", facts_of(endpoint_.service).label, call.operation));
}

/// As people may see it: AWS quotes what it was sent, the session token included.
Error ServiceClient::told(const Error& error, const Call& call, const Attempt& state) {
  Error out = error;
  replace_all(out.text, call.secret.reveal(), hidden);
  if (state.used) {
    replace_all(out.text, state.used->secret_access_key.reveal(), hidden);
    replace_all(out.text, state.used->session_token.reveal(), hidden);
  }
  if (out.text.size() > longest_text) out.text = out.text.substr(0, longest_text) + "…";
  if (state.used && out.fault == Fault::denied)
    out.text += fmt::format(" (credentials: {})", state.used->source);
  return out;
}

}  // namespace ferryman::aws
