// SPDX-License-Identifier: Apache-2.0
// Interruptions: AWS takes an instance away, or says that it may: spot, rebalance, capacity reservations,
// Health. Each tells the queues as EventBridge does, and the journal with the fact instance.end_announced
// (details: by, action). What is taken goes behind its group's back: no hook waits. False or an empty text:
// EC2 knows no such instance, or it is ending already.
#pragma once

#include <string>

#include "sandbox/aws/event_bus.h"
#include "sandbox/aws/instances.h"

namespace ferryman::sandbox {

class Interruptions {
 public:
  Interruptions(Instances& instances, EventBus& events, Timeline& timeline, Random& random, Journal& journal,
                const AwsSettings& settings)
      : instances_(instances),
        events_(events),
        timeline_(timeline),
        random_(random),
        journal_(journal),
        settings_(settings) {}

  /// `action`: "terminate" or "stop", which happen 120 s later, or "hibernate", which begins at once.
  bool spot(const InstanceId& id, const std::string& action = "terminate");
  /// Nothing happens by itself.
  bool rebalance(const InstanceId& id);
  /// Terminated 120 s later.
  bool capacity(const InstanceId& id);
  /// Nothing happens by itself, and an entity may be unknown. An empty `event_arn` makes a new plan; gives
  /// its ARN.
  std::string health(HealthNotice notice);

 private:
  const Ec2Instance* present(const InstanceId& id) const;
  void announced(const InstanceId& id, const char* by, const std::string& action);
  void take(const InstanceId& id, const std::string& action);

  Instances& instances_;
  EventBus& events_;
  Timeline& timeline_;
  Random& random_;
  Journal& journal_;
  const AwsSettings& settings_;
};

}  // namespace ferryman::sandbox
