// SPDX-License-Identifier: Apache-2.0
// Story: how one or more nodes come to their end, told second by second, and what must hold when it is over.
// The sweep tells each again with a failure, a hang and a crash at every call in turn.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/scene_events.h"

namespace ferryman::sim {

class Story {
 public:
  Story() = default;
  Story(const Story&) = delete;
  Story& operator=(const Story&) = delete;
  virtual ~Story() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual SceneShape shape() const;
  /// Called each second from 0 on; the first replica has run for 5 s then.
  virtual void tell(Scene& scene, int second) = 0;
  virtual bool over(Scene& scene) = 0;

  static bool is_cordoned(Scene& scene, const InstanceId& id);
  static bool is_empty(Scene& scene, const InstanceId& id);
  /// Registered, and not on its way out, with each load balancer of the scene.
  static bool serves(Scene& scene, const InstanceId& id);
};

/// Every way that an instance ends, is said to end, or comes back, and what is no such thing.
std::vector<std::unique_ptr<Story>> all_stories();

}  // namespace ferryman::sim
