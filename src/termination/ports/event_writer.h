// SPDX-License-Identifier: Apache-2.0
// EventWriter: Kubernetes events, as those who tell people about a termination need them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/deadline.h"
#include "base/result.h"
#include "base/task.h"
#include "base/time.h"
#include "termination/ports/pods.h"

namespace ferryman::termination {

/// What an event is about. A Node has no namespace.
class EventObject {
 public:
  EventObject() = default;

  std::string kind;  // "Node", "Pod"
  std::string object_namespace;
  std::string name;
  Uid uid;
};

class ClusterEvent {
 public:
  ClusterEvent() = default;

  std::string name;  // of the event itself: whoever writes it chooses one that nobody else has
  EventObject about;
  EventObject related;  // the Node of a pod's event; without a name: none
  bool warning = false;
  std::string reason;  // "PodEvictionBlocked"
  std::string text;    // UTF-8, at most 1024 bytes
  WallTime first;      // when it happened for the first time and for the last
  WallTime last;
  std::uint32_t count = 1;
  std::map<std::string, std::string> annotations;
};

class EventWriter {
 public:
  EventWriter() = default;
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;
  virtual ~EventWriter() = default;

  /// One attempt. Safe to repeat: an event of that name that is there already is success. Error: conflict
  /// when the object's namespace ends, not_found when it is gone, denied with code "Forbidden" when the right
  /// lacks.
  virtual Task<Result<void>> create(ClusterEvent event, Deadline deadline) = 0;

  /// It happened again: count, time and text of one that was created. One attempt, safe to repeat. Error:
  /// not_found when the API server has forgotten it.
  virtual Task<Result<void>> repeat(ClusterEvent event, Deadline deadline) = 0;
};

}  // namespace ferryman::termination
