// SPDX-License-Identifier: Apache-2.0
// A name look-up that hangs. This program brings its own getaddrinfo, which libcurl's look-up thread then
// calls.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <netdb.h>

#include <atomic>
#include <string_view>
#include <thread>

#include "support/server_fixture.h"

namespace {
std::atomic<int> slow_lookups = 0;
}

extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints, addrinfo** result) {
  if (node != nullptr && std::string_view(node) == "slow.example") {
    ++slow_lookups;
    std::this_thread::sleep_for(std::chrono::seconds{5});
    return EAI_NONAME;
  }
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getaddrinfo"))(node, service, hints, result);
}

namespace ferryman::net {
namespace {

using namespace std::chrono_literals;
using test::Fixture;

Task<void> call_slow(Fixture& net) {
  (void)co_await net.client->send(HttpRequest("GET", "http://slow.example/"), net.time.in(1h));
}

TEST(SlowLookup, DelaysNoOtherCall) {
  Fixture net;
  Scope scope(net.time.clock, net.time.log);
  scope.spawn("slow", call_slow(net));
  net.time.run_until([] { return slow_lookups > 0; });
  const SteadyTime before = net.time.clock.now();
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(net.get("/"));
  EXPECT_LT(net.time.clock.now() - before, 2s);
  EXPECT_EQ(scope.size(), 1U);
  scope.cancel();
  net.time.run_until([&] { return scope.size() == 0; });
  EXPECT_LT(net.time.clock.now() - before, 3s);
}

TEST(SlowLookup, ACallEndsAtItsDeadlineWhileItLasts) {
  Fixture net;
  const SteadyTime before = net.time.clock.now();
  const auto answer = net.send(HttpRequest("GET", "http://slow.example/"), 200ms);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().fault, Fault::deadline);
  EXPECT_NE(answer.error().text.find("no connection to slow.example"), std::string::npos)
      << answer.error().text;
  net.client.reset();
  EXPECT_LT(net.time.clock.now() - before, 2s);
}

TEST(SlowLookup, AnUnknownNameIsATransportErrorThatNamesIt) {
  Fixture net;
  const auto answer = net.send(HttpRequest("GET", "http://no-such-host.invalid/"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().fault, Fault::transport);
  EXPECT_NE(answer.error().text.find("no-such-host.invalid"), std::string::npos);
}

}  // namespace
}  // namespace ferryman::net
