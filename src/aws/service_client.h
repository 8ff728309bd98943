// SPDX-License-Identifier: Apache-2.0
// ServiceClient: the one way a call to AWS goes. Builds the POST, waits for its turn (rates.h), signs each
// attempt anew, retries what may succeed later, and makes an Error of everything that is not a 2xx answer.
// One per service.
#pragma once

#include <optional>
#include <string>

#include "aws/credentials.h"
#include "aws/endpoint.h"
#include "aws/metrics.h"
#include "aws/rates.h"
#include "base/log.h"
#include "base/random.h"
#include "net/http_client.h"
#include "net/rate_limiter.h"
#include "net/retry.h"

namespace ferryman::aws {

/// What all service clients share. Everything must outlive them.
class CallContext {
 public:
  CallContext(net::HttpClient& http_in, Clock& clock_in, Random& random_in, Log log_in, Metrics& metrics_in)
      : http(http_in), clock(clock_in), random(random_in), log(std::move(log_in)), metrics(metrics_in) {}

  net::HttpClient& http;
  Clock& clock;
  Random& random;
  Log log;
  Metrics& metrics;
};

/// One call, safe to send twice.
class Call {
 public:
  Call() = default;

  std::string operation;  // "ReceiveMessage"
  std::string body;       // the JSON document, or the form without Action and Version
  Secret secret;          // in the body; AWS quotes what it refuses, so error texts are cleaned of it
  Lane lane = Lane::normal;
  bool retried = true;
  Duration extra_time{0};  // how long the service may take on purpose (a long poll)
  std::size_t max_answer_bytes = limits::answer_bytes;
};

class ServiceClient {
 public:
  /// Without credentials requests are not signed (STS's web identity call). `share`: of the rates, 0–1.
  ServiceClient(const CallContext& context, Endpoint endpoint, CredentialProvider* credentials,
                double share = default_share);

  /// The body of a 2xx answer. Errors: as error_of says; text "calling sqs ReceiveMessage: …", at most about
  /// 500 bytes, without secrets.
  Task<Result<std::string>> send(Call call, Deadline deadline);

  [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }
  [[nodiscard]] const CallContext& context() const { return context_; }
  /// The malformed answer of a call that was a success for HTTP: counted, logged, with the call's name.
  Error misread(const Call& call, const Error& error);

 private:
  struct Attempt;

  Task<Result<std::string>> attempt(const Call& call, Attempt& state, Deadline deadline);
  Task<Result<void>> authenticate(net::HttpRequest& request, Attempt& state, Deadline deadline);
  net::RateLimiter* limiter_for(Lane lane);  // null: not limited
  [[nodiscard]] net::HttpRequest request_for(const Call& call) const;
  bool second_chance(const Error& error, Attempt& state);
  void note(const Call& call, int status, const Error* error, SteadyTime started);
  static Error told(const Error& error, const Call& call, const Attempt& state);

  CallContext context_;
  Endpoint endpoint_;
  CredentialProvider* credentials_;
  std::optional<net::RateLimiter> normal_;
  std::optional<net::RateLimiter> urgent_;
  net::RetryBudget budget_;
  Duration skew_{0};  // AWS's clock minus ours, as far as a refused signature showed it
};

}  // namespace ferryman::aws
