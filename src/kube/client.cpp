// SPDX-License-Identifier: Apache-2.0
#include "kube/client.h"

#include "kube/status.h"

namespace ferryman::kube {

namespace {

// An answer waits for admission webhooks, which may take 10 s each.
constexpr Duration longest_attempt = std::chrono::seconds{10};
constexpr std::size_t longest_answer = std::size_t{8} << 20U;

bool is_success(int status) {
  return status >= 200 && status < 300;
}

}  // namespace

Client::Client(net::HttpClient& http, Clock& clock, Random& random, Access access, Metrics& metrics)
    : http_(http), clock_(clock), random_(random), access_(std::move(access)), metrics_(metrics) {}

net::Retry Client::retry(Deadline deadline) {
  return {clock_, random_, budget_, net::BackOff(), deadline};
}

Error Client::failed(Error error) {
  metrics_.failures[error.fault].add();
  return error;
}

Task<Result<net::HttpRequest>> Client::prepare(const Call& call, Deadline deadline) {
  net::HttpRequest request(call.method, access_.server + call.path);
  request.profile = access_.profile;
  request.max_response_bytes = longest_answer;
  request.headers.add("Accept", call.accept);
  request.headers.add("User-Agent", "ferryman/" FERRYMAN_VERSION);
  if (!call.body.empty()) {
    request.headers.add("Content-Type", call.content_type);
    request.body = call.body;
  }
  if (access_.token != nullptr) {
    FERRYMAN_TRY(token, co_await access_.token->get(deadline));
    request.headers.add("Authorization", "Bearer " + token.reveal());
  }
  metrics_.requests.add();
  co_return request;
}

Task<bool> Client::has_newer_token(const net::HttpRequest& refused, Deadline deadline) {
  if (access_.token == nullptr) co_return false;
  access_.token->refused();
  const auto token = co_await access_.token->get(deadline);
  co_return token && "Bearer " + token->reveal() != refused.headers.get("Authorization");
}

Task<Result<net::HttpResponse>> Client::exchange(Call call, Deadline deadline) {
  const Deadline end = attempt_deadline(deadline);
  for (bool first = true;; first = false) {
    FERRYMAN_TRY(request, co_await prepare(call, end));
    auto response = co_await http_.send(request, end);
    if (!response) {
      Error error = std::move(response).error();
      error.text += " at " + access_.server;
      co_return failed(std::move(error));
    }
    if (response->status != 401 || !first) co_return response;
    if (!co_await has_newer_token(request, end)) co_return response;
  }
}

Task<Result<json::value>> Client::attempt(const Call& call, Deadline deadline) {
  FERRYMAN_TRY(response, co_await exchange(call, deadline));
  if (!is_success(response.status)) co_return failed(to_error(read_status(response)));
  auto body = parse_json(response.body);
  if (!body)
    co_return failed(
        Error(Fault::unexpected, "the answer of " + access_.server + " is " + body.error().text));
  co_return body;
}

Task<Result<json::value>> Client::call(Call call, Deadline deadline) {
  for (net::Retry again = retry(deadline);;) {
    auto answer = co_await attempt(call, deadline);
    if (answer) {
      again.success();
      co_return answer;
    }
    if (!co_await again.again(answer.error())) co_return answer;
  }
}

Deadline Client::attempt_deadline(Deadline deadline) const {
  return deadline.at_most(clock_, longest_attempt);
}

Task<Result<std::unique_ptr<net::HttpStream>>> Client::open(Call call, Deadline deadline) {
  for (bool first = true;; first = false) {
    FERRYMAN_TRY(request, co_await prepare(call, deadline));
    auto opened = co_await http_.open(request, attempt_deadline(deadline));
    if (!opened) {
      Error error = std::move(opened).error();
      error.text += " at " + access_.server;
      co_return failed(std::move(error));
    }
    if (is_success(opened->head.status) && opened->body != nullptr) co_return std::move(opened->body);
    bool again = opened->head.status == 401 && first;
    if (again) again = co_await has_newer_token(request, deadline);
    if (!again) co_return failed(to_error(read_status(opened->head)));
  }
}

}  // namespace ferryman::kube
