// SPDX-License-Identifier: Apache-2.0
// AwsFacts: what EC2 and Auto Scaling say of an instance beside what its Node says: its state, its group, and
// whether its tags or its group's make it ours. Those asked for within 300 ms share a call; answers are
// remembered.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "termination/decision.h"
#include "termination/gather.h"

namespace ferryman::termination {

/// What tags say about ownership.
class TagEvidence {
 public:
  TagEvidence() = default;

  bool ours = false;      // a discriminator: the cluster's name, or --managed-tag with its value
  bool required = false;  // --require-tag, or none is required
};
TagEvidence weigh(const Tags& tags, const Policy& policy);
/// The cluster that the tags name; empty: none.
std::string cluster_of(const Tags& tags);
/// The Auto Scaling group, by the tag that Auto Scaling sets; empty: none.
std::string group_in(const Tags& tags);

/// EC2's last word on an instance.
class Sighting {
 public:
  Sighting() = default;

  /// Terminated, or not known to EC2 twice, 10 s apart (its answers are eventually consistent).
  [[nodiscard]] bool gone() const;

  SteadyTime at;
  std::optional<SteadyTime> absent_since;  // EC2 does not know it
  std::string state;                       // empty while absent
  std::string cluster;  // that its tags name, as kubernetes.io/cluster/… does; may be empty
  std::string group;    // its Auto Scaling group, by the tag that AWS sets; may be empty
  TagEvidence evidence;
};

class AwsFacts {
 public:
  /// The calls run in `calls`, whose owner cancels and joins it.
  AwsFacts(Context& context, Cloud& cloud, Scope& calls);
  AwsFacts(const AwsFacts&) = delete;
  AwsFacts& operator=(const AwsFacts&) = delete;

  /// From memory, when it is not older than that.
  [[nodiscard]] const Sighting* remembered(const InstanceId& id, Duration at_most_old) const;
  Task<Result<Sighting>> look(InstanceId id, Duration at_most_old);

  /// Ten minutes old at most. A group without tags, or one that is not there, has none.
  [[nodiscard]] const Tags* remembered_tags(const std::string& group) const;
  Task<Result<Tags>> tags_of(std::string group);

  /// How Auto Scaling sees the instance now: "InService", "Terminating:Wait", "Warmed:Stopped", …; empty: it
  /// is in no group.
  Task<Result<std::string>> lifecycle_state(InstanceId id);

 private:
  struct GroupEntry {
    SteadyTime at;
    Tags tags;
  };

  Task<Result<std::map<InstanceId, Instance>>> ask_instances(std::vector<InstanceId> ids);
  Task<Result<std::map<std::string, Tags>>> ask_tags(std::vector<std::string> groups);
  Task<Result<std::map<InstanceId, std::string>>> ask_states(std::vector<InstanceId> ids);
  const Sighting& remember(const InstanceId& id, const std::optional<Instance>& seen);

  Context& context_;
  Cloud& cloud_;
  Gather<InstanceId, Instance> instances_;
  Gather<std::string, Tags> group_tags_;
  Gather<InstanceId, std::string> states_;
  std::map<InstanceId, Sighting> sightings_;
  std::deque<InstanceId> sightings_order_;  // the oldest memory goes first
  std::map<std::string, GroupEntry> groups_;
};

}  // namespace ferryman::termination
