// SPDX-License-Identifier: Apache-2.0
// Crew: what all terminations share. Owned by the engine.
#pragma once

#include "termination/balancers/arrivals.h"
#include "termination/balancers/departures.h"
#include "termination/balancers/membership.h"
#include "termination/cordon_barrier.h"
#include "termination/drain/aids.h"
#include "termination/heartbeat.h"
#include "termination/held_messages.h"
#include "termination/local_services.h"
#include "termination/ownership.h"
#include "termination/pause_switch.h"
#include "termination/volumes.h"
#include "termination/voluntary_limit.h"

namespace ferryman::termination {

class Crew {
 public:
  Crew(Context& context_in, Ports ports_in, HookCatalog& catalog_in, Heartbeats& heartbeats_in,
       HeldMessages& held_in, balancers::Membership& membership_in, balancers::Departures& departures_in,
       Scope& calls_in, Scope& work_in)
      : context(context_in),
        ports(ports_in),
        catalog(catalog_in),
        heartbeats(heartbeats_in),
        held(held_in),
        membership(membership_in),
        departures(departures_in),
        calls(calls_in),
        work(work_in),
        facts(context_in, ports_in.cloud, calls_in),
        ownership(context_in, ports_in.cluster, facts),
        arrivals(context_in, ports_in.balancers, calls_in),
        voluntary(context_in, ports_in.cluster),
        pause(context_in, ports_in.cluster),
        services(context_in, ports_in.cluster),
        volumes(context_in, ports_in.cluster),
        aids(context_in, ports_in.cluster, calls_in),
        barrier(context_in.clock) {}

  Context& context;
  Ports ports;
  HookCatalog& catalog;
  Heartbeats& heartbeats;
  HeldMessages& held;
  balancers::Membership& membership;
  balancers::Departures& departures;
  Scope& calls;  // what may outlive a termination: short calls
  Scope& work;   // what ends with the terminations
  AwsFacts facts;
  Ownership ownership;
  balancers::Arrivals arrivals;
  VoluntaryLimit voluntary;
  PauseSwitch pause;
  LocalServices services;
  Volumes volumes;
  drain::Aids aids;
  CordonBarrier barrier;
};

}  // namespace ferryman::termination
