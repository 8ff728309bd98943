// SPDX-License-Identifier: Apache-2.0
// DrainScene: a scene without balancers and workload, for stories about single pods of the first node; and
// what the record says of each, in seconds since the end was ordered.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/scene_events.h"

namespace ferryman::sim {

/// One eviction or deletion of a pod as the API server took it.
class PodCall {
 public:
  PodCall() = default;

  double second = 0;
  std::string verb;     // "evict", "delete"
  std::string outcome;  // "ok", or the status that was answered
  std::string grace;    // in seconds
  std::string uid;      // that it was about
};

class DrainScene {
 public:
  static SceneShape shape_with(std::vector<std::string> arguments);

  explicit DrainScene(const SceneShape& shape, std::uint64_t seed = 1) : scene(shape, seed) {}
  explicit DrainScene(std::vector<std::string> arguments = {})
      : DrainScene(shape_with(std::move(arguments))) {}

  /// A pod of a ReplicaSet on the first node, with the label app=NAME; not there before `add`.
  [[nodiscard]] sandbox::PodSpec pod(const std::string& name);
  /// Gives its UID.
  Uid add(const sandbox::PodSpec& spec);
  /// Of the pods with the label app=APP.
  void budget(const std::string& name, const std::string& app,
              const std::string& spec = "\"minAvailable\":1");
  [[nodiscard]] std::string node_name(std::size_t n = 0);

  /// Starts the daemon; seconds are counted from 5 s later.
  void start();
  /// The same, and ends the first instance through its group.
  void end();
  /// The same by a spot notice, after which EC2 takes it 120 s later.
  void end_by_spot();
  /// From when seconds are counted.
  [[nodiscard]] SteadyTime began() const { return ended_; }
  void advance(Duration duration) { scene.advance(duration); }

  [[nodiscard]] std::vector<PodCall> calls(const std::string& pod) const;
  /// "evict ok 30, delete ok 1": verb, outcome and grace of each call.
  [[nodiscard]] std::string calls_in_words(const std::string& pod) const;
  /// Seconds until the world's first fact of that kind about the subject; empty: none.
  [[nodiscard]] std::optional<double> fact(const std::string& operation, const std::string& subject) const;
  [[nodiscard]] std::optional<double> completed() const;
  /// The pod's line in the report; empty: none.
  [[nodiscard]] std::string report(const std::string& pod) const;
  /// The first line with this event and this text in it; empty: none.
  [[nodiscard]] std::string line(const std::string& event, const std::string& text = {}) const;
  /// Whether the pod with this UID is there still.
  [[nodiscard]] bool there(const Uid& uid);
  [[nodiscard]] const InstanceId& instance() { return scene.instances().front(); }

  Scene scene;
  Replica* replica = nullptr;

 private:
  [[nodiscard]] double since(SteadyTime at) const { return seconds(at - ended_); }

  SteadyTime ended_{};
};

}  // namespace ferryman::sim
