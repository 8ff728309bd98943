// SPDX-License-Identifier: Apache-2.0
#include "net/request_parser.h"

#include <gtest/gtest.h>

namespace ferryman::net {
namespace {

using State = RequestParser::State;

/// Feeds one byte after the other, as a slow network would.
State feed_slowly(RequestParser& parser, std::string_view bytes, std::string& left) {
  State state = State::more;
  for (const char byte : bytes) {
    left += byte;
    if (state == State::more || state == State::continue_) state = parser.feed(left);
  }
  return state;
}

State feed_at_once(std::string bytes, int& status) {
  RequestParser parser{RequestLimits{}};
  const State state = parser.feed(bytes);
  status = parser.status();
  return state;
}

TEST(RequestParser, ReadsARequestHoweverItIsCut) {
  RequestParser parser{RequestLimits{}};
  std::string left;
  ASSERT_EQ(
      feed_slowly(parser, "POST /a?b=c HTTP/1.1\r\nHost: h:1\r\nX-A: 1\r\nContent-Length: 3\r\n\r\nabcGET",
                  left),
      State::done);
  EXPECT_EQ(left, "GET");
  const auto request = parser.take("https", "unused");
  ASSERT_TRUE(request);
  EXPECT_EQ(request->method, "POST");
  EXPECT_EQ(request->url, "https://h:1/a?b=c");
  EXPECT_EQ(request->headers.get("x-a"), "1");
  EXPECT_EQ(request->body, "abc");
  EXPECT_TRUE(parser.keep_alive());
}

TEST(RequestParser, ReadsAChunkedBody) {
  RequestParser parser{RequestLimits{}};
  std::string left;
  ASSERT_EQ(
      feed_slowly(
          parser,
          "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
          left),
      State::done);
  EXPECT_EQ(parser.take("http", "")->body, "abcde");
}

TEST(RequestParser, SaysWhenTheClientWaitsForContinue) {
  RequestParser parser{RequestLimits{}};
  std::string bytes = "PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n";
  EXPECT_EQ(parser.feed(bytes), State::continue_);
  bytes += "ok";
  EXPECT_EQ(parser.feed(bytes), State::done);
  EXPECT_EQ(parser.take("http", "")->body, "ok");
}

TEST(RequestParser, Http10NeedsNoHostAndClosesByDefault) {
  RequestParser parser{RequestLimits{}};
  std::string bytes = "OPTIONS * HTTP/1.0\r\n\r\n";
  ASSERT_EQ(parser.feed(bytes), State::done);
  EXPECT_EQ(parser.take("http", "127.0.0.1:80")->url, "http://127.0.0.1:80/");
  EXPECT_FALSE(parser.keep_alive());
}

TEST(RequestParser, AProxysTargetIsTakenAsItIs) {
  RequestParser parser{RequestLimits{}};
  std::string bytes = "GET http://other/x HTTP/1.1\r\nHost: other\r\n\r\n";
  ASSERT_EQ(parser.feed(bytes), State::done);
  EXPECT_EQ(parser.take("http", "")->url, "http://other/x");
}

TEST(RequestParser, RefusesWhatIsTooLargeOrNoRequest) {
  int status = 0;
  EXPECT_EQ(feed_at_once("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2097153\r\n\r\n", status),
            State::bad);
  EXPECT_EQ(status, 413);
  EXPECT_EQ(feed_at_once("GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(70'000, 'x'), status), State::bad);
  EXPECT_EQ(status, 431);
  for (const char* bytes :
       {"\x16\x03\x01\x02", "GET / HTTP/9.9\r\n\r\n", "GET /\r\n\r\n", "nonsense\r\n\r\n",
        "GET / HTTP/1.1\r\nHost h\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"}) {
    EXPECT_EQ(feed_at_once(bytes, status), State::bad) << bytes;
    EXPECT_EQ(status, 400) << bytes;
  }
}

TEST(RequestParser, ARequestThatMakesNoUrlIsInvalid) {
  for (const char* bytes : {"GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"}) {
    RequestParser parser{RequestLimits{}};
    std::string left = bytes;
    ASSERT_EQ(parser.feed(left), State::done);
    const auto request = parser.take("http", "");
    ASSERT_FALSE(request) << bytes;
    EXPECT_EQ(request.error().fault, Fault::invalid);
  }
}

}  // namespace
}  // namespace ferryman::net
