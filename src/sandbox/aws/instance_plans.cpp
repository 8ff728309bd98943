// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/instance_plans.h"

#include <algorithm>

#include "sandbox/aws/fresh_ids.h"

namespace ferryman::sandbox {

std::string InstancePlans::plan(const InstanceId& id, PlannedEvent event) {
  if (instances_.find(id) == nullptr) return {};
  if (event.id.empty()) event.id = "instance-event-" + fresh_hex(random_, 17);
  journal_.fact("instance.end_announced", id.str(), {{"by", "instance-status"}, {"action", event.code}});
  std::vector<PlannedEvent>& all = events_[id];
  std::erase_if(all, [&](const PlannedEvent& one) { return one.id == event.id; });
  all.push_back(std::move(event));
  return all.back().id;
}

void InstancePlans::finish(const InstanceId& id, const std::string& event, const std::string& how) {
  for (PlannedEvent& one : events_[id]) {
    if (one.id == event) one.description = "[" + how + "] " + one.description;
  }
}

const std::vector<PlannedEvent>& InstancePlans::of(const InstanceId& id) const {
  static const std::vector<PlannedEvent> none;
  const auto found = events_.find(id);
  return found == events_.end() ? none : found->second;
}

}  // namespace ferryman::sandbox
