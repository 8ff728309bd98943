// SPDX-License-Identifier: Apache-2.0
#include "termination/balancers/departures.h"

namespace ferryman::termination::balancers {

void Departures::run(const std::shared_ptr<Departure>& departure) {
  if (!std::exchange(departure->deregisters, true))
    loops_.spawn_loop("leaving a pool", [departure] { return departure->deregister_all(); });
  if (!std::exchange(departure->watches, true))
    loops_.spawn_loop("watching a pool", [departure] { return departure->watch_all(); });
}

void Departures::expect(const InstanceId& instance_id) {
  gate_.newest_coming = gate_.context.clock.now();
  gate_.coming[instance_id] = gate_.newest_coming;
}

void Departures::arrive(const InstanceId& instance_id) {
  if (gate_.coming.erase(instance_id) > 0) gate_.came.notify_all();
}

void Departures::leave(const Leaving& leaving, const std::vector<Registration>& registrations) {
  std::erase_if(pools_, [](const auto& entry) { return entry.second->idle(); });
  std::vector<std::shared_ptr<Departure>>& mine = by_instance_[leaving.instance_id];
  for (const Registration& one : registrations) {
    std::shared_ptr<Departure>& departure = pools_[one.pool];
    if (departure == nullptr) departure = std::make_shared<Departure>(gate_, one.pool);
    departure->add(leaving, one);
    if (std::find(mine.begin(), mine.end(), departure) == mine.end()) mine.push_back(departure);
    run(departure);
  }
  gate_.coming.erase(leaving.instance_id);
  gate_.came.notify_all();  // those that gather look again
}

void Departures::forget(const InstanceId& instance_id) {
  arrive(instance_id);
  const auto mine = by_instance_.find(instance_id);
  if (mine == by_instance_.end()) return;
  for (const auto& departure : mine->second) departure->forget(instance_id);
  by_instance_.erase(mine);
}

Task<void> Departures::wait_for_calls(InstanceId instance_id, Deadline deadline) {
  const auto takes_it_out = [&](const auto& entry) { return entry.second->takes_out(instance_id); };
  while (std::any_of(pools_.begin(), pools_.end(), takes_it_out) && !deadline.passed(gate_.context.clock))
    co_await gate_.changed.wait_until(deadline.at());
}

std::vector<std::pair<std::string, Target>> Departures::left_by_others(const InstanceId& instance_id) const {
  std::vector<std::pair<std::string, Target>> left;
  for (const auto& [pool, departure] : pools_) {
    for (Target& target : departure->left_by_others(instance_id))
      left.emplace_back(pool.id, std::move(target));
  }
  return left;
}

Progress Departures::progress(const InstanceId& instance_id) const {
  Progress progress;
  const auto mine = by_instance_.find(instance_id);
  if (mine == by_instance_.end()) return progress;
  for (const auto& departure : mine->second) departure->add_progress(instance_id, progress);
  return progress;
}

std::vector<std::string> Departures::held(const InstanceId& instance_id) const {
  std::vector<std::string> held;
  const auto mine = by_instance_.find(instance_id);
  if (mine == by_instance_.end()) return held;
  for (const auto& departure : mine->second) departure->add_held(instance_id, held);
  return held;
}

}  // namespace ferryman::termination::balancers
