// SPDX-License-Identifier: Apache-2.0
#include "net/proxy.h"

#include <gtest/gtest.h>

namespace ferryman::net {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

std::string proxy_for(const std::string& url, Variables variables) {
  return ProxySettings(Environment(std::move(variables))).proxy_for(*parse_url(url));
}

TEST(ProxySettings, EachSchemeHasItsVariableAndAllProxyTakesTheRest) {
  EXPECT_EQ(proxy_for("https://a/", {{"HTTPS_PROXY", "http://p:1"}}), "http://p:1");
  EXPECT_EQ(proxy_for("https://a/", {{"https_proxy", "http://small"}, {"HTTPS_PROXY", "http://big"}}),
            "http://small");
  EXPECT_EQ(proxy_for("http://a/", {{"http_proxy", "http://p:2"}}), "http://p:2");
  EXPECT_EQ(proxy_for("http://a/", {{"ALL_PROXY", "socks5://p:3"}}), "socks5://p:3");
  EXPECT_EQ(proxy_for("http://a/", {{"HTTPS_PROXY", "http://p:1"}}), "");
}

TEST(ProxySettings, HttpProxyInCapitalsIsIgnoredAsInCurl) {
  EXPECT_EQ(proxy_for("http://a/", {{"HTTP_PROXY", "http://p"}}), "");
}

std::string with_exceptions(const std::string& url, const std::string& exceptions) {
  return proxy_for(url, {{"HTTPS_PROXY", "p"}, {"NO_PROXY", exceptions}});
}

TEST(ProxySettings, NoProxyMatchesANameAndAllBelowIt) {
  for (const char* entry :
       {"example.com", ".example.com", "*.example.com", "x, Example.COM ,y", "a.example.com", "*"}) {
    EXPECT_EQ(with_exceptions("https://A.example.com/", entry), "") << entry;
  }
  for (const char* entry : {"ample.com", "b.example.com", "example.com.org", "com.", "", ","}) {
    EXPECT_EQ(with_exceptions("https://a.example.com/", entry), "p") << entry;
  }
}

TEST(ProxySettings, NoProxyMatchesAddressesAndNetworks) {
  EXPECT_EQ(with_exceptions("https://10.1.2.3/", "10.0.0.0/8"), "");
  EXPECT_EQ(with_exceptions("https://10.1.2.3/", "10.1.2.3"), "");
  EXPECT_EQ(with_exceptions("https://[fd00::7]/", "fd00::/16"), "");
  EXPECT_EQ(with_exceptions("https://[fd00::7]/", "[fd00::7]"), "");
  EXPECT_EQ(with_exceptions("https://11.1.2.3/", "10.0.0.0/8,fd00::/16,10.0.0.0/99"), "p");
  EXPECT_EQ(with_exceptions("https://10.1.2.3/", "2.3"), "p");
}

TEST(ProxySettings, LinkLocalServicesAreNeverBehindAProxy) {
  for (const char* host : {"169.254.169.254", "[fd00:ec2::254]", "169.254.170.2", "169.254.170.23"}) {
    EXPECT_EQ(proxy_for("http://" + std::string(host) + "/latest", {{"ALL_PROXY", "p"}}), "") << host;
  }
}

}  // namespace
}  // namespace ferryman::net
