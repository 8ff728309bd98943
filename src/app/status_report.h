// SPDX-License-Identifier: Apache-2.0
// StatusReport: what the daemon says about itself at one moment; probes and status page are printed from it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/time.h"

namespace ferryman::app {

class RunningRow {
 public:
  RunningRow() = default;

  std::string instance_id;
  std::string node;   // empty until it is resolved
  std::string phase;  // "drain"
  std::size_t pods_left = 0;
  std::vector<std::string> waits_for;  // "pod shop/web-1: budget shop/web: …"
  WallTime started;
  WallTime deadline;
};

class FinishedRow {
 public:
  FinishedRow() = default;

  std::string instance_id;
  std::string node;
  std::string result;  // "completed"
  WallTime started;
  WallTime ended;
};

/// One thing that must work before we can do our work.
class HealthRow {
 public:
  HealthRow() = default;
  HealthRow(std::string name_in, bool ok_in, std::string detail_in)
      : name(std::move(name_in)), ok(ok_in), detail(std::move(detail_in)) {}

  std::string name;  // "queue"
  bool ok = false;
  std::string detail;  // what it is, or why it is not ready
  std::string note;    // what should be known although it is ready; mostly empty
};

class StatusReport {
 public:
  StatusReport() = default;

  [[nodiscard]] bool ready() const {
    for (const HealthRow& row : health) {
      if (!row.ok) return false;
    }
    return true;
  }

  std::string version;
  WallTime now;
  WallTime started;
  bool shadow = false;  // decides and tells, writes nothing
  bool paused = false;  // begins nothing new
  std::vector<HealthRow> health;
  std::vector<RunningRow> running;    // the nearest deadline first
  std::vector<FinishedRow> finished;  // the newest first
};

/// Who can be asked: the daemon.
class StatusSource {
 public:
  virtual ~StatusSource() = default;
  [[nodiscard]] virtual StatusReport status() = 0;
  /// The metrics in Prometheus' text form.
  [[nodiscard]] virtual std::string metrics_text() = 0;
};

}  // namespace ferryman::app
