// SPDX-License-Identifier: Apache-2.0
// Queue: a standard SQS queue. A received message is hidden for its visibility timeout; each receive makes a
// new receipt handle and only the newest one deletes. Messages are handed out in the order in which they
// became visible: one that was given back goes behind those that wait. What was received too often goes to
// the dead-letter queue. Facts: message.sent, message.expired (by retention, a purge, or with its queue),
// message.dead.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/task.h"
#include "sandbox/journal.h"
#include "sandbox/timeline.h"

namespace ferryman::sandbox {

class QueueSettings {
 public:
  QueueSettings() = default;
  friend bool operator==(const QueueSettings&, const QueueSettings&) = default;

  Duration visibility_timeout = std::chrono::seconds{30};
  Duration retention = std::chrono::hours{96};
  Duration receive_wait{0};
  Duration delay{0};
  std::size_t largest_message = std::size_t{1} << 20U;
  std::string dead_letter_queue;             // its name; empty: none
  int max_receives = 0;                      // after so many a message goes there
  std::map<std::string, std::string> other;  // shown as given: Policy, RedrivePolicy, …
};

class QueueMessage {
 public:
  QueueMessage() = default;

  std::string id;
  std::string body;
  boost::json::object attributes;             // MessageAttributes as sent
  std::map<std::string, std::string> system;  // SenderId, AWSTraceHeader, DeadLetterQueueSourceArn
  std::string receipt;                        // of the newest receive; empty before the first
  int receive_count = 0;                      // as it is shown
  int receives_here = 0;                      // those in this queue: a dead letter begins anew
  WallTime sent;
  WallTime first_received;
  SteadyTime last_received;
  SteadyTime visible_at;
  std::uint64_t turn = 0;  // among those that become visible at the same moment
  Timeline::Ticket expiry = 0;
};

/// What a receipt handle led to.
class ReceiptAnswer {
 public:
  enum class Kind : std::uint8_t {
    ok,
    stale,          // the message is there, but was received again since, or is deleted
    not_in_flight,  // the newest handle of a message whose visibility timeout has ended
    too_long,       // more than 12 hours after the receive
    invalid,        // not a handle of this queue
  };

  Kind kind = Kind::invalid;
  std::string message_id;  // empty for invalid
};

class QueueCounts {
 public:
  std::size_t visible = 0;
  std::size_t in_flight = 0;
  std::size_t delayed = 0;
};

class Queues;

class Queue {
 public:
  /// `all` holds the dead-letter queues.
  Queue(std::string name, Queues& all, Timeline& timeline, Random& random, Journal& journal);

  /// `about` goes into the fact message.sent, on top of what its body says (message_facts.h). Returns the
  /// message's id.
  std::string send(std::string body, const std::map<std::string, std::string>& about = {});
  std::string send(QueueMessage message, Duration delay, const std::map<std::string, std::string>& about);

  /// Up to `most` messages; waits for the first one up to `wait`, woken by sends and by visibility running
  /// out.
  Task<std::vector<QueueMessage>> receive(std::size_t most, Duration wait, Duration visibility);

  /// A stale handle is answered like a success and changes nothing, as SQS says it may.
  ReceiptAnswer remove(std::string_view receipt);
  ReceiptAnswer change_visibility(std::string_view receipt, Duration visibility);
  void purge();
  /// Also for the messages that are there.
  void change(QueueSettings changed);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] QueueCounts counts() const;
  /// In the order they were sent, hidden ones too.
  [[nodiscard]] const std::map<std::uint64_t, QueueMessage>& messages() const { return messages_; }

  QueueSettings settings;
  std::map<std::string, std::string> tags;
  WallTime created;
  WallTime modified;
  std::optional<SteadyTime> purged;

 private:
  using Messages = std::map<std::uint64_t, QueueMessage>;

  void show_at(std::uint64_t number, QueueMessage& message, SteadyTime when);
  Messages::node_type take_out(Messages::iterator at);
  void bury(Messages::iterator at, Queue& grave);
  std::vector<QueueMessage> take_visible(std::size_t most, Duration visibility);
  Queue* grave_of(const QueueMessage& message);
  void adopt(QueueMessage message);
  void arm_expiry(std::uint64_t number);
  [[nodiscard]] SteadyTime next_visible(SteadyTime until) const;
  Messages::iterator find(std::string_view receipt, ReceiptAnswer& answer);

  std::string name_;
  std::string tag_;  // in each handle: a handle of another queue is refused
  Queues& all_;
  Timeline& timeline_;
  Random& random_;
  Journal& journal_;
  Signal changed_;
  Messages messages_;
  std::map<std::pair<SteadyTime, std::uint64_t>, std::uint64_t> by_visibility_;  // and turn, to its number
  std::uint64_t last_ = 0;
  std::uint64_t last_turn_ = 0;
};

}  // namespace ferryman::sandbox
