// SPDX-License-Identifier: Apache-2.0
// What the parsers of messages about one instance share: an event with all that the envelope tells of it.
#pragma once

#include <string_view>

#include "termination/event.h"
#include "termination/parse/envelope.h"

namespace ferryman::termination::parse {

/// The instance is that of `detail.<field>`. Errors: invalid: no instance id there, or the envelope has no
/// time.
Result<Event> instance_event(const Envelope& envelope, EventKind kind, std::string_view field);

/// The event, or an error (invalid) when nothing would tell it from others: a second one would pass for a
/// repetition of the first.
Result<Event> if_told_apart(Event event);

/// A short text of a stranger's that is kept, such as "terminate".
std::string word_at(const json::value& detail, std::string_view field);

}  // namespace ferryman::termination::parse
