// SPDX-License-Identifier: Apache-2.0
// Preloaded into the daemon: looking up a name below slow.test takes 5 s. ec2.slow.test is then not found,
// every other one is loopback. Says on standard error what was asked.
#include <dlfcn.h>
#include <netdb.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string_view>
#include <thread>

extern "C" int getaddrinfo(const char* node, const char* service, const addrinfo* hints, addrinfo** result) {
  const std::string_view name = node == nullptr ? "" : node;
  if (name.ends_with(".slow.test")) {
    ::dprintf(STDERR_FILENO, "slow look-up of %s\n", node);
    std::this_thread::sleep_for(std::chrono::seconds{5});
    if (name == "ec2.slow.test") return EAI_AGAIN;
    node = "127.0.0.1";
  }
  using Function = int (*)(const char*, const char*, const addrinfo*, addrinfo**);
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "getaddrinfo"))(node, service, hints, result);
}
