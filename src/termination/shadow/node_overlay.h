// SPDX-License-Identifier: Apache-2.0
// NodeOverlay: what patches would have made of a Node, laid over the Node as it is. Another writer's changes
// show through.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "termination/ports/cluster.h"

namespace ferryman::termination::shadow {

class NodeOverlay {
 public:
  NodeOverlay() = default;
  explicit NodeOverlay(Uid uid) : uid_(std::move(uid)) {}

  /// False for a Node that has the name now and is another one.
  [[nodiscard]] bool belongs_to(const Node& node) const { return node.uid == uid_; }
  /// `shown`: the Node as it was shown when the patch was made.
  void take(const NodePatch& patch, const Node& shown);
  [[nodiscard]] Node over(Node node) const;

 private:
  Uid uid_;
  std::optional<bool> unschedulable_;
  std::vector<Taint> added_;
  std::vector<Taint> removed_;
  std::map<std::string, std::optional<std::string>> labels_;  // empty optional: removed
  std::optional<std::string> claim_;                          // empty text: removed
};

}  // namespace ferryman::termination::shadow
