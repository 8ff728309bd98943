// SPDX-License-Identifier: Apache-2.0
// SceneEvents: messages in a scene's queue as AWS would send them, and foreign instances to send them about.
// Nothing happens to the instance by itself; `scene.aws().interruptions()` is what takes it too.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/scene.h"

namespace ferryman::sim {

enum class Foreign : std::uint8_t {
  untagged,        // runs, and carries no tag
  other_clusters,  // runs, with the tag of a cluster "elsewhere"
  unknown,         // EC2 does not know the id (any more)
};

class SceneEvents {
 public:
  explicit SceneEvents(Scene& scene) : scene_(scene) {}

  /// Each gives the message's id.
  std::string spot(const InstanceId& id, const std::string& action = "terminate");
  std::string rebalance(const InstanceId& id);
  std::string state_change(const InstanceId& id, const std::string& state);
  /// "EC2 Instance-terminate Lifecycle Action", or with LAUNCHING its sibling; nothing waits for it.
  std::string lifecycle(const InstanceId& id, const std::string& group, const std::string& hook = "drain");
  std::string body(const std::string& text) { return scene_.queue().send(text); }

  std::vector<InstanceId> foreign(int n, Foreign kind);

 private:
  sandbox::EventStamp stamp();
  sandbox::Ec2Instance described(const InstanceId& id);

  Scene& scene_;
};

/// When each Node got its claim first, by name.
std::map<std::string, SteadyTime> claim_times(const sandbox::Journal& journal);
/// When each message was sent, received first and gone, and how often it was received.
class MessageStory {
 public:
  SteadyTime sent;
  std::optional<SteadyTime> removed;
  std::string remover;  // the AWS caller's ARN
  int receives = 0;
};
std::map<std::string, MessageStory> message_stories(const sandbox::Journal& journal);

/// The value below which so many percent of the values are; 0 for none.
double percentile(std::vector<double> values, double percent);

}  // namespace ferryman::sim
