// SPDX-License-Identifier: Apache-2.0
#include "net/curl_client.h"

#include <gtest/gtest.h>

#include "support/server_fixture.h"

namespace ferryman::net {
namespace {

using namespace std::chrono_literals;
using test::Fixture;
using test::PushedStream;

TEST(CurlClient, CarriesMethodUrlHeadersAndBody) {
  Fixture net;
  HttpRequest request("POST", net.base + "/a/../b?x=1&y=%2F");
  request.body = "hello";
  request.headers.add("X-Test", "there and back");
  const auto answer = net.send(request);
  ASSERT_TRUE(answer) << answer.error().text;
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, "POST " + net.base + "/a/../b?x=1&y=%2F hello");
  EXPECT_EQ(answer->headers.get("x-echo"), "there and back");
  EXPECT_FALSE(net.handler.requests.at(0).headers.has("Expect"));
  EXPECT_FALSE(net.handler.requests.at(0).headers.has("Content-Type"));
}

TEST(CurlClient, CallsOneAfterTheOtherShareAConnection) {
  Fixture net;
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(net.get("/"));
  EXPECT_EQ(net.server.connections_accepted(), 1U);
}

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
    const Certificate leaf = *authority.sign_server({"127.0.0.1", "api.example"});
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

}  // namespace
}  // namespace ferryman::net
