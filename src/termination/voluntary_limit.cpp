// SPDX-License-Identifier: Apache-2.0
#include "termination/voluntary_limit.h"

#include <algorithm>

#include "termination/claim.h"

namespace ferryman::termination {

std::string group_of(const Node& node, const std::vector<std::string>& group_labels) {
  for (const std::string& label : group_labels) {
    const auto found = node.labels.find(label);
    if (found != node.labels.end()) return label + "=" + found->second;
  }
  return {};
}

/// A Node without a group or a zone counts in the others alone. No label's name begins with a slash.
std::vector<std::string> VoluntaryLimit::circles_of(const Node& node) const {
  std::vector<std::string> circles = {"/cluster"};
  const std::string group = group_of(node, context_.policy.group_labels);
  if (!group.empty()) circles.push_back(group);
  if (!node.zone.empty()) circles.push_back("/zone=" + node.zone);
  return circles;
}

/// Decoding claims is not free: once a second for all that wait.
void VoluntaryLimit::count_anew() {
  constexpr Duration fresh_for = std::chrono::seconds{1};
  const SteadyTime now = context_.clock.now();
  if (counted_ != SteadyTime::min() && now - counted_ < fresh_for) return;
  counted_ = now;
  circles_.clear();
  cluster_.each_node([&](const Node& node) {
    bool out = false;
    if (!node.claim.empty()) {
      const auto claim = decode_claim(node.claim);
      out = claim && claim->begun() && claim->voluntary();
    }
    for (const std::string& name : circles_of(node)) {
      Count& count = circles_[name];
      ++count.nodes;
      if (out) count.out.insert(node.instance_id);
    }
  });
}

bool VoluntaryLimit::has_room(const std::string& circle) const {
  const auto found = circles_.find(circle);
  if (found == circles_.end()) return false;
  const Count& count = found->second;
  const auto also_out = std::ranges::count_if(admitted_, [&](const auto& entry) {
    const bool counts = std::ranges::find(entry.second, circle) != entry.second.end();
    return counts && !count.out.contains(entry.first);
  });
  constexpr std::size_t percent = 100;
  const auto share = static_cast<std::size_t>(context_.policy.voluntary_share);
  const std::size_t most = std::max<std::size_t>(count.nodes * share / percent, 1);
  return count.out.size() + static_cast<std::size_t>(also_out) < most;
}

bool VoluntaryLimit::admit(const Node& node) {
  if (admitted_.contains(node.instance_id)) return true;
  count_anew();
  std::vector<std::string> circles = circles_of(node);
  if (!std::ranges::all_of(circles, [&](const std::string& circle) { return has_room(circle); }))
    return false;
  admitted_[node.instance_id] = std::move(circles);
  return true;
}

}  // namespace ferryman::termination
