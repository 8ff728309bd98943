// SPDX-License-Identifier: Apache-2.0
// Streams, and everything that goes wrong between CurlClient and a server.
#include <gtest/gtest.h>

#include "support/server_fixture.h"

namespace ferryman::net {
namespace {

using namespace std::chrono_literals;
using test::Fixture;
using test::PushedStream;

std::shared_ptr<PushedStream::Source> serve_stream(Fixture& net, const std::string& path) {
  auto source = std::make_shared<PushedStream::Source>(net.time.clock);
  net.handler.replies[path] = [source] {
    return HttpReply(HttpResponse(200, ""), std::make_unique<PushedStream>(source));
  };
  return source;
}

Result<std::string> read(Fixture& net, OpenedStream& stream, Duration within = 20s) {
  return net.time.run(stream.body->read(net.time.in(within)));
}

TEST(CurlTrouble, ACallEndsAtItsDeadlineAndSaysWho) {
  Fixture net;
  const SteadyTime before = net.time.clock.now();
  const auto answer = net.send(HttpRequest("GET", net.base + "/slow"), 300ms);
  const Duration took = net.time.clock.now() - before;
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().fault, Fault::deadline);
  EXPECT_NE(answer.error().text.find("127.0.0.1"), std::string::npos);
  EXPECT_GE(took, 300ms);
  EXPECT_LT(took, 2s);
  EXPECT_EQ(net.client->connections_open(), 0U);
}

TEST(CurlTrouble, ACancelledCallIsGoneAtOnceWithItsConnection) {
  Fixture net;
  Scope scope(net.time.clock, net.time.log);
  scope.spawn("call", [](Fixture& fixture) -> Task<void> {
    (void)co_await fixture.client->send(HttpRequest("GET", fixture.base + "/slow"), fixture.time.in(1h));
  }(net));
  net.time.run_until([&] { return !net.handler.requests.empty(); });
  EXPECT_EQ(net.client->connections_open(), 1U);
  scope.cancel();
  net.time.run_until([&] { return scope.size() == 0; });
  EXPECT_EQ(net.client->connections_open(), 0U);
  EXPECT_TRUE(net.get("/"));
}

TEST(CurlTrouble, ARefusedConnectionNamesTheHost) {
  Fixture net;
  std::string closed;
  {
    Fixture gone;
    closed = gone.base;
  }
  const auto answer = net.send(HttpRequest("GET", closed + "/"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().fault, Fault::transport);
  EXPECT_NE(answer.error().text.find("could not connect to 127.0.0.1"), std::string::npos)
      << answer.error().text;
}

TEST(CurlTrouble, AnAnswerCutOffIsATransportErrorAndNoAnswer) {
  Fixture net;
  for (const std::string& body : {std::string(100'000, 'x'), std::string("xy"), std::string()}) {
    net.handler.replies["/cut"] = [body] {
      HttpReply reply(HttpResponse(200, body));
      reply.cut_off = true;
      return reply;
    };
    const auto answer = net.get("/cut");
    ASSERT_FALSE(answer) << body.size();
    EXPECT_EQ(answer.error().fault, Fault::transport) << answer.error().text;
  }
  EXPECT_TRUE(net.get("/"));
}

TEST(CurlTrouble, AnAnswerOverTheLimitIsTooLarge) {
  Fixture net;
  net.handler.replies["/large"] = [] { return HttpReply(HttpResponse(200, std::string(1'000'000, 'x'))); };
  HttpRequest request("GET", net.base + "/large");
  request.max_response_bytes = 999'999;
  const auto answer = net.send(request);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().fault, Fault::unexpected);
  EXPECT_EQ(answer.error().code, "TooLarge");
  request.max_response_bytes = 1'000'000;
  const auto fits = net.send(request);
  ASSERT_TRUE(fits);
  EXPECT_EQ(fits->body.size(), 1'000'000U);
}

TEST(CurlTrouble, ACallOnAConnectionThatTheServerClosedMeanwhileStillSucceeds) {
  ServerOptions options;
  options.idle = 50ms;
  Fixture net(options);
  ASSERT_TRUE(net.get("/"));
  net.time.run_until([&] { return net.server.connections_open() == 0; });
  EXPECT_TRUE(net.get("/"));
}

TEST(CurlStream, PiecesArriveAsTheyAreSent) {
  Fixture net;
  const auto source = serve_stream(net, "/watch");
  auto stream = net.open("/watch");
  ASSERT_TRUE(stream) << stream.error().text;
  EXPECT_EQ(stream->head.status, 200);
  const auto nothing = read(net, *stream, 50ms);
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().fault, Fault::deadline);
  source->push("one");
  EXPECT_EQ(*read(net, *stream), "one");
  source->push("two");
  EXPECT_EQ(*read(net, *stream), "two");
  source->end();
  EXPECT_EQ(*read(net, *stream), "");
  EXPECT_EQ(*read(net, *stream), "");
}

TEST(CurlStream, AStreamThatBreaksIsCutOffNotEnded) {
  Fixture net;
  const auto source = serve_stream(net, "/watch");
  source->push("half");
  auto stream = net.open("/watch");
  ASSERT_TRUE(stream) << stream.error().text;
  EXPECT_EQ(*read(net, *stream), "half");
  source->broken = true;
  source->end();
  const auto piece = read(net, *stream);
  ASSERT_FALSE(piece);
  EXPECT_EQ(piece.error().fault, Fault::transport);
}

TEST(CurlStream, AnErrorHasItsBodyAndNoStream) {
  Fixture net;
  net.handler.replies["/gone"] = [] { return HttpReply(HttpResponse(410, "too old")); };
  auto stream = net.open("/gone");
  ASSERT_TRUE(stream);
  EXPECT_EQ(stream->head.status, 410);
  EXPECT_EQ(stream->head.body, "too old");
  EXPECT_EQ(stream->body, nullptr);
}

TEST(CurlStream, AReaderThatFallsBehindStopsTheSenderAndLosesNothing) {
  Fixture net;
  const auto source = serve_stream(net, "/watch");
  std::string sent;
  constexpr std::size_t much = std::size_t{24} << 20U;  // more than the kernel's buffers take
  while (sent.size() < much) sent += std::to_string(sent.size()) + std::string(1000, ',');
  source->push(sent);
  source->end();
  auto stream = net.open("/watch");
  ASSERT_TRUE(stream) << stream.error().text;
  net.time.run(net.time.clock.sleep_for(300ms));
  EXPECT_LT(source->taken, much);
  std::string received;
  std::size_t largest = 0;
  for (auto piece = read(net, *stream); piece && !piece->empty(); piece = read(net, *stream)) {
    largest = std::max(largest, piece->size());
    received += *piece;
  }
  EXPECT_TRUE(received == sent);
  EXPECT_LE(largest, std::size_t{256} << 10U);
}

TEST(CurlStream, DestroyingItEndsTheRequest) {
  Fixture net;
  const auto source = serve_stream(net, "/watch");
  auto stream = net.open("/watch");
  ASSERT_TRUE(stream);
  EXPECT_EQ(net.server.connections_open(), 1U);
  stream->body.reset();
  EXPECT_EQ(net.client->connections_open(), 0U);
  EXPECT_TRUE(net.time.run_until([&] { return net.server.connections_open() == 0; }));
}

TEST(CurlStream, OpeningEndsAtItsDeadline) {
  Fixture net;
  const auto stream = net.open("/slow", 200ms);
  ASSERT_FALSE(stream);
  EXPECT_EQ(stream.error().fault, Fault::deadline);
}

}  // namespace
}  // namespace ferryman::net
