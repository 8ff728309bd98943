// SPDX-License-Identifier: Apache-2.0
#include "net/url.h"

#include <gtest/gtest.h>

namespace ferryman::net {
namespace {

TEST(Url, ComesApartIntoItsParts) {
  const auto url = parse_url("https://sqs.us-west-2.amazonaws.com:8443/1234/queue%20a?Action=X&b=%2F");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->scheme, "https");
  EXPECT_EQ(url->host, "sqs.us-west-2.amazonaws.com");
  EXPECT_EQ(url->port, "8443");
  EXPECT_EQ(url->path, "/1234/queue%20a");
  EXPECT_EQ(url->query, "Action=X&b=%2F");
  EXPECT_EQ(url->authority(), "sqs.us-west-2.amazonaws.com:8443");
}

TEST(Url, TheSchemesOwnPortIsFilledInAndLeftOutOfTheAuthority) {
  const auto url = parse_url("http://localhost");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->port, "80");
  EXPECT_EQ(url->path, "/");
  EXPECT_EQ(url->authority(), "localhost");
  EXPECT_EQ(parse_url("https://localhost:443/")->authority(), "localhost");
  EXPECT_EQ(parse_url("http://localhost:443/")->authority(), "localhost:443");
}

TEST(Url, AnIpv6HostLosesItsBracketsAndGetsThemBackInTheAuthority) {
  const auto url = parse_url("http://[fd00:ec2::254]/latest");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->host, "fd00:ec2::254");
  EXPECT_EQ(url->authority(), "[fd00:ec2::254]");
}

TEST(Url, AHostCannotSmuggleOtherPartsInEscapes) {
  for (const char* text :
       {"http://a%0d%0aX-Evil:%201/", "http://a%20b/", "http://a%2fb/", "http://a%3a80/", "http://a=b/"}) {
    EXPECT_FALSE(parse_url(text)) << text;
  }
  EXPECT_EQ(parse_url("http://my_host-1.example/")->host, "my_host-1.example");
}

TEST(Url, WhatIsNoUrlForUsIsRefusedWithItsText) {
  for (const char* text : {"", "queue", "ftp://host/", "http://", "http:///path", "http://a b/",
                           "https://h:port/", "https://h:80x/", "http://h:99999/", "http://h:0/"}) {
    const auto url = parse_url(text);
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().fault, Fault::invalid);
    EXPECT_NE(url.error().text.find(text), std::string::npos);
  }
}

TEST(Query, PairsAreDecodedInTheirOrder) {
  const QueryParameters expected = {
      {"Action", "a b"}, {"Key", "1=2"}, {"Empty", ""}, {"Flag", ""}, {"Bad", "%zz%"}};
  EXPECT_EQ(parse_query("Action=a+b&Key=1%3D2&&Empty=&Flag&Bad=%zz%"), expected);
}

TEST(Query, WhatIsFormattedParsesBackToTheSame) {
  const QueryParameters pairs = {{"a b", "+&=%"}, {"ü", "~-._"}, {"", "x"}};
  EXPECT_EQ(parse_query(format_query(pairs)), pairs);
}

TEST(PercentEncoding, IsSigV4s) {
  EXPECT_EQ(percent_encode("a/b c~-._*\xc3\xbc"), "a%2Fb%20c~-._%2A%C3%BC");
  EXPECT_EQ(percent_decode("a%2Fb+c%c3%bc"), "a/b+c\xc3\xbc");
}

}  // namespace
}  // namespace ferryman::net
