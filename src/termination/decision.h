// SPDX-License-Identifier: Apache-2.0
// Decision: what is done about an event, and when. Pure functions of the event, the policy, and what the Node
// and its group say.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "termination/event.h"
#include "termination/policy.h"

namespace ferryman::termination {

class Decision {
 public:
  Decision() = default;

  Action action = Action::ignore;
  bool complete = false;   // asg-launch alone: complete its hook once the Node is Ready
  std::string by;          // who says so: "setting on-state-change", "label ferryman.dev/on-…", "tag …"
  std::string unreadable;  // labels and tags that count for nothing, with value and cure; empty: none
};

using Labels = std::map<std::string, std::string>;
using Tags = std::vector<std::pair<std::string, std::string>>;

/// The Node's label ferryman.dev/on-<kind> wins over the Auto Scaling group's tag of that key, and that over
/// the policy. Both may be empty when they are not known.
Decision action_for(const Event& event, const Policy& policy, const Labels& labels, const Tags& group_tags);

/// What `Policy::lead_times` does not decide. Retirements, stops and terminations: as soon as they are
/// known. Reboots: 10 minutes before their start. Network and power maintenance: not acted on. Whatever else
/// AWS plans: as reboots. The codes are those of AWS Health
/// (https://docs.aws.amazon.com/health/latest/ug/aws-health-concepts-and-terms.html names their form) and of
/// DescribeInstanceStatus
/// (https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_InstanceStatusEvent.html).
std::span<const LeadTime> default_lead_times();

/// How long before its start the change's node is emptied. Duration::max(): as soon as it is known. Empty:
/// the change is not acted on.
std::optional<Duration> lead_of(const ScheduledChange& change, const Policy& policy);

/// When the work begins: the event's time, or later for a scheduled change. Empty: never (a change that is
/// cancelled or not acted on). It does not ask for the action.
std::optional<WallTime> due_at(const Event& event, const Policy& policy);

}  // namespace ferryman::termination
