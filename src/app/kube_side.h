// SPDX-License-Identifier: Apache-2.0
// KubeSide: everything of the daemon that talks to the API server, put together.
#pragma once

#include "app/groundwork.h"
#include "app/platform.h"
#include "base/scope.h"
#include "kube/cluster.h"
#include "kube/event_writer.h"

namespace ferryman::app {

class KubeSide {
 public:
  KubeSide(const Groundwork& ground, const Platform& platform, const Log& log)
      : client_(platform.http, platform.clock, platform.random, ground.access, metrics_),
        context_(client_, platform.clock, platform.random, log, metrics_),
        cluster_(context_) {}

  kube::KubeCluster& cluster() { return cluster_; }
  /// For events in the name of `instance`; KubeSide must outlive it.
  [[nodiscard]] kube::KubeEventWriter event_writer(std::string instance) const {
    return {context_, std::move(instance)};
  }
  [[nodiscard]] const std::string& server() const { return client_.server(); }
  [[nodiscard]] const kube::Metrics& metrics() const { return metrics_; }

 private:
  kube::Metrics metrics_;
  kube::Client client_;
  kube::Context context_;
  kube::KubeCluster cluster_;
};

}  // namespace ferryman::app
