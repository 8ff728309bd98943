// SPDX-License-Identifier: Apache-2.0
// Builders of what the tests speak of: events, messages, nodes. Instance n has the id i-…n, its Node is
// "node-n".
#pragma once

#include <string>

#include "termination/event.h"
#include "termination/ports/cluster.h"

namespace ferryman::test {

inline constexpr auto group = "workers-a";
inline constexpr auto drain_hook = "drain-hook";

InstanceId instance(int n);
std::string node_name(int n);

/// Token "token-n-hook", event id "event-n-hook", at the simulation's start.
termination::Event terminate_event(int n, const std::string& hook = drain_hook);

/// The EventBridge body that carries the event.
std::string body_of(const termination::Event& event);

termination::Node node_of(int n);

/// The committed sample, as AWS documents it.
std::string sample(const std::string& name);

}  // namespace ferryman::test
