// SPDX-License-Identifier: Apache-2.0
#include "termination/local_services.h"

#include "base/turn.h"

namespace ferryman::termination {

bool LocalServices::is_due() const {
  return context_.clock.now() >= ask_again_;
}

Task<std::vector<LocalService>> LocalServices::get(Deadline deadline) {
  while (asking_ && !deadline.passed(context_.clock)) co_await answered_.wait_until(deadline.at());
  if (asking_ || !is_due()) co_return services_;
  const Turn turn(asking_, answered_);
  auto services = co_await cluster_.local_services(deadline);
  if (services) {
    constexpr Duration fresh_for = std::chrono::seconds{30};
    services_ = std::move(*services);
    ask_again_ = context_.clock.now() + fresh_for;
  } else {
    note(services.error());
  }
  co_return services_;
}

void LocalServices::note(const Error& error) {
  constexpr Duration soon = std::chrono::seconds{5};
  constexpr Duration seldom = std::chrono::minutes{10};
  ask_again_ = context_.clock.now() + (lacks_right(error) ? seldom : soon);
  context_.log.write(said_ ? Level::debug : Level::warn, "services.unknown",
                     {{"error", error},
                      {"effect",
                       "pods behind a Service with externalTrafficPolicy Local are not kept until load "
                       "balancers are quiet"},
                      {"cure", "allow list on services"}});
  said_ = true;
}

}  // namespace ferryman::termination
