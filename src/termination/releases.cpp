// SPDX-License-Identifier: Apache-2.0
#include "termination/releases.h"

#include <algorithm>
#include <cmath>

namespace ferryman::termination {

std::chrono::seconds pause_of_release(int n, Random& random) {
  constexpr int quick_releases = 6;
  constexpr double longest = 60;
  constexpr double spread = 0.3;
  if (n <= quick_releases) return std::chrono::seconds{random.below(2)};
  const double middle = std::min(std::pow(2.0, n - quick_releases), longest);
  const double jittered = middle * (1 - spread + 2 * spread * random.unit());
  return std::chrono::seconds{std::max(1L, std::lround(jittered))};
}

int Releases::count(const Message& message, const std::vector<InstanceId>& instances) {
  const Place place = place_for(message.id);
  if (place->count == 0) {
    place->count = guess(message);
    place->instances = instances;
    for (const InstanceId& instance : instances) messages_of_.emplace(instance, message.id);
  }
  place->receipt_handle = message.receipt_handle;
  place->hidden_until.reset();
  return ++place->count;
}

/// With more messages than can be remembered each would be new at every receive, and none would rest.
int Releases::guess(const Message& message) const {
  return crowded_ ? message.receive_count / 2 : 0;
}

Releases::Place Releases::place_for(const std::string& message_id) {
  const auto found = known_.find(message_id);
  if (found != known_.end()) {
    by_age_.splice(by_age_.end(), by_age_, found->second);
    return found->second;
  }
  if (known_.size() == most_) {
    crowded_ = true;
    forget(by_age_.begin());
  }
  by_age_.emplace_back().message_id = message_id;
  return known_.emplace(message_id, std::prev(by_age_.end())).first->second;
}

void Releases::hidden(const std::string& message_id, SteadyTime until) {
  const auto found = known_.find(message_id);
  if (found != known_.end()) found->second->hidden_until = until;
}

int Releases::of(const Message& message) const {
  const auto found = known_.find(message.id);
  return found == known_.end() ? guess(message) : found->second->count;
}

void Releases::forget(const std::string& message_id) {
  const auto found = known_.find(message_id);
  if (found != known_.end()) forget(found->second);
}

void Releases::forget(Place place) {
  for (const InstanceId& instance : place->instances) {
    const auto [first, last] = messages_of_.equal_range(instance);
    const auto entry =
        std::find_if(first, last, [&](const auto& item) { return item.second == place->message_id; });
    if (entry != last) messages_of_.erase(entry);
  }
  known_.erase(place->message_id);
  by_age_.erase(place);
}

std::map<std::string, std::string> Releases::forget_all_of(const InstanceId& instance_id, SteadyTime now) {
  std::map<std::string, std::string> hidden;
  for (auto message = messages_of_.find(instance_id); message != messages_of_.end();
       message = messages_of_.find(instance_id)) {
    const Place place = known_.at(message->second);
    if (place->hidden_until.value_or(now) > now) hidden.emplace(place->message_id, place->receipt_handle);
    forget(place);
  }
  return hidden;
}

}  // namespace ferryman::termination
