// SPDX-License-Identifier: Apache-2.0
#include "net/curl_client.h"

#include <gtest/gtest.h>

#include "support/server_fixture.h"

namespace ferryman::net {
namespace {

using namespace std::chrono_literals;
using test::Fixture;

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

Task<void> call(Fixture& net, HttpRequest request, std::size_t& good) {
  const auto answer = co_await net.client->send(std::move(request), net.time.in(20s));
  if (answer && answer->status == 200) ++good;
}

TEST(CurlClient, AHundredCallsRunSideBySide) {
  Fixture net;
  std::size_t good = 0;
  const SteadyTime before = net.time.clock.now();
  for (int i = 0; i < 100; ++i)
    net.time.scope.spawn("call", call(net, HttpRequest("GET", net.base + "/pause"), good));
  net.time.run_until([&] { return net.time.scope.size() == 0; });
  EXPECT_EQ(good, 100U);
  EXPECT_LT(net.time.clock.now() - before, 4s);  // one after the other they would take 5 s
}

TEST(CurlClient, HeadAndEmptyBodiesWork) {
  Fixture net;
  const auto head = net.send(HttpRequest("HEAD", net.base + "/"));
  ASSERT_TRUE(head) << head.error().text;
  EXPECT_EQ(head->body, "");
  EXPECT_NE(head->headers.get("Content-Length"), "0");
  for (const char* method : {"POST", "PUT", "PATCH", "DELETE"}) {
    const auto answer = net.send(HttpRequest(method, net.base + "/"));
    ASSERT_TRUE(answer) << answer.error().text;
    EXPECT_EQ(answer->body, std::string(method) + " " + net.base + "/ ");
  }
  EXPECT_EQ(net.server.connections_accepted(), 1U);
}

TEST(CurlClient, RedirectsAreAnswersNotOrders) {
  Fixture net;
  net.handler.replies["/old"] = [&] {
    HttpResponse moved(302, "");
    moved.headers.add("Location", net.base + "/new");
    return HttpReply(moved);
  };
  const auto answer = net.get("/old");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 302);
  EXPECT_EQ(net.handler.requests.size(), 1U);
}

TEST(CurlClient, WhatCannotBeSentIsInvalid) {
  Fixture net;
  HttpRequest smuggling("GET", net.base + "/");
  smuggling.headers.add("X-Test", "a\r\nHost: other");
  for (const HttpRequest& request :
       {smuggling, HttpRequest("GET", "ftp://host/"), HttpRequest("GET", "file:///etc"),
        HttpRequest("GET /x", net.base + "/"), HttpRequest("GET", "")}) {
    const auto answer = net.send(request);
    ASSERT_FALSE(answer) << request.url;
    EXPECT_EQ(answer.error().fault, Fault::invalid);
  }
  EXPECT_TRUE(net.handler.requests.empty());
}

TEST(CurlClient, HttpGoesThroughTheProxyButForExceptionsAndDirectProfiles) {
  Fixture proxy;
  const auto seen = [&](const HttpRequest& request) {
    const std::size_t before = proxy.handler.requests.size();
    (void)proxy.time.run(proxy.client->send(request, proxy.time.in(500ms)));
    return proxy.handler.requests.size() > before;
  };
  const HttpRequest plain("GET", "http://service.example/x");
  HttpRequest direct = plain;
  auto profile = std::make_shared<ConnectionProfile>();
  profile->direct = true;
  direct.profile = profile;
  proxy.use_environment({{"http_proxy", proxy.base}, {"NO_PROXY", "internal.example"}});
  EXPECT_TRUE(seen(plain));
  EXPECT_EQ(proxy.handler.requests.at(0).url, "http://service.example/x");
  EXPECT_FALSE(seen(direct));
  EXPECT_FALSE(seen(HttpRequest("GET", "http://a.internal.example/")));
  EXPECT_FALSE(seen(HttpRequest("GET", "http://169.254.169.254/latest")));
}

TEST(CurlClient, HttpsAsksTheProxyForATunnel) {
  Fixture proxy;
  proxy.use_environment({{"HTTPS_PROXY", proxy.base}});
  EXPECT_FALSE(proxy.send(HttpRequest("GET", "https://service.example/x")));
  ASSERT_FALSE(proxy.handler.requests.empty());
  EXPECT_EQ(proxy.handler.requests.at(0).method, "CONNECT");
  EXPECT_EQ(proxy.handler.requests.at(0).url, "http://service.example:443/");
}

TEST(CurlClient, TheProcessesOwnVariablesMeanNothing) {
  ::setenv("http_proxy", "http://127.0.0.1:1", 1);
  ::setenv("ALL_PROXY", "http://127.0.0.1:1", 1);
  Fixture net;
  const auto answer = net.get("/");
  ::unsetenv("http_proxy");
  ::unsetenv("ALL_PROXY");
  EXPECT_TRUE(answer) << answer.error().text;
}

}  // namespace
}  // namespace ferryman::net
