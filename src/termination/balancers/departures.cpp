// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/departures.h"

namespace ferryman::termination::balancers {

Departure& Departures::departure_of(const Pool& pool) {
  std::shared_ptr<Departure>& departure = pools_[pool];
  if (departure == nullptr || departure->over()) {
    departure = std::make_shared<Departure>(context_, calls_, rights_, pool, changed_);
    loops_.spawn_loop("target group", [departure] { return departure->run(); });
  }
  return *departure;
}

void Departures::leave(const std::vector<Registration>& registrations) {
  for (const Registration& one : registrations) departure_of(one.pool).add(one.target, one.standing);
}

void Departures::forget(const InstanceId& instance_id) {
  for (auto& [pool, departure] : pools_) departure->forget(instance_id);
}

bool Departures::look_again(const InstanceId& instance_id) {
  bool any = false;
  for (auto& [pool, departure] : pools_) any = departure->look_again(instance_id) || any;
  return any;
}

Progress Departures::progress(const InstanceId& instance_id) const {
  Progress progress;
  for (const auto& [pool, departure] : pools_) departure->add_progress(instance_id, progress);
  return progress;
}

std::vector<std::string> Departures::held(const InstanceId& instance_id) const {
  std::vector<std::string> held;
  for (const auto& [pool, departure] : pools_) departure->add_held(instance_id, held);
  return held;
}

}  // namespace ferryman::termination::balancers
