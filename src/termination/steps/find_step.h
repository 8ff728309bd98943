// SPDX-License-Identifier: Apache-2.0
// FindStep: the Node of an instance that is ours. One that has no Node yet is waited for, while EC2 and Auto
// Scaling say that it may still come.
#pragma once

#include <cstdint>

#include "termination/aws_facts.h"

namespace ferryman::termination::steps {

enum class Finding : std::uint8_t {
  node,      // the cache has it
  gone,      // EC2 has ended the instance, or it is in a warm pool: there is nothing to drain
  too_late,  // neither, until the limit
};

class FindStep {
 public:
  FindStep(Context& context, Cluster& cluster, AwsFacts& facts, InstanceId instance_id, Log log)
      : context_(context),
        cluster_(cluster),
        facts_(facts),
        instance_id_(std::move(instance_id)),
        log_(std::move(log)) {}

  Task<Finding> run(Deadline limit);
  /// A Node that is not Ready may be all that is left of the instance: true when EC2 says so. No kubelet
  /// confirms anything then.
  Task<bool> is_off();

 private:
  [[nodiscard]] bool has_node() const { return cluster_.find_node(instance_id_) != nullptr; }
  Task<bool> gone();

  Context& context_;
  Cluster& cluster_;
  AwsFacts& facts_;
  InstanceId instance_id_;
  Log log_;
};

}  // namespace ferryman::termination::steps
