// SPDX-License-Identifier: Apache-2.0
// Stories about messages: one that is lost, one that does not parse, one that is nobody's.
#pragma once

#include <memory>
#include <vector>

#include "sim/story.h"

namespace ferryman::sim {

std::vector<std::unique_ptr<Story>> message_stories();

}  // namespace ferryman::sim
