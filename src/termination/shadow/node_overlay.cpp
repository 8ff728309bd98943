// SPDX-License-Identifier: Apache-2.0
#include "termination/shadow/node_overlay.h"

#include <algorithm>

#include "termination/ports/marks.h"

namespace ferryman::termination::shadow {

namespace {

bool holds(const std::vector<Taint>& taints, const Taint& taint) {
  return std::ranges::find(taints, taint) != taints.end();
}

}  // namespace

void NodeOverlay::take(const NodePatch& patch, const Node& shown) {
  if (patch.unschedulable) unschedulable_ = patch.unschedulable;
  if (patch.taints) {
    for (const Taint& taint : shown.taints) {
      if (holds(*patch.taints, taint)) continue;
      removed_.push_back(taint);
      std::erase(added_, taint);
    }
    for (const Taint& taint : *patch.taints) {
      if (holds(shown.taints, taint)) continue;
      added_.push_back(taint);
      std::erase(removed_, taint);
    }
  }
  for (const auto& [key, value] : patch.labels) labels_[key] = value;
  const auto claim = patch.annotations.find(std::string(marks::claim_annotation));
  if (claim != patch.annotations.end()) claim_ = claim->second.value_or("");
}

Node NodeOverlay::over(Node node) const {
  if (unschedulable_) node.unschedulable = *unschedulable_;
  std::erase_if(node.taints, [&](const Taint& taint) { return holds(removed_, taint); });
  for (const Taint& taint : added_) {
    if (!holds(node.taints, taint)) node.taints.push_back(taint);
  }
  for (const auto& [key, value] : labels_) {
    if (value) {
      node.labels[key] = *value;
    } else {
      node.labels.erase(key);
    }
  }
  if (claim_) node.claim = *claim_;
  return node;
}

}  // namespace ferryman::termination::shadow
