// SPDX-License-Identifier: Apache-2.0
// InstancePlans: what EC2 plans for instances, as DescribeInstanceStatus shows it. Nothing of it happens by
// itself. The fact instance.end_announced (by: instance-status) says that the instance may end.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "sandbox/aws/instances.h"

namespace ferryman::sandbox {

class PlannedEvent {
 public:
  PlannedEvent() = default;

  std::string id;    // empty: a fresh one ("instance-event-" and 17 hexadecimal digits)
  std::string code;  // "instance-reboot", "system-reboot", "system-maintenance", "instance-retirement",
                     // "instance-stop"
  std::string description = "The instance is running on degraded hardware";
  WallTime not_before;
  std::optional<WallTime> not_after;
};

class InstancePlans {
 public:
  InstancePlans(Instances& instances, Random& random, Journal& journal)
      : instances_(instances), random_(random), journal_(journal) {}

  /// Replaces the plan of the same id. Gives its id; empty when EC2 knows no such instance.
  std::string plan(const InstanceId& id, PlannedEvent event);
  /// EC2 shows it for a while more, with "[Completed]" or "[Canceled]" before its description.
  void finish(const InstanceId& id, const std::string& event, const std::string& how);

  /// The instance's events in the order they were planned.
  [[nodiscard]] const std::vector<PlannedEvent>& of(const InstanceId& id) const;

 private:
  Instances& instances_;
  Random& random_;
  Journal& journal_;
  std::map<InstanceId, std::vector<PlannedEvent>> events_;
};

}  // namespace ferryman::sandbox
