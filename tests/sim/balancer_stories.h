// SPDX-License-Identifier: Apache-2.0
// Stories about load balancers: narrowed by what AWS and Kubernetes say, addresses as targets, and targets
// that have to stay until others are healthy.
#pragma once

#include <memory>
#include <vector>

#include "sim/story.h"

namespace ferryman::sim {

std::vector<std::unique_ptr<Story>> balancer_stories();

}  // namespace ferryman::sim
