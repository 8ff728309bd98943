// SPDX-License-Identifier: Apache-2.0
// DemoReport: the counts at the end of a demo, for people and as JSON.
#pragma once

#include <string>
#include <vector>

#include "app/demo_progress.h"

namespace ferryman::app {

class DemoReport {
 public:
  DemoReport() = default;

  /// Every node completed, no message of ours left and every foreign one given back, no promise broken.
  [[nodiscard]] bool good() const {
    return broken_promises.empty() && messages_left == 0 && hooks_completed == terminations &&
           foreign_given_back == foreign_events && !gave_up;
  }
  /// "gave up after 3s (--timeout); not finished: node-a (draining, 10 pods left); 1 message left"
  [[nodiscard]] std::string what_is_left() const;

  std::size_t terminations = 0;
  std::size_t hooks_completed = 0;
  std::size_t pods_evicted = 0;
  std::size_t targets_deregistered = 0;
  std::size_t left_before_eviction = 0;  // nodes out of every load balancer before their first eviction
  std::size_t let_go_before_completion = 0;
  std::size_t messages_left = 0;  // of ours
  std::size_t foreign_events = 0;
  std::size_t foreign_given_back = 0;
  std::optional<Duration> gave_up;                           // so long after the nodes' end, by --timeout
  std::vector<std::string> unfinished;                       // nodes, and how far each is
  std::map<std::string, std::vector<double>> phase_seconds;  // of each node that got through the phase
  std::map<std::string, std::uint64_t> aws_calls;
  std::map<std::string, std::uint64_t> kubernetes_calls;
  std::vector<std::string> broken_promises;
};

/// `messages_left`: in the queue, foreign ones too.
DemoReport make_report(const DemoProgress& progress, const sandbox::Journal& journal,
                       std::size_t messages_left, std::vector<std::string> broken_promises);

std::string report_json(const DemoReport& report);
std::string report_text(const DemoReport& report);

}  // namespace ferryman::app
