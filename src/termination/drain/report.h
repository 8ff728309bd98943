// SPDX-License-Identifier: Apache-2.0
// The drain's report: per pod what was asked of it and what became of it, and one summary per node.
#pragma once

#include <string>
#include <vector>

#include "base/log.h"
#include "termination/drain/row.h"

namespace ferryman::termination::drain {

/// What became of the pods of one node; also how many of each.
class NodeReport {
 public:
  NodeReport() = default;

  /// Counts the pod and writes its line "pod.report": verdict, asked, refused by, deleted, grace, gone, or
  /// why it is still there. `left`: the drain is over and the pod is there.
  void add(const PodRow& row, bool left, const Log& log);

  /// The line "drain.report": all that was counted.
  void summarize(const Log& log, Duration took) const;

  /// "all pods are gone: 12 of 12, 2 of them past their budget".
  [[nodiscard]] std::string in_words() const;

  std::size_t pods = 0;
  std::size_t gone = 0;      // after they were asked, or by themselves
  std::size_t finished = 0;  // were so before
  std::size_t skipped = 0;   // stay by rule
  std::size_t refused = 0;   // by a setting
  std::size_t blocked = 0;   // a budget refused them at least once
  std::size_t deleted = 0;   // by DELETE, when their time to be evicted was over
  std::size_t forced = 0;    // with grace 1 or 0
  std::vector<std::string>
      cut;  // "shop/web-1: deleted against budget shop/web": lost their budget's protection or grace
  std::vector<std::string> left;  // "shop/web-1: why it is still there"
};

}  // namespace ferryman::termination::drain
