// SPDX-License-Identifier: Apache-2.0
// DaemonSets: which there are, as "namespace/name". A pod that names one that is not there is an orphan,
// which nothing will put back. Asked once per half minute for all terminations together.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "termination/shared_list.h"

namespace ferryman::termination {

class DaemonSets {
 public:
  DaemonSets(Context& context, Cluster& cluster);

  /// Null: not known; then every pod of a DaemonSet is taken to be one's. Without the right to list them that
  /// is logged once. No answer is used for long: one that is newer than it would look like none.
  Task<std::shared_ptr<const std::set<std::string>>> get(Deadline deadline);

 private:
  SharedList<std::set<std::string>> list_;
};

}  // namespace ferryman::termination
