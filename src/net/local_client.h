// SPDX-License-Identifier: Apache-2.0
// LocalClient: an HttpClient that calls handlers in the same process. Latency, failures, hangs and the cut of
// one replica's transport come from a CallInterceptor. Each LocalClient is one replica's way to the world.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/scope.h"
#include "net/http_client.h"
#include "net/http_handler.h"

namespace ferryman::net {

/// What happens to one call.
class CallFate {
 public:
  enum class Kind : std::uint8_t {
    pass,
    fail_before,  // `error` or `answer`, and the handler never sees the request
    fail_after,   // the handler does its work, the client gets `error` or `answer`
    hang_before,  // no answer until the client's deadline; the handler never sees the request
    hang_after,   // the handler does its work, the client hears nothing
    cut_before,   // the replica's transport is cut for good, this call included
    cut_after,    // the same, but this call takes effect
  };

  CallFate() = default;
  explicit CallFate(Kind kind_in) : kind(kind_in) {}

  Kind kind = Kind::pass;
  Duration latency{0};
  Error error{Fault::transport, "connection reset"};
  int status = 0;  // not 0: answered with this status and body instead of `error`
  std::string body;
};

class CallInterceptor {
 public:
  virtual ~CallInterceptor() = default;
  virtual CallFate on_call(const HttpRequest& request) = 0;
};

class LocalClient final : public HttpClient {
 public:
  /// `servers` owns the handlers' coroutines: they run on when a client gives up, as a real service does.
  LocalClient(Clock& clock, Scope& servers) : clock_(clock), servers_(servers), cut_signal_(clock) {}

  /// Requests to this host (without port) go to the handler, which must outlive the client. "*" takes the
  /// rest.
  void route(std::string host, HttpHandler& handler) { routes_[std::move(host)] = &handler; }
  /// Null: every call passes.
  void intercept(CallInterceptor* interceptor) { interceptor_ = interceptor; }

  /// From now on nothing gets in or out: every call, running or new, hangs until its deadline.
  void cut();
  [[nodiscard]] bool is_cut() const { return cut_; }

  Task<Result<HttpResponse>> send(HttpRequest request, Deadline deadline) override;
  Task<Result<OpenedStream>> open(HttpRequest request, Deadline deadline) override;

 private:
  class Stream;
  struct Exchange;

  Task<Result<std::shared_ptr<Exchange>>> exchange(HttpRequest request, Deadline deadline);
  static Task<void> serve(HttpHandler& handler, HttpRequest request, std::shared_ptr<Exchange> exchange);
  Task<Error> hang(Deadline deadline);
  HttpHandler* handler_for(const std::string& url) const;

  Clock& clock_;
  Scope& servers_;
  Signal cut_signal_;
  std::map<std::string, HttpHandler*> routes_;
  CallInterceptor* interceptor_ = nullptr;
  bool cut_ = false;
};

}  // namespace ferryman::net
