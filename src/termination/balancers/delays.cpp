// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/delays.h"

namespace ferryman::termination::balancers {

std::optional<Duration> Delays::known(const Pool& pool) const {
  const auto row = rows_.find(pool);
  return row == rows_.end() ? std::nullopt : row->second.delay;
}

Task<void> Delays::learn(Pool pool) {
  constexpr Duration holds = std::chrono::minutes{10};
  constexpr Duration after_trouble = std::chrono::seconds{30};
  const auto row = rows_.find(pool);
  if (row != rows_.end() && context_.clock.now() < row->second.ask_again) co_return;
  if (!rights_.may(delay_action(pool))) co_return;
  const auto delay = co_await calls_.delay(pool, context_.call_deadline());
  Row& known = rows_[pool];
  known.ask_again = context_.clock.now() + (delay ? holds : after_trouble);
  if (delay) {
    rights_.has(delay_action(pool));
    known.delay = *delay;
  } else {
    (void)rights_.lacks(delay_action(pool), {}, delay.error());
    context_.log.debug("delay.unknown", {{"of", words_for(pool)}, {"error", delay.error()}});
  }
}

std::string delay_setting(const Pool& pool) {
  return pool.classic() ? "ConnectionDraining timeout" : "deregistration_delay.timeout_seconds";
}

}  // namespace ferryman::termination::balancers
