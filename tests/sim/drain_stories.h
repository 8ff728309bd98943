// SPDX-License-Identifier: Apache-2.0
// Stories for the sweep about pods that go in a way of their own, and about what is done with a node after
// its end.
#pragma once

#include <memory>
#include <vector>

#include "sim/story.h"

namespace ferryman::sim {

std::vector<std::unique_ptr<Story>> drain_stories();

}  // namespace ferryman::sim
