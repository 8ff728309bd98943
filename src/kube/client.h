// SPDX-License-Identifier: Apache-2.0
// Client: one API server. Adds token, trust and User-Agent, keeps a deadline per attempt, repeats what is
// safe to repeat, and turns Status objects into Errors. It knows no resource.
#pragma once

#include <memory>
#include <string>

#include "base/json.h"
#include "base/random.h"
#include "kube/metrics.h"
#include "kube/token.h"
#include "net/http_client.h"
#include "net/retry.h"

namespace ferryman::kube {

/// Where the API server is and how it knows us. Made by kube/config.
class Access {
 public:
  Access() = default;

  std::string server;  // "https://host:port", without a slash at the end
  std::shared_ptr<const net::ConnectionProfile> profile;
  std::shared_ptr<TokenSource> token;  // null: none is sent (client certificate)
};

class Call {
 public:
  Call() = default;
  Call(std::string method_in, std::string path_in) : method(std::move(method_in)), path(std::move(path_in)) {}

  std::string method = "GET";
  std::string path;  // with the query: "/api/v1/nodes?limit=500"
  std::string accept = "application/json";
  std::string content_type = "application/json";  // sent with a body only
  std::string body;
};

class Client {
 public:
  /// All must outlive the client.
  Client(net::HttpClient& http, Clock& clock, Random& random, Access access, Metrics& metrics);

  /// The JSON of a 2xx answer. Repeated after retryable faults: only for calls that are safe to repeat.
  Task<Result<json::value>> call(Call call, Deadline deadline);

  /// One attempt, any status is a value. After a 401 once more if there is a newer token (a 401 has no
  /// effect).
  Task<Result<net::HttpResponse>> exchange(Call call, Deadline deadline);

  /// One attempt at a body that comes in pieces; `deadline` is for the head. A status outside 200–299 is an
  /// Error.
  Task<Result<std::unique_ptr<net::HttpStream>>> open(Call call, Deadline deadline);

  /// For loops of the caller's own around `open` and `exchange`.
  [[nodiscard]] net::Retry retry(Deadline deadline);

  /// How long one answer, or one piece of a list, may keep silent: a hung server must not look busy for
  /// minutes.
  [[nodiscard]] Deadline attempt_deadline(Deadline deadline) const;

  [[nodiscard]] const std::string& server() const { return access_.server; }

 private:
  Task<Result<net::HttpRequest>> prepare(const Call& call, Deadline deadline);
  Task<Result<json::value>> attempt(const Call& call, Deadline deadline);
  Task<bool> has_newer_token(const net::HttpRequest& refused, Deadline deadline);
  Error failed(Error error);

  net::HttpClient& http_;
  Clock& clock_;
  Random& random_;
  Access access_;
  Metrics& metrics_;
  net::RetryBudget budget_;
};

}  // namespace ferryman::kube
