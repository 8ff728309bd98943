// SPDX-License-Identifier: Apache-2.0
// WatchStream: one watch: changes after a resourceVersion as lines of JSON, a bookmark each minute, an end in
// its time. The store must outlive it.
#pragma once

#include <string>

#include "net/http_client.h"
#include "sandbox/kube/cluster_state.h"
#include "sandbox/kube/object_filter.h"
#include "sandbox/kube/object_output.h"

namespace ferryman::sandbox {

class WatchPlan {
 public:
  WatchPlan() = default;

  OutputStyle style;
  ObjectFilter filter;
  std::uint64_t after = 0;   // the resourceVersion that the client has seen
  bool initial = false;      // first all objects as they are now, as ADDED
  bool initial_end = false;  // then a bookmark that says so
  bool bookmarks = false;
  Duration length{0};
};

class WatchStream final : public net::HttpStream {
 public:
  WatchStream(ClusterState& state, WatchPlan plan);

  Task<Result<std::string>> read(Deadline deadline) override;

 private:
  /// What is to be told now; empty when nothing is.
  std::string lines();
  std::string initial_lines();
  std::string line_of(const Change& change) const;

  ClusterState& state_;
  WatchPlan plan_;
  SteadyTime end_;
  SteadyTime next_bookmark_;
  std::string pending_;  // the initial events, until they are read
  bool over_ = false;
};

}  // namespace ferryman::sandbox
