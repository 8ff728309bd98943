// SPDX-License-Identifier: Apache-2.0
// Which AWS region we work in. There is no list of regions: a region that opens tomorrow works without a
// release.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/environment.h"
#include "base/result.h"

namespace ferryman::aws {

class Region {
 public:
  Region() = default;
  Region(std::string name_in, std::string source_in)
      : name(std::move(name_in)), source(std::move(source_in)) {}

  std::string name;    // "us-west-2"
  std::string source;  // where it was found: "--region", "AWS_REGION", "the queue URL", "the profile default"
};

/// Letters, digits and hyphens, as a region's name must be to stand in a host name.
bool is_region_name(std::string_view text);

/// Flag, then AWS_REGION, AWS_DEFAULT_REGION, the queue's URL, shared profile (its name may be empty: none
/// has a region). Before all of them a queue's ARN, which the flag may not contradict. `queue`: in any form.
/// Error: invalid, naming the places and the cure; not_found when it is none of these, and the instance
/// metadata may still tell it.
Result<Region> find_region(std::string_view flag, const Environment& environment, std::string_view queue,
                           const Region& profile = Region());

}  // namespace ferryman::aws
