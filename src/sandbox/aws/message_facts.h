// SPDX-License-Identifier: Apache-2.0
// What a message's body is about, for the journal's fact message.sent. The sandbox's own reading: it shares
// none with the product.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/time.h"

namespace ferryman::sandbox {

/// "kind" (an event kind's name, such as "spot-interruption"; "nobodys" for what nobody acts on: a test, an
/// instance that runs, a copy, a plan that is closed), "instance" or, for several, "instances" (with commas),
/// "hook" and "token" of a lifecycle action, "ends_in" (seconds from the event to the end that it announces),
/// and "useful_for": the seconds from `now` on in which anybody can act on it. Empty when the body is nothing
/// that we know.
std::map<std::string, std::string> message_facts(std::string_view body, WallTime now);

}  // namespace ferryman::sandbox
