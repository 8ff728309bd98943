// SPDX-License-Identifier: Apache-2.0
// The programs of the experiment's data path:
//   experiment_traffic forward FROM TO                 a node; both are lists of addresses
//   experiment_traffic serve FROM WORK_MS              an application process
//   experiment_traffic load TO RATE REQUESTS FRESH OLDEST_MS
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "experiment/traffic.h"

namespace {

using namespace ferryman::experiment;

int usage() {
  std::fputs(
      "experiment_traffic forward FROM TO | serve FROM WORK_MS | load TO RATE REQUESTS FRESH OLDEST_MS\n",
      stderr);
  return 2;
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 3) return usage();
  const auto addresses = read_addresses(words[1]);
  if (addresses.empty()) return usage();
  if (words[0] == "forward") {
    const auto to = read_addresses(words[2]);
    return to.empty() ? usage() : forward(addresses, to);
  }
  if (words[0] == "serve") return serve(addresses, std::atoi(words[2].c_str()));
  if (words[0] != "load" || words.size() != 6) return usage();
  LoadOrder order;
  order.to = addresses;
  order.per_second = std::atof(words[2].c_str());
  order.requests = std::strtoull(words[3].c_str(), nullptr, 10);
  order.fresh = std::atof(words[4].c_str());
  order.oldest_ms = std::atoi(words[5].c_str());
  return order.per_second > 0 && order.requests > 0 ? load(order) : usage();
}

}  // namespace

int main(int count, char** words) {
  try {
    return run({words + 1, words + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "experiment_traffic: %s\n", error.what());
    return 1;
  }
}
