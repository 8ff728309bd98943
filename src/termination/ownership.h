// SPDX-License-Identifier: Apache-2.0
// Ownership: is this instance ours? A Node that carries its id says yes. Without one only a discriminator
// does: a tag of the instance, or of its Auto Scaling group, or a queue that nobody else reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "termination/aws_facts.h"
#include "termination/event.h"
#include "termination/outcome.h"
#include "termination/ports/cluster.h"

namespace ferryman::termination {

enum class Owner : std::uint8_t {
  ours,
  another_system,  // its Node is ours, and its labels say that another system drains it
  foreign,         // it lacks what would make it ours
  not_managed,     // it lacks the required tag
  undecided,       // no Node carries it, and no discriminator is set that could tell
  nobody,          // EC2 says it is gone, and nobody claimed it for a while
  unknown,         // no verdict may be given: the node cache is not in sync, or AWS could not be asked
};
std::string_view name_of(Owner owner);
/// Of the message, when no event of ours is in it.
MessageOutcome outcome_for(Owner owner);

class Ownership {
 public:
  Ownership(Context& context, Cluster& cluster, AwsFacts& facts)
      : context_(context), cluster_(cluster), facts_(facts) {}

  /// Without a call, where what is known is enough. `releases`: how often we gave its message back: an owner
  /// is given that chance before an instance that is gone becomes nobody's.
  [[nodiscard]] std::optional<Owner> known(const Event& event, int releases) const;
  Task<Owner> decide(Event event, int releases);

  /// The instance's Auto Scaling group as far as it is known; may be empty.
  [[nodiscard]] std::string group_of(const Event& event) const;

 private:
  [[nodiscard]] std::optional<Owner> by_node(const Event& event) const;
  [[nodiscard]] bool has_discriminator() const;
  [[nodiscard]] bool alone(const Event& event) const;
  Task<bool> is_of_another_cluster(const Sighting& seen);
  [[nodiscard]] bool needs_group(const Event& event, const Sighting& seen) const;
  [[nodiscard]] Owner judge(const Event& event, const Sighting& seen, int releases) const;
  Owner not_asked(const Error& error);

  Context& context_;
  Cluster& cluster_;
  AwsFacts& facts_;
  std::string own_cluster_;  // that the tags of an instance with a Node name; empty: not known yet
  bool denied_ = false;
};

}  // namespace ferryman::termination
