// SPDX-License-Identifier: Apache-2.0
#include "net/local_client.h"

#include <utility>

#include "net/url.h"

namespace ferryman::net {

/// Shared between the client's wait and the handler's coroutine: either may end first.
struct LocalClient::Exchange {
  explicit Exchange(Clock& clock) : answered(clock) {}

  HttpReply reply;
  bool done = false;
  Signal answered;
};

/// The handler's stream, silenced when the transport is cut.
class LocalClient::Stream final : public HttpStream {
 public:
  Stream(LocalClient& client, std::unique_ptr<HttpStream> inner)
      : client_(client), inner_(std::move(inner)) {}

  Task<Result<std::string>> read(Deadline deadline) override {
    if (client_.cut_) co_return co_await client_.hang(deadline);
    auto piece = co_await inner_->read(deadline);
    if (client_.cut_) co_return co_await client_.hang(deadline);
    co_return piece;
  }

 private:
  LocalClient& client_;
  std::unique_ptr<HttpStream> inner_;
};

namespace {

/// A whole body read as a stream of one piece.
class WholeBody final : public HttpStream {
 public:
  explicit WholeBody(std::string body) : body_(std::move(body)) {}

  Task<Result<std::string>> read(Deadline /*deadline*/) override { co_return std::exchange(body_, {}); }

 private:
  std::string body_;
};

}  // namespace

void LocalClient::cut() {
  cut_ = true;
  cut_signal_.notify_all();
}

HttpHandler* LocalClient::handler_for(const std::string& url) const {
  const auto parsed = parse_url(url);
  if (!parsed) return nullptr;
  const auto exact = routes_.find(parsed->host);
  if (exact != routes_.end()) return exact->second;
  const auto rest = routes_.find("*");
  return rest == routes_.end() ? nullptr : rest->second;
}

Task<Error> LocalClient::hang(Deadline deadline) {
  co_await clock_.sleep_until(deadline.at());
  co_return Error(Fault::deadline, "no answer in time");
}

Task<void> LocalClient::serve(HttpHandler& handler, HttpRequest request, std::shared_ptr<Exchange> exchange) {
  exchange->reply = co_await handler.handle(std::move(request));
  exchange->done = true;
  exchange->answered.notify_all();
}

Task<Result<std::shared_ptr<LocalClient::Exchange>>> LocalClient::exchange(HttpRequest request,
                                                                           Deadline deadline) {
  using Kind = CallFate::Kind;
  if (cut_) co_return co_await hang(deadline);
  const CallFate fate = interceptor_ == nullptr ? CallFate() : interceptor_->on_call(request);
  if (fate.kind == Kind::cut_before || fate.kind == Kind::cut_after) cut();
  if (fate.kind == Kind::hang_before || fate.kind == Kind::cut_before) co_return co_await hang(deadline);

  auto exchange = std::make_shared<Exchange>(clock_);
  if (fate.kind != Kind::fail_before) {
    HttpHandler* handler = handler_for(request.url);
    if (handler == nullptr) co_return Error(Fault::transport, "could not resolve the host of " + request.url);
    servers_.spawn("local_client.serve", serve(*handler, std::move(request), exchange));
    while (!exchange->done && !deadline.passed(clock_)) co_await exchange->answered.wait_until(deadline.at());
    if (!exchange->done) co_return Error(Fault::deadline, "no answer in time");
  }
  if (fate.latency.count() > 0) co_await clock_.sleep_until(deadline.at_most(clock_, fate.latency).at());
  if (fate.kind == Kind::hang_after || cut_) co_return co_await hang(deadline);
  if (fate.kind == Kind::fail_before || fate.kind == Kind::fail_after) {
    if (fate.status == 0) co_return fate.error;
    exchange->reply = HttpReply(HttpResponse(fate.status, fate.body));
  }
  if (exchange->reply.cut_off) co_return Error(Fault::transport, "the answer was cut off");
  co_return exchange;
}

Task<Result<HttpResponse>> LocalClient::send(HttpRequest request, Deadline deadline) {
  const std::size_t most = request.max_response_bytes;
  FERRYMAN_TRY(done, co_await exchange(std::move(request), deadline));
  HttpReply& reply = done->reply;
  while (reply.stream != nullptr && reply.response.body.size() <= most) {
    FERRYMAN_TRY(piece, co_await reply.stream->read(deadline));
    if (piece.empty()) break;
    reply.response.body += piece;
  }
  if (reply.response.body.size() > most) {
    co_return Error(Fault::unexpected, "TooLarge",
                    "the answer is larger than " + std::to_string(most) + " bytes");
  }
  co_return std::move(reply.response);
}

Task<Result<OpenedStream>> LocalClient::open(HttpRequest request, Deadline deadline) {
  FERRYMAN_TRY(done, co_await exchange(std::move(request), deadline));
  HttpReply& reply = done->reply;
  const bool success = reply.response.status >= 200 && reply.response.status < 300;
  if (!success) co_return OpenedStream(std::move(reply.response), nullptr);
  if (reply.stream == nullptr) {
    reply.stream = std::make_unique<WholeBody>(std::exchange(reply.response.body, {}));
  }
  auto stream = std::make_unique<Stream>(*this, std::move(reply.stream));
  co_return OpenedStream(std::move(reply.response), std::move(stream));
}

}  // namespace ferryman::net
