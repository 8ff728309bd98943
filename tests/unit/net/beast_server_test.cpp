// SPDX-License-Identifier: Apache-2.0
#include "net/beast_server.h"

#include <gtest/gtest.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include "support/server_fixture.h"

namespace ferryman::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;
using test::Fixture;
using test::PushedStream;

/// A client that speaks bytes.
class RawClient {
 public:
  explicit RawClient(Fixture& net) : net_(net), socket_(net.time.clock.executor()) {
    socket_.connect(tcp::endpoint(asio::ip::make_address("127.0.0.1"), net.server.port()));
  }
  void write(const std::string& bytes) { asio::write(socket_, asio::buffer(bytes)); }

  /// Until `text` is there or the server closes.
  std::string read_until(const std::string& text) { return net_.time.run(read(text)); }
  std::string read_all() { return read_until("\x01no such text\x01"); }
  [[nodiscard]] bool was_reset() const { return last_ == asio::error::connection_reset; }

 private:
  Task<std::string> read(std::string text) {
    std::string received;
    char piece[4096];
    while (received.find(text) == std::string::npos) {
      const auto [error, size] =
          co_await socket_.async_read_some(asio::buffer(piece), asio::as_tuple(asio::use_awaitable));
      last_ = error;
      if (error) break;
      received.append(piece, size);
    }
    co_return received;
  }

  Fixture& net_;
  tcp::socket socket_;
  boost::system::error_code last_;
};

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(BeastServer, RequestsInOneGoAreAnsweredInOrder) {
  Fixture net;
  RawClient client(net);
  client.write("GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET /b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  const std::string answers = client.read_all();
  EXPECT_LT(answers.find("GET http://h/a"), answers.find("GET http://h/b"));
  EXPECT_TRUE(contains(answers, "GET http://h/b"));
  EXPECT_TRUE(contains(answers, "\r\nDate: "));
}

TEST(BeastServer, HeadHasTheLengthAndNoBody) {
  Fixture net;
  RawClient client(net);
  client.write("HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  const std::string answer = client.read_all();
  EXPECT_TRUE(contains(answer, "Content-Length: 15\r\n")) << answer;  // "HEAD http://h/ "
  EXPECT_TRUE(answer.ends_with("\r\n\r\n"));
}

TEST(BeastServer, TellsAWaitingClientToContinue) {
  Fixture net;
  RawClient client(net);
  client.write(
      "PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.write("ok");
  EXPECT_TRUE(client.read_all().ends_with("PUT http://h/ ok"));
}

TEST(BeastServer, ABadRequestIsAnsweredAndTheConnectionClosed) {
  Fixture net;
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"nonsense\r\n\r\n", "HTTP/1.1 400 "},
      {"GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 400 "},
      {"GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(70'000, 'x') + "\r\n\r\n", "HTTP/1.1 431 "},
      {"PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\n" + std::string(100'000, 'x'),
       "HTTP/1.1 413 "},
  };
  for (const auto& [bytes, status] : cases) {
    RawClient client(net);
    client.write(bytes);
    EXPECT_EQ(client.read_until("\r\n").substr(0, status.size()), status);
  }
  EXPECT_TRUE(net.handler.requests.empty());
}

TEST(BeastServer, AHandlerThatThrowsIs500AndALogLineWithoutTheQuery) {
  Fixture net;
  const auto answer = net.get("/throw");
  ASSERT_TRUE(answer) << answer.error().text;
  EXPECT_EQ(answer->status, 500);
  EXPECT_EQ(net.time.logs.with("server.handler_failed method=GET path=/throw error=boom").size(), 1U);
  EXPECT_EQ(net.get("/")->status, 200);
}

TEST(BeastServer, CutOffPromisesAllSendsHalfAndResets) {
  Fixture net;
  net.handler.replies["/cut"] = [] {
    HttpReply reply(HttpResponse(200, "0123456789"));
    reply.cut_off = true;
    return reply;
  };
  RawClient client(net);
  client.write("GET /cut HTTP/1.1\r\nHost: h\r\n\r\n");
  const std::string answer = client.read_all();
  EXPECT_TRUE(contains(answer, "Content-Length: 10\r\n")) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\n01234")) << answer;
  EXPECT_TRUE(client.was_reset());
}

TEST(BeastServer, StreamsAreChunkedAndForHttp10EndWithTheConnection) {
  Fixture net;
  net.handler.replies["/watch"] = [&net] {
    auto source = std::make_shared<PushedStream::Source>(net.time.clock);
    source->push("abc");
    source->end();
    return HttpReply(HttpResponse(200, ""), std::make_unique<PushedStream>(source));
  };
  RawClient modern(net);
  modern.write("GET /watch HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(modern.read_all().ends_with("\r\n\r\n3\r\nabc\r\n0\r\n\r\n"));
  RawClient old(net);
  old.write("GET /watch HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(old.read_all().ends_with("\r\n\r\nabc"));
}

TEST(BeastServer, IdleAndHalfOpenConnectionsAreClosed) {
  ServerOptions options;
  options.idle = 100ms;
  options.handshake = 100ms;
  Fixture net(options);
  RawClient silent(net);
  EXPECT_EQ(silent.read_all(), "");
  const CertificateAuthority authority = std::move(*CertificateAuthority::make("ca", net.time.clock.wall()));
  const Certificate leaf = *authority.sign_server({"127.0.0.1"});
  options.idle = 1h;
  options.certificate_pem = leaf.pem;
  options.key_pem = leaf.key_pem;
  Fixture tls(options);
  RawClient no_handshake(tls);
  EXPECT_EQ(no_handshake.read_all(), "");
}

TEST(BeastServer, AFullServerGivesUpTheOldestConnectionThatAsksNothing) {
  ServerOptions options;
  options.most_connections = 2;
  Fixture net(options);
  RawClient silent(net);
  silent.write("GET / HTT");
  RawClient idle(net);
  net.time.run_until([&] { return net.server.connections_open() == 2; });
  RawClient asking(net);
  asking.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(contains(asking.read_until("http://h/"), "200 OK"));
  EXPECT_EQ(silent.read_all(), "");
  EXPECT_EQ(net.server.connections_open(), 2U);
}

TEST(BeastServer, AFullServerLetsRunningExchangesEndFirst) {
  ServerOptions options;
  options.most_connections = 1;
  Fixture net(options);
  RawClient running(net);
  running.write("GET /pause HTTP/1.1\r\nHost: h\r\n\r\n");
  net.time.run_until([&] { return !net.handler.requests.empty(); });
  RawClient next(net);
  next.write("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(contains(running.read_until("http://h/pause"), "200 OK"));
  EXPECT_TRUE(contains(next.read_until("http://h/"), "200 OK"));
}

TEST(BeastServer, StopLetsRunningExchangesEnd) {
  Fixture net;
  RawClient running(net);
  RawClient idle(net);
  running.write("GET /pause HTTP/1.1\r\nHost: h\r\n\r\n");
  net.time.run_until([&] { return !net.handler.requests.empty(); });
  const SteadyTime before = net.time.clock.now();
  net.time.run(net.server.stop(net.time.in(10s)));
  EXPECT_LT(net.time.clock.now() - before, 5s);
  EXPECT_TRUE(contains(running.read_all(), "Connection: close\r\n"));
  EXPECT_EQ(idle.read_all(), "");
  EXPECT_EQ(net.server.connections_open(), 0U);
}

TEST(BeastServer, StopCancelsWhatRunsBeyondTheDeadline) {
  Fixture net;
  RawClient running(net);
  running.write("GET /slow HTTP/1.1\r\nHost: h\r\n\r\n");
  net.time.run_until([&] { return !net.handler.requests.empty(); });
  net.time.run(net.server.stop(net.time.in(50ms)));
  EXPECT_EQ(running.read_all(), "");
  EXPECT_TRUE(net.time.logs.with("handler_failed").empty());
}

TEST(BeastServer, WhatCannotWorkIsToldAtStart) {
  Fixture net;
  ServerOptions taken;
  taken.port = net.server.port();
  ServerOptions nonsense;
  nonsense.certificate_pem = "no certificate";
  ServerOptions elsewhere;
  elsewhere.address = "localhost";
  const std::vector<std::pair<ServerOptions, std::string>> cases = {
      {taken, std::to_string(taken.port)}, {nonsense, "certificate"}, {elsewhere, "\"localhost\""}};
  for (const auto& [options, named] : cases) {
    BeastServer server(net.time.clock, net.time.log, net.handler, options);
    const auto started = server.start();
    ASSERT_FALSE(started);
    EXPECT_TRUE(contains(started.error().text, named)) << started.error().text;
  }
}

}  // namespace
}  // namespace ferryman::net
