// SPDX-License-Identifier: Apache-2.0
// ShadowPorts: the ports for --shadow. The whole product runs through its steps over them, logs each write
// that it would have made as "shadow.would", and nothing is written anywhere.
#pragma once

#include "termination/context.h"
#include "termination/shadow/shadow_balancers.h"
#include "termination/shadow/shadow_cloud.h"
#include "termination/shadow/shadow_cluster.h"
#include "termination/shadow/shadow_queue.h"

namespace ferryman::termination::shadow {

class ShadowPorts {
 public:
  /// The clock and the real ports must outlive this.
  ShadowPorts(Clock& clock, const Log& log, const Ports& real)
      : queue_(clock, log, real.queue),
        cloud_(log, real.cloud),
        balancers_(log, real.balancers),
        cluster_(log, real.cluster),
        notices_(real.notices) {}
  ShadowPorts(const ShadowPorts&) = delete;
  ShadowPorts& operator=(const ShadowPorts&) = delete;

  [[nodiscard]] Ports ports() { return {queue_, cloud_, balancers_, cluster_, notices_}; }

 private:
  ShadowQueue queue_;
  ShadowCloud cloud_;
  ShadowBalancers balancers_;
  ShadowCluster cluster_;
  Notices& notices_;
};

}  // namespace ferryman::termination::shadow
