// SPDX-License-Identifier: Apache-2.0
// TargetKey: what a load balancer sends to.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace ferryman::sandbox {

class TargetKey {
 public:
  friend auto operator<=>(const TargetKey&, const TargetKey&) = default;

  std::string id;  // an instance's, or an IP address
  std::uint16_t port = 0;
};

}  // namespace ferryman::sandbox
