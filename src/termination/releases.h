// SPDX-License-Identifier: Apache-2.0
// Releases: what we remember of the messages that we gave back: how often, and how each can be made visible
// again before its time. Bounded; what was released longest ago is forgotten first. Pure but for the clock's
// readings it is handed.
#pragma once

#include <list>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"
#include "base/random.h"
#include "termination/ports/message_queue.h"

namespace ferryman::termination {

/// How long a message stays hidden at its nth release: six times 0 or 1 s at random, since its owner is near;
/// then ever longer, at most about a minute.
std::chrono::seconds pause_of_release(int n, Random& random);

class Releases {
 public:
  explicit Releases(std::size_t most = 10'000) : most_(most) {}

  /// One more release of the message, about to be told to the queue; gives how many that makes.
  int count(const Message& message, const std::vector<InstanceId>& instances);

  /// The queue hides the message until then. Without effect when the message is not remembered.
  void hidden(const std::string& message_id, SteadyTime until);

  /// One that was forgotten for want of room is taken for released at half of its receives.
  [[nodiscard]] int of(const Message& message) const;
  [[nodiscard]] bool remembers(const std::string& message_id) const { return known_.contains(message_id); }
  void forget(const std::string& message_id);

  /// Forgets all messages of this instance. Gives the receipt handles, by message id, of those that are still
  /// hidden; a handle holds as long as nobody else received the message.
  std::map<std::string, std::string> forget_all_of(const InstanceId& instance_id, SteadyTime now);

  [[nodiscard]] std::size_t size() const { return known_.size(); }

 private:
  struct Release {
    std::string message_id;
    int count = 0;
    std::string receipt_handle;              // of our newest receive
    std::optional<SteadyTime> hidden_until;  // empty: the queue has not answered yet
    std::vector<InstanceId> instances;
  };
  using Place = std::list<Release>::iterator;

  Place place_for(const std::string& message_id);
  void forget(Place place);

  [[nodiscard]] int guess(const Message& message) const;

  std::size_t most_;
  bool crowded_ = false;       // something was forgotten for want of room
  std::list<Release> by_age_;  // the newest release last
  std::unordered_map<std::string, Place> known_;
  std::multimap<InstanceId, std::string> messages_of_;
};

}  // namespace ferryman::termination
