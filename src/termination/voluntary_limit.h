// SPDX-License-Identifier: Apache-2.0
// VoluntaryLimit: for ends that may come to nothing only a share of a group's Nodes, of a zone's and of the
// cluster's is emptied at a time. Counted are the Nodes whose claims say so, and those admitted a moment ago.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "termination/context.h"

namespace ferryman::termination {

class VoluntaryLimit {
 public:
  VoluntaryLimit(Context& context, Cluster& cluster) : context_(context), cluster_(cluster) {}

  /// True: the Node may be emptied now. It counts until `leave`, and while its claim stands.
  bool admit(const Node& node);
  void leave(const InstanceId& id) { admitted_.erase(id); }

 private:
  struct Count {
    std::size_t nodes = 0;
    std::set<InstanceId> out;
  };

  void count_anew();
  /// The circles that the Node counts in: its group, its zone and the cluster.
  [[nodiscard]] std::vector<std::string> circles_of(const Node& node) const;
  [[nodiscard]] bool has_room(const std::string& circle) const;

  Context& context_;
  Cluster& cluster_;
  std::map<InstanceId, std::vector<std::string>> admitted_;  // and the circles that it counts in
  std::map<std::string, Count> circles_;
  SteadyTime counted_{SteadyTime::min()};
};

/// The Node's group by the first of these labels that it carries, as "label=value"; empty: none.
std::string group_of(const Node& node, const std::vector<std::string>& group_labels);

}  // namespace ferryman::termination
