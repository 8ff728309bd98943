// SPDX-License-Identifier: Apache-2.0
#include "termination/parse/rebalance_recommendation.h"

#include "termination/parse/instance_event.h"

namespace ferryman::termination::parse {

Result<Reading> read_rebalance_recommendation(const Envelope& envelope) {
  auto read = instance_event(envelope, EventKind::rebalance_recommendation, "instance-id");
  if (!read) return std::move(read).error();
  auto event = if_told_apart(std::move(*read));
  if (!event) return std::move(event).error();
  return Reading({std::move(*event)});
}

}  // namespace ferryman::termination::parse
