// SPDX-License-Identifier: Apache-2.0
// FakeVolume: a volume that a pod's claim is bound to. It is detached `detaches` after the pod's end; empty:
// never.
#pragma once

#include <optional>
#include <string>

#include "base/time.h"

namespace ferryman::test {

class FakeVolume {
 public:
  FakeVolume() = default;
  FakeVolume(std::string claim_in, std::string volume_in, std::optional<Duration> detaches_in)
      : claim(std::move(claim_in)), volume(std::move(volume_in)), detaches(detaches_in) {}

  std::string claim;  // "namespace/name"
  std::string volume;
  std::optional<Duration> detaches;
};

}  // namespace ferryman::test
