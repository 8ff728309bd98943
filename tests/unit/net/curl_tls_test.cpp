// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/server_fixture.h"

namespace ferryman::net {
namespace {

using namespace std::chrono_literals;
using test::Fixture;

/// A server with a certificate for 127.0.0.1, and the profile that trusts it.
class TlsFixture {
 public:
  explicit TlsFixture(bool ask_for_client = false) : net(options(ask_for_client)) {
    profile->ca_pem = authority.pem();
  }

  HttpRequest request(const std::string& path) const {
    HttpRequest made("GET", net.base + path);
    made.profile = profile;
    return made;
  }

  CertificateAuthority authority =
      std::move(*CertificateAuthority::make("test authority", RealTime().clock.wall()));
  std::shared_ptr<ConnectionProfile> profile = std::make_shared<ConnectionProfile>();
  Fixture net;

 private:
  using RealTime = ferryman::test::RealTime;
  ServerOptions options(bool ask_for_client) const {
    const Certificate leaf = *authority.sign_server({"127.0.0.1", "localhost", "api.example"});
    ServerOptions made;
    made.certificate_pem = leaf.pem;
    made.key_pem = leaf.key_pem;
    if (ask_for_client) made.client_ca_pem = authority.pem();
    return made;
  }
};

TEST(CurlClientOverTls, TrustsTheAuthorityOfItsProfile) {
  TlsFixture tls;
  for (int i = 0; i < 3; ++i) {
    const auto answer = tls.net.send(tls.request("/"));
    ASSERT_TRUE(answer) << answer.error().text;
    EXPECT_EQ(answer->body, "GET " + tls.net.base + "/ ");
  }
  EXPECT_EQ(tls.net.server.connections_accepted(), 1U);
}

TEST(CurlClientOverTls, RefusesAnUnknownAuthorityAndTellsTheCure) {
  TlsFixture tls;
  const auto answer = tls.net.get("/");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().fault, Fault::transport);
  EXPECT_NE(answer.error().text.find("127.0.0.1"), std::string::npos);
  EXPECT_NE(answer.error().text.find("SSL_CERT_FILE"), std::string::npos);
  EXPECT_TRUE(tls.net.handler.requests.empty());
}

TEST(CurlClientOverTls, ProvesItselfWithAClientCertificate) {
  TlsFixture tls(true);
  EXPECT_FALSE(tls.net.send(tls.request("/")));
  const Certificate client = *tls.authority.sign_client("ferryman", "system:nodes");
  auto with_certificate = std::make_shared<ConnectionProfile>(*tls.profile);
  with_certificate->client_cert_pem = client.pem;
  with_certificate->client_key_pem = client.key_pem;
  HttpRequest request = tls.request("/");
  request.profile = with_certificate;
  const auto answer = tls.net.send(request);
  ASSERT_TRUE(answer) << answer.error().text;
  EXPECT_EQ(answer->status, 200);
}

TEST(CurlClientOverTls, ExpectsTheNameOfTheProfileAndKeepsTheHostHeader) {
  TlsFixture tls;
  tls.profile->server_name = "api.example";
  const auto answer = tls.net.send(tls.request("/x?y=1"));
  ASSERT_TRUE(answer) << answer.error().text;
  EXPECT_EQ(answer->body, "GET " + tls.net.base + "/x?y=1 ");
  auto other = std::make_shared<ConnectionProfile>(*tls.profile);
  other->server_name = "other.example";
  HttpRequest request = tls.request("/");
  request.profile = other;
  const auto refused = tls.net.send(request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().fault, Fault::transport);
}

/// A file in a directory of its own, gone with this object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "ferryman-net-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    std::ofstream(path()) << text;
  }
  ~TemporaryFile() { std::filesystem::remove_all(folder_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] std::string path() const { return folder_ / "file"; }

 private:
  std::filesystem::path folder_;
};

TEST(CurlClientOverTls, SslCertFileReplacesTheSystemsBundle) {
  TlsFixture tls;
  const TemporaryFile bundle(tls.authority.pem());
  tls.net.use_environment({{"SSL_CERT_FILE", bundle.path()}});
  const auto answer = tls.net.get("/");
  ASSERT_TRUE(answer) << answer.error().text;
  EXPECT_EQ(answer->status, 200);
}

TEST(CurlClientOverTls, AProfileTrustsItsOwnAuthoritiesAndNoOthers) {
  TlsFixture tls;
  const TemporaryFile bundle(tls.authority.pem());
  tls.net.use_environment({{"SSL_CERT_FILE", bundle.path()}});
  tls.profile->ca_pem = CertificateAuthority::make("another", tls.net.time.clock.wall())->pem();
  EXPECT_FALSE(tls.net.send(tls.request("/")));
  EXPECT_TRUE(tls.net.get("/"));
}

TEST(CurlClientOverTls, ABundleThatCannotBeReadIsNamed) {
  TlsFixture tls;
  tls.net.use_environment({{"SSL_CERT_FILE", "/nowhere/bundle.pem"}});
  const auto answer = tls.net.get("/");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().fault, Fault::transport);
  EXPECT_NE(answer.error().text.find("/nowhere/bundle.pem"), std::string::npos) << answer.error().text;
}

TEST(CurlClientOverTls, RequestsOfDifferentProfilesShareNoConnection) {
  TlsFixture tls(true);
  const auto with = [&](const std::string& user) {
    const Certificate client = *tls.authority.sign_client(user);
    auto profile = std::make_shared<ConnectionProfile>(*tls.profile);
    profile->client_cert_pem = client.pem;
    profile->client_key_pem = client.key_pem;
    HttpRequest request = tls.request("/");
    request.profile = profile;
    return request;
  };
  const HttpRequest first = with("one");
  ASSERT_TRUE(tls.net.send(first));
  ASSERT_TRUE(tls.net.send(with("two")));
  ASSERT_TRUE(tls.net.send(first));
  EXPECT_EQ(tls.net.client->connections_opened(), 2U);
}

TEST(CurlClientOverTls, AClientKeyThatIsNoneIsInvalid) {
  TlsFixture tls(true);
  auto broken = std::make_shared<ConnectionProfile>(*tls.profile);
  broken->client_cert_pem = tls.authority.sign_client("x")->pem;
  broken->client_key_pem = Secret("no key");
  HttpRequest request = tls.request("/");
  request.profile = broken;
  const auto answer = tls.net.send(request);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().fault, Fault::invalid);
  EXPECT_EQ(answer.error().text.find("no key"), std::string::npos);
}

TEST(CurlClientOverTls, StreamsAreVerifiedAndCarriedToo) {
  TlsFixture tls;
  EXPECT_FALSE(tls.net.open("/"));
  auto stream = tls.net.time.run(tls.net.client->open(tls.request("/"), tls.net.time.in(20s)));
  ASSERT_TRUE(stream) << stream.error().text;
  EXPECT_EQ(*tls.net.time.run(stream->body->read(tls.net.time.in(20s))), "GET " + tls.net.base + "/ ");
}

Task<void> call_and_open(Fixture& net, HttpRequest request, bool& over) {
  (void)co_await net.client->send(request, net.time.in(20s));
  const auto stream = co_await net.client->open(request, net.time.in(20s));
  if (stream && stream->body) (void)co_await stream->body->read(net.time.in(20s));
  over = true;
}

TEST(CurlClientOverTls, CallsCanBeCancelledAtAnyMoment) {
  TlsFixture tls;
  Fixture& net = tls.net;
  bool over = false;
  for (int turns = 0; !over; ++turns) {
    net.use_environment({});  // no pooled connection: each round starts with connect and handshake
    Scope scope(net.time.clock, net.time.log);
    scope.spawn("call", call_and_open(net, tls.request("/"), over));
    for (int i = 0; i < turns && !over; ++i) net.time.loop.run_one_for(1s);
    scope.cancel();
    ASSERT_TRUE(net.time.run_until([&] { return scope.size() == 0; })) << turns;
    ASSERT_TRUE(net.send(tls.request("/"))) << turns;
  }
}

TEST(CurlClientOverTls, HostsShareOneParsedBundle) {
  std::ifstream system_bundle("/etc/ssl/certs/ca-certificates.crt");
  if (!system_bundle) GTEST_SKIP() << "no system bundle";
  TlsFixture tls;
  std::stringstream text;
  text << system_bundle.rdbuf() << tls.authority.pem();
  const TemporaryFile bundle(text.str());
  tls.net.use_environment({{"SSL_CERT_FILE", bundle.path()}});
  ASSERT_TRUE(tls.net.get("/"));
  const std::string localhost = "https://localhost" + tls.net.base.substr(tls.net.base.rfind(':'));
  const std::size_t before = ::mallinfo2().uordblks;
  ASSERT_TRUE(tls.net.send(HttpRequest("GET", localhost + "/")));
  // Both ends of one more connection; parsing the bundle again takes ten times as much.
  EXPECT_LT(::mallinfo2().uordblks - before, 400'000U);
}

}  // namespace
}  // namespace ferryman::net
