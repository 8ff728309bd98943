// SPDX-License-Identifier: Apache-2.0
// Interceptors that spoil the calls of one replica, and the names by which a failing run is told.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "net/local_client.h"

namespace ferryman::sim {

/// "POST AmazonSQS.ReceiveMessage", "POST CompleteLifecycleAction", "PATCH /api/v1/nodes/a".
std::string name_of_call(const net::HttpRequest& request);

/// What can happen to a call, by name, so that a failing run says which.
class NamedFate {
 public:
  NamedFate(std::string name_in, net::CallFate fate_in)
      : name(std::move(name_in)), fate(std::move(fate_in)) {}

  std::string name;
  net::CallFate fate;
};

/// Failed, hung, answered with rubbish, throttled: before and after the call took effect.
std::vector<NamedFate> failures_and_hangs();
/// The replica's transport cut for good, before and after.
std::vector<NamedFate> crashes();

/// Spoils the call with this number (from 0); all others pass. Remembers every call's name.
class NthCall final : public net::CallInterceptor {
 public:
  NthCall(std::size_t n, net::CallFate fate) : n_(n), fate_(std::move(fate)) {}

  net::CallFate on_call(const net::HttpRequest& request) override;
  [[nodiscard]] const std::vector<std::string>& calls() const { return calls_; }

 private:
  std::size_t n_;
  net::CallFate fate_;
  std::vector<std::string> calls_;
};

/// Spoils calls by chance: each with `share`, in a fate drawn from all; latency on every call.
class RandomCalls final : public net::CallInterceptor {
 public:
  RandomCalls(std::uint64_t seed, double share, bool may_crash);

  net::CallFate on_call(const net::HttpRequest& request) override;
  /// From now on every call passes: the world is well again.
  void heal() { healed_ = true; }

 private:
  Random random_;
  double share_;
  std::vector<NamedFate> fates_;
  bool healed_ = false;
};

}  // namespace ferryman::sim
