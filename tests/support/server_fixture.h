// SPDX-License-Identifier: Apache-2.0
// A handler that a test can order around, a server that carries it, and a client that calls it.
#pragma once

#include <functional>
#include <map>
#include <stdexcept>

#include "net/beast_server.h"
#include "net/certificate.h"
#include "net/curl_client.h"
#include "support/real_time.h"

namespace ferryman::net::test {

using ferryman::test::RealTime;

/// Pieces that a test pushes; the end when it says so.
class PushedStream final : public HttpStream {
 public:
  class Source {
   public:
    explicit Source(Clock& clock_in) : clock(clock_in), changed(clock_in) {}
    void push(std::string piece) {
      pushed += piece;
      changed.notify_all();
    }
    void end() {
      ended = true;
      changed.notify_all();
    }

    Clock& clock;
    Signal changed;
    std::string pushed;
    bool ended = false;
    bool broken = false;
    std::size_t taken = 0;  // by the server
  };

  explicit PushedStream(std::shared_ptr<Source> source) : source_(std::move(source)) {}

  Task<Result<std::string>> read(Deadline deadline) override {
    Source& from = *source_;
    while (from.taken == from.pushed.size() && !from.ended && !deadline.passed(from.clock)) {
      co_await from.changed.wait_until(deadline.at());
    }
    constexpr std::size_t most = std::size_t{32} << 10U;
    std::string piece = from.pushed.substr(from.taken, most);
    from.taken += piece.size();
    if (piece.empty() && !from.ended) co_return Error(Fault::deadline, "nothing yet");
    if (piece.empty() && from.broken) co_return Error(Fault::transport, "broken on order");
    co_return piece;
  }

 private:
  std::shared_ptr<Source> source_;
};

/// Answers by path: throws, waits an hour or 50 ms, gives what a test registered, else an echo of method, URL
/// and body.
class OrderedHandler final : public HttpHandler {
 public:
  explicit OrderedHandler(Clock& clock) : clock_(clock) {}

  Task<HttpReply> handle(HttpRequest request) override {
    requests.push_back(request);
    const std::string path = request.url.substr(request.url.find('/', request.url.find("//") + 2));
    if (path == "/throw") throw std::runtime_error("boom");
    if (path == "/slow") co_await clock_.sleep_for(std::chrono::hours{1});
    if (path == "/pause") co_await clock_.sleep_for(std::chrono::milliseconds{50});
    const auto found = replies.find(path);
    if (found != replies.end()) co_return found->second();
    HttpResponse echo(200, request.method + " " + request.url + " " + request.body);
    echo.headers.add("X-Echo", std::string(request.headers.get("X-Test")));
    co_return HttpReply(std::move(echo));
  }

  std::map<std::string, std::function<HttpReply()>> replies;
  std::vector<HttpRequest> requests;

 private:
  Clock& clock_;
};

class Fixture {
 public:
  explicit Fixture(ServerOptions options = ServerOptions()) : server(time.clock, time.log, handler, options) {
    auto started = server.start();
    if (!started) throw std::runtime_error(started.error().text);
    const std::string scheme = options.certificate_pem.empty() ? "http" : "https";
    base = scheme + "://" + options.address + ":" + std::to_string(*started);
  }
  ~Fixture() {
    client.reset();
    time.run(server.stop(time.in(std::chrono::seconds{0})));
  }
  Fixture(const Fixture&) = delete;
  Fixture& operator=(const Fixture&) = delete;

  void use_environment(std::map<std::string, std::string, std::less<>> variables) {
    client = std::make_unique<CurlClient>(time.clock, Environment(std::move(variables)));
  }
  Result<HttpResponse> send(HttpRequest request, Duration within = std::chrono::seconds{20}) {
    return time.run(client->send(std::move(request), time.in(within)));
  }
  Result<HttpResponse> get(const std::string& path) { return send(HttpRequest("GET", base + path)); }
  Result<OpenedStream> open(const std::string& path, Duration within = std::chrono::seconds{20}) {
    return time.run(client->open(HttpRequest("GET", base + path), time.in(within)));
  }

  RealTime time;
  OrderedHandler handler{time.clock};
  BeastServer server;
  std::unique_ptr<CurlClient> client = std::make_unique<CurlClient>(time.clock, Environment());
  std::string base;
};

}  // namespace ferryman::net::test
