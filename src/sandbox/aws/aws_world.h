// SPDX-License-Identifier: Apache-2.0
// AwsWorld: the sandbox's AWS: instances, groups with hooks, queues, events, load balancers. A model with a
// clock, without a wire: AwsHandler serves it. Everything it does by itself runs on the Timeline.
#pragma once

#include "sandbox/aws/aws_settings.h"
#include "sandbox/aws/classic_balancers.h"
#include "sandbox/aws/continued_service.h"
#include "sandbox/aws/event_bus.h"
#include "sandbox/aws/groups.h"
#include "sandbox/aws/instance_plans.h"
#include "sandbox/aws/instances.h"
#include "sandbox/aws/interruptions.h"
#include "sandbox/aws/lifecycle_actions.h"
#include "sandbox/aws/load_balancers.h"
#include "sandbox/aws/queues.h"
#include "sandbox/aws/target_groups.h"
#include "sandbox/journal.h"
#include "sandbox/timeline.h"

namespace ferryman::sandbox {

class AwsWorld {
 public:
  /// Timeline, Random and Journal must outlive the world, which the timeline moves.
  AwsWorld(Timeline& timeline, Random& random, Journal& journal, AwsSettings settings = {})
      : settings_(std::move(settings)),
        timeline_(timeline),
        random_(random),
        journal_(journal),
        instances_(timeline, random, journal, settings_),
        queues_(timeline, random, journal, settings_),
        events_(queues_, timeline.clock(), random, settings_),
        interruptions_(instances_, events_, timeline, random, journal, settings_),
        plans_(instances_, random, journal),
        actions_(timeline, random, journal, events_),
        groups_(instances_, actions_, timeline, random, settings_),
        load_balancers_(random, settings_),
        continued_(timeline, journal, settings_),
        target_groups_(instances_, continued_, timeline, random, journal, settings_),
        classic_balancers_(instances_, continued_, timeline, random, journal, settings_) {
    instances_.observe(events_);
  }
  AwsWorld(const AwsWorld&) = delete;
  AwsWorld& operator=(const AwsWorld&) = delete;

  /// May be changed while the world runs.
  AwsSettings& settings() { return settings_; }
  Instances& instances() { return instances_; }
  Groups& groups() { return groups_; }
  Queues& queues() { return queues_; }
  EventBus& events() { return events_; }
  Interruptions& interruptions() { return interruptions_; }
  InstancePlans& plans() { return plans_; }
  LoadBalancers& load_balancers() { return load_balancers_; }
  ContinuedService& continued() { return continued_; }
  TargetGroups& target_groups() { return target_groups_; }
  ClassicBalancers& classic_balancers() { return classic_balancers_; }

  Clock& clock() { return timeline_.clock(); }
  Timeline& timeline() { return timeline_; }
  Random& random() { return random_; }
  Journal& journal() { return journal_; }

 private:
  AwsSettings settings_;
  Timeline& timeline_;
  Random& random_;
  Journal& journal_;
  Instances instances_;
  Queues queues_;
  EventBus events_;
  Interruptions interruptions_;
  InstancePlans plans_;
  LifecycleActions actions_;
  Groups groups_;
  LoadBalancers load_balancers_;
  ContinuedService continued_;
  TargetGroups target_groups_;
  ClassicBalancers classic_balancers_;
};

}  // namespace ferryman::sandbox
