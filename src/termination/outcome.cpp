// SPDX-License-Identifier: Apache-2.0
#include "termination/outcome.h"

#include <array>

namespace ferryman::termination {

namespace {

struct Row {
  MessageOutcome outcome;
  std::string_view name;
  Disposal shared;
  Disposal exclusive;
};

constexpr std::array<Row, message_outcomes> rows = {{
    {MessageOutcome::claimed, "claimed", Disposal::remove, Disposal::remove},
    {MessageOutcome::handled, "handled", Disposal::remove, Disposal::remove},
    {MessageOutcome::repeated, "repeated", Disposal::remove, Disposal::remove},
    {MessageOutcome::ignored, "ignored", Disposal::remove, Disposal::remove},
    {MessageOutcome::foreign, "foreign", Disposal::release, Disposal::remove},
    {MessageOutcome::not_managed, "not-managed", Disposal::release, Disposal::remove},
    {MessageOutcome::undecided, "undecided", Disposal::release, Disposal::release},
    {MessageOutcome::not_for_us, "not-for-us", Disposal::release, Disposal::remove},
    {MessageOutcome::nobodys, "nobodys", Disposal::remove, Disposal::remove},
    {MessageOutcome::test, "test", Disposal::remove, Disposal::remove},
    {MessageOutcome::past_its_life, "past-its-life", Disposal::remove, Disposal::remove},
    {MessageOutcome::not_in_sync, "not-in-sync", Disposal::leave, Disposal::leave},
    {MessageOutcome::unparsable, "unparsable", Disposal::leave, Disposal::leave},
    {MessageOutcome::interrupted, "interrupted", Disposal::release, Disposal::release},
}};

constexpr std::array<std::string_view, termination_results> result_names = {
    "completed", "cut-short", "node-gone", "cancelled", "failed"};

}  // namespace

std::string_view name_of(MessageOutcome outcome) {
  return rows.at(static_cast<std::size_t>(outcome)).name;
}

Disposal disposal_of(MessageOutcome outcome, QueueMode mode) {
  const Row& row = rows.at(static_cast<std::size_t>(outcome));
  return mode == QueueMode::shared ? row.shared : row.exclusive;
}

std::string_view name_of(TerminationResult result) {
  return result_names.at(static_cast<std::size_t>(result));
}

}  // namespace ferryman::termination
