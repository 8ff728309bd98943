// SPDX-License-Identifier: Apache-2.0
#include "termination/daemon_sets.h"

namespace ferryman::termination {

DaemonSets::DaemonSets(Context& context, Cluster& cluster)
    : list_(
          context, [&cluster](Deadline deadline) { return cluster.daemon_sets(deadline); },
          [&context](const Error& error, bool first) {
            context.log.write(first ? Level::warn : Level::debug, "daemon_sets.unknown",
                              {{"error", error},
                               {"effect", "pods of a DaemonSet that was deleted are left on their nodes"},
                               {"cure", "allow list on daemonsets (apps)"}});
          }) {}

Task<std::shared_ptr<const std::set<std::string>>> DaemonSets::get(Deadline deadline) {
  constexpr Duration fresh = std::chrono::seconds{30};
  constexpr Duration stale = std::chrono::minutes{2};
  co_return co_await list_.get(fresh, stale, deadline);
}

}  // namespace ferryman::termination
