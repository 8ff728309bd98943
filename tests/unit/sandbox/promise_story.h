// SPDX-License-Identifier: Apache-2.0
// Story: a record of one node's end for the checker of the promises, told step by step.
#pragma once

#include <string>

#include "sandbox/promises.h"
#include "support/simulation.h"

namespace ferryman::sandbox::test {

inline constexpr const char* instance = "i-0123456789abcdef0";

/// A record of one node's end, told step by step.
class Story {
 public:
  Story& node_with_a_pod() {
    journal.fact("node.added", "node-a", {{"uid", "u-node"}, {"instance", instance}});
    journal.fact("pod.created", "default/web",
                 {{"uid", "u-pod"}, {"node", "node-a"}, {"owner", "ReplicaSet"}, {"grace", "30"}});
    return *this;
  }
  Story& told() {
    journal.fact("hook.waiting", instance, {{"hook", "drain"}, {"token", "t1"}});
    journal.fact("message.sent", "m1", {{"instance", instance}});
    return *this;
  }
  Story& cordoned() {
    journal.call("kubernetes", "nodes.patch", "node-a", "ok",
                 {{"unschedulable", "true"}, {"claim", "present"}});
    return *this;
  }
  Story& message_deleted() {
    journal.call("sqs", "DeleteMessage", "m1", "ok", {{"deleted", "true"}});
    return *this;
  }
  /// "registered", "draining" or "gone", under two ports of one group.
  Story& targets(const std::string& state) {
    for (const char* port : {"80", "8080"})
      journal.fact("target." + state, instance, {{"instance", instance}, {"group", "web"}, {"port", port}});
    return *this;
  }
  Story& evicted() {
    journal.call("kubernetes", "pods.evict", "default/web", "ok",
                 {{"uid", "u-pod"}, {"node", "node-a"}, {"precondition", "u-pod"}});
    journal.fact("pod.terminating", "default/web",
                 {{"uid", "u-pod"}, {"node", "node-a"}, {"owner", "ReplicaSet"}});
    return *this;
  }
  Story& pod_gone(const std::string& how) {
    journal.fact("pod.gone", "default/web",
                 {{"uid", "u-pod"}, {"node", "node-a"}, {"owner", "ReplicaSet"}, {"how", how}});
    return *this;
  }
  Story& completed() {
    journal.fact("hook.completed", instance, {{"hook", "drain"}, {"token", "t1"}});
    return *this;
  }
  [[nodiscard]] std::string judged(const PromiseTerms& terms = {}) const {
    std::string all;
    for (const std::string& text : broken_promises(journal, terms)) all += text + "\n";
    return all;
  }

  ferryman::test::Simulation sim;
  Journal journal{sim.clock};
};

}  // namespace ferryman::sandbox::test
