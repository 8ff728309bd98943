// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/random.h"
#include "sandbox/kube/json_path.h"
#include "sandbox/kube/node_objects.h"
#include "sandbox/kube/pod_ledger.h"
#include "sandbox/kube/pod_objects.h"
#include "support/simulation.h"

namespace ferryman::sandbox::test {
namespace {

/// A store in which pods and nodes change at random, and what a look at everything says of it.
class Ledger : public ::testing::Test {
 protected:
  void change_something() {
    const ObjectKey key("shop", "pod-" + std::to_string(chance.below(12)));
    const ObjectPtr now = store.find("pods", key);
    const auto what = chance.below(4);
    if (now == nullptr) {
      PodSpec spec;
      spec.pod_namespace = key.space;
      spec.name = key.name;
      spec.labels = {{"app", chance.below(2) == 0 ? "web" : "api"}};
      store.create("pods", pod_object(spec, PodOwner("ReplicaSet", "set", "owner-" + key.name.substr(4, 1))));
    } else if (what == 0) {
      store.remove("pods", key);
    } else {
      json::value pod = *now;
      if (what == 1) make_at(pod, "spec.nodeName") = "node-" + std::to_string(chance.below(3));
      if (what == 2) set_running(pod, chance.below(2) == 0, "2026-01-01T00:00:00Z", "10.1.0.1");
      if (what == 3) make_at(pod, "metadata.deletionTimestamp") = "2026-01-01T00:00:00Z";
      store.update("pods", key, std::move(pod));
    }
  }
  void expect_as_counted() const {
    std::map<std::string, int> on_node;
    std::map<std::string, int> active;
    std::map<std::string, int> ready;
    std::map<std::string, int> healthy;
    for (const ObjectPtr& pod : store.list("pods")) {
      ++on_node[std::string(node_of(*pod))];
      const std::string owner(owner_uid(*pod));
      EXPECT_TRUE(ledger.has(owner, std::string(node_of(*pod))));
      active[owner] += is_terminating(*pod) ? 0 : 1;
      ready[owner] += !is_terminating(*pod) && is_pod_ready(*pod) ? 1 : 0;
      healthy[std::string(text_at(*pod, "metadata.labels.app"))] +=
          !is_terminating(*pod) && is_pod_ready(*pod) ? 1 : 0;
    }
    for (const char* node : {"", "node-0", "node-1", "node-2"})
      EXPECT_EQ(static_cast<int>(ledger.on_node(node).size()), on_node[node]) << node;
    for (const auto& [owner, count] : active) EXPECT_EQ(ledger.active(owner), count) << owner;
    for (const auto& [owner, count] : ready) EXPECT_EQ(ledger.ready(owner), count) << owner;
    for (const auto& [labels, group] : ledger.groups("shop")) {
      EXPECT_EQ(group.healthy,
                healthy[std::string(text_at(*group.pods.begin()->second, "metadata.labels.app"))]);
    }
  }
  [[nodiscard]] std::string order() const {
    std::string names;
    for (const auto& [pods, name] : ledger.open_nodes()) names += name + " ";
    return names;
  }
  void add_node(const std::string& name) {
    store.create("nodes", node_object(NodeSpec(name, InstanceId("i-0123456789abcdef0")), "boot",
                                      "2026-01-01T00:00:00Z"));
  }
  void bind(const std::string& pod, const std::string& node) {
    PodSpec spec;
    spec.name = pod;
    json::value made = pod_object(spec, {});
    make_at(made, "spec.nodeName") = node;
    store.create("pods", std::move(made));
  }

  ferryman::test::Simulation sim;
  Random chance{7};
  ObjectStore store{sim.clock, chance};
  PodLedger ledger{store};
};

TEST_F(Ledger, SaysWhatALookAtEverythingSays) {
  for (int i = 0; i < 2'000; ++i) {
    change_something();
    expect_as_counted();
  }
}

TEST_F(Ledger, OpenNodesStandInTheOrderOfTheirPods) {
  for (const char* name : {"a", "b", "c"}) add_node(name);
  EXPECT_EQ(order(), "a b c ");
  bind("one", "a");
  EXPECT_EQ(order(), "b c a ");
  json::value cordoned = *store.find("nodes", {"", "b"});
  make_at(cordoned, "spec.unschedulable") = true;
  store.update("nodes", {"", "b"}, cordoned);
  EXPECT_EQ(order(), "c a ");
  store.remove("nodes", {"", "c"});
  bind("two", "b");
  make_at(cordoned, "spec.unschedulable") = false;
  store.update("nodes", {"", "b"}, std::move(cordoned));
  EXPECT_EQ(order(), "a b ") << "as many pods each: by name";
}

}  // namespace
}  // namespace ferryman::sandbox::test
