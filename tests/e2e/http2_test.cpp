// SPDX-License-Identifier: Apache-2.0
// CurlClient over HTTP/2, with haproxy as a peer that it does not share a line of code with.
#include <gtest/gtest.h>

#include "support/haproxy.h"
#include "support/server_fixture.h"

namespace ferryman::net {
namespace {

using namespace std::chrono_literals;
using ferryman::test::Haproxy;
using ferryman::test::ListeningSocket;
using test::Fixture;
using test::PushedStream;

class Http2 : public ::testing::Test {
 protected:
  void SetUp() override {
    ::fcntl(socket.descriptor(), F_SETFL, O_NONBLOCK);
    if (!Haproxy::installed()) GTEST_SKIP() << "haproxy is not installed";
    profile->ca_pem = authority.pem();
    front = start_front();
  }

  std::unique_ptr<Haproxy> start_front() {
    const std::string backend = net.base.substr(net.base.find("//") + 2);
    return std::make_unique<Haproxy>(socket, leaf.pem + leaf.key_pem.reveal(), backend);
  }
  HttpRequest request(const std::string& path) const {
    HttpRequest made("GET", "https://127.0.0.1:" + std::to_string(socket.port()) + path);
    made.profile = profile;
    return made;
  }
  Result<HttpResponse> get(const std::string& path, Duration within = 20s) {
    return net.send(request(path), within);
  }
  Result<OpenedStream> open(const std::string& path) {
    return net.time.run(net.client->open(request(path), net.time.in(20s)));
  }
  Result<std::string> read(OpenedStream& stream, Duration within = 20s) {
    return net.time.run(stream.body->read(net.time.in(within)));
  }
  std::shared_ptr<PushedStream::Source> serve_stream(const std::string& path) {
    auto source = std::make_shared<PushedStream::Source>(net.time.clock);
    net.handler.replies[path] = [source] {
      return HttpReply(HttpResponse(200, ""), std::make_unique<PushedStream>(source));
    };
    return source;
  }
  Task<void> call(std::string path, std::size_t& good) {
    const auto answer = co_await net.client->send(request(path), net.time.in(20s));
    if (answer && answer->status == 200) ++good;
    if (!answer) errors.push_back(answer.error());
  }
  Task<void> call_every(Duration pause, int calls, std::size_t& good) {
    for (int i = 0; i < calls; ++i) {
      co_await net.time.clock.sleep_for(pause);
      co_await call("/", good);
    }
  }
  std::size_t call_at_once(int calls) {
    std::size_t good = 0;
    for (int i = 0; i < calls; ++i) net.time.scope.spawn("call", call("/pause", good));
    net.time.run_until([&] { return net.time.scope.size() == 0; });
    return good;
  }

  std::vector<Error> errors;
  Fixture net;
  CertificateAuthority authority = std::move(*CertificateAuthority::make("test", net.time.clock.wall()));
  Certificate leaf = *authority.sign_server({"127.0.0.1"});
  std::shared_ptr<ConnectionProfile> profile = std::make_shared<ConnectionProfile>();
  ListeningSocket socket;
  std::unique_ptr<Haproxy> front;
};

TEST_F(Http2, ParallelCallsShareOneConnection) {
  EXPECT_EQ(call_at_once(50), 50U);
  EXPECT_EQ(net.client->connections_opened(), 1U);
}

TEST_F(Http2, AWatchGoesOnBesideCalls) {
  const auto source = serve_stream("/watch");
  source->push("first");
  auto stream = open("/watch");
  ASSERT_TRUE(stream) << stream.error().text;
  EXPECT_EQ(*read(*stream), "first");
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(get("/"));
    source->push("next");
    EXPECT_EQ(*read(*stream), "next");
  }
  source->end();
  EXPECT_EQ(*read(*stream), "");
}

TEST_F(Http2, AWatchThatNobodyReadsHoldsUpNoCall) {
  const auto source = serve_stream("/watch");
  constexpr std::size_t much = std::size_t{40} << 20U;  // more than all buffers on the way
  source->push(std::string(much, 'x'));
  auto stream = open("/watch");
  ASSERT_TRUE(stream) << stream.error().text;
  net.time.run(net.time.clock.sleep_for(300ms));
  const auto answer = get("/", 5s);
  EXPECT_TRUE(answer) << answer.error().text;
  EXPECT_LT(source->taken, much);
  source->end();
  std::size_t size = 0;
  for (auto piece = read(*stream); piece && !piece->empty(); piece = read(*stream)) size += piece->size();
  EXPECT_EQ(size, much);
}

TEST_F(Http2, AConnectionGoneSilentIsLeftWithinOneDeadline) {
  ASSERT_TRUE(get("/"));
  front->freeze();
  const SteadyTime before = net.time.clock.now();
  const auto silent = get("/", 1s);
  const Duration took = net.time.clock.now() - before;
  ASSERT_FALSE(silent);
  EXPECT_EQ(silent.error().fault, Fault::deadline);
  EXPECT_GE(took, 1s);
  EXPECT_LT(took, 2s);
  const auto next_front = start_front();  // on the same port, while the frozen one lives
  const auto answer = get("/", 5s);
  ASSERT_TRUE(answer) << answer.error().text;
  EXPECT_EQ(net.client->connections_opened(), 2U);
}

TEST_F(Http2, AfterASilenceTheNextCallTakesAFreshConnection) {
  ASSERT_TRUE(get("/"));
  front->freeze();
  ASSERT_FALSE(get("/", 500ms));
  front->thaw();
  const auto answer = get("/", 5s);
  ASSERT_TRUE(answer) << answer.error().text;
  EXPECT_EQ(net.client->connections_opened(), 2U);
}

TEST_F(Http2, OtherCallsOfASilentConnectionFailAtOnceInsteadOfWaiting) {
  ASSERT_TRUE(get("/"));
  front->freeze();
  std::size_t good = 0;
  net.time.scope.spawn("patient call", call("/", good));
  ASSERT_FALSE(get("/", 500ms));
  const SteadyTime before = net.time.clock.now();
  net.time.run_until([&] { return !errors.empty(); });
  EXPECT_LT(net.time.clock.now() - before, 2s);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].fault, Fault::transport);
}

TEST_F(Http2, OnePatientCallThatCannotConnectKeepsNobodyElseFromConnecting) {
  front.reset();
  std::size_t good = 0;
  net.time.scope.spawn("patient call", call("/", good));
  int taken = -1;  // accepted, and never answered
  net.time.run_until(
      [&] { return (taken = ::accept4(socket.descriptor(), nullptr, nullptr, SOCK_NONBLOCK)) >= 0; });
  ASSERT_FALSE(get("/", 300ms));
  front = start_front();
  const auto answer = get("/", 5s);
  EXPECT_TRUE(answer) << answer.error().text;
  EXPECT_EQ(good, 0U);
  ::close(taken);
}

TEST_F(Http2, ASlowCallEndsNoConnectionThatOthersHearFrom) {
  ASSERT_TRUE(get("/"));
  std::size_t good = 0;
  net.time.scope.spawn("others", call_every(100ms, 10, good));
  const auto slow = get("/slow", 700ms);
  ASSERT_FALSE(slow);
  EXPECT_EQ(slow.error().fault, Fault::deadline);
  net.time.run_until([&] { return net.time.scope.size() == 0; });
  EXPECT_EQ(good, 10U);
  EXPECT_EQ(net.client->connections_opened(), 1U);
}

}  // namespace
}  // namespace ferryman::net
