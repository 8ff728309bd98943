// SPDX-License-Identifier: Apache-2.0
#include "sim/drain_stories.h"

namespace ferryman::sim {

using namespace std::chrono_literals;

namespace {

sandbox::PodSpec pod_on(Scene& scene, const std::string& name) {
  sandbox::PodSpec pod;
  pod.name = name;
  pod.node_name = scene.kube().find_node(scene.instances().front())->name;
  pod.owner_kind = "ReplicaSet";
  return pod;
}

bool queue_is_empty(Scene& scene) {
  return scene.queue().messages().empty();
}

std::size_t facts(Scene& scene, const std::string& operation) {
  return scene.count("world", operation, "ok") + scene.count("world", operation, "");
}

/// A volume to wait for, a pod of an earlier wave, and DaemonSet pods that go last.
class WavesStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "volumes, waves and chosen DaemonSet pods"; }
  [[nodiscard]] SceneShape shape() const override {
    SceneShape shape = Story::shape();
    shape.terminate = 1;
    shape.target_groups = 0;
    shape.arguments = {"--delete-daemonset-pods", "app=agent"};
    return shape;
  }
  void tell(Scene& scene, int second) override {
    if (second != 0) return;
    sandbox::PodSpec database = pod_on(scene, "db");
    scene.kube().add_volume(sandbox::VolumeSpec("data", database.node_name));
    database.behaviour.claims = {"data"};
    scene.kube().add_pod(database);
    sandbox::PodSpec first = pod_on(scene, "first");
    first.labels["ferryman.dev/drain-wave"] = "-1";
    scene.kube().add_pod(first);
    scene.terminate();
  }
  bool over(Scene& scene) override { return scene.over() && facts(scene, "volume.detached") == 1; }
};

/// A pod that never ends, on a node that EC2 stops: what Kubernetes is told of it.
class OutOfServiceStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "a stopped instance, out of service"; }
  [[nodiscard]] SceneShape shape() const override {
    SceneShape shape = Story::shape();
    shape.target_groups = 0;
    shape.arguments = {"--out-of-service-taint"};
    return shape;
  }
  void tell(Scene& scene, int second) override {
    if (second != 0) return;
    sandbox::PodSpec stuck = pod_on(scene, "stuck");
    stuck.behaviour.stuck = true;
    scene.kube().add_pod(stuck);
    scene.aws().interruptions().spot(scene.instances().front(), "stop");
  }
  bool over(Scene& scene) override {
    const InstanceId& id = scene.instances().front();
    const auto* instance = scene.aws().instances().find(id);
    return queue_is_empty(scene) && instance->state == sandbox::InstanceState::stopped && is_empty(scene, id);
  }
};

/// The cloud controller leaves the Node where it is: it is ours to remove, once.
class DeletedNodeStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override {
    return "a Node that is deleted after its instance's end";
  }
  [[nodiscard]] SceneShape shape() const override {
    SceneShape shape = Story::shape();
    shape.terminate = 1;
    shape.node_removal = 24h;
    shape.arguments = {"--delete-node", "--no-execute-after-drain"};
    return shape;
  }
  void tell(Scene& scene, int second) override {
    if (second == 0) scene.terminate();
  }
  bool over(Scene& scene) override {
    return scene.over() && !scene.kube().find_node(scene.instances().front());
  }
};

/// A pod that stays for a mere recommendation fails the drain: everything is as before.
class FailedDrainStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "a recommendation whose drain fails"; }
  [[nodiscard]] SceneShape shape() const override {
    SceneShape shape = Story::shape();
    shape.arguments = {"--on-rebalance-recommendation=drain", "--voluntary-min-age=0s", "--undo-failed-drain",
                       "--max-termination-time=3m", "--min-healthy-targets=0"};
    shape.terms.evictions_wait = 10s;  // for balancers: of three minutes no more
    shape.terms.ignored_kinds.erase("rebalance-recommendation");
    return shape;
  }
  void tell(Scene& scene, int second) override {
    const InstanceId& id = scene.instances().front();
    if (second == 0) {
      sandbox::PodSpec singleton = pod_on(scene, "singleton");
      singleton.annotations["ferryman.dev/forced-ends-only"] = "true";
      scene.kube().add_pod(singleton);
      scene.aws().interruptions().rebalance(id);
    }
    cordoned_ = cordoned_ || is_cordoned(scene, id);
  }
  bool over(Scene& scene) override {
    const InstanceId& id = scene.instances().front();
    return cordoned_ && queue_is_empty(scene) && !is_cordoned(scene, id) && !is_empty(scene, id);
  }

 private:
  bool cordoned_ = false;
};

}  // namespace

std::vector<std::unique_ptr<Story>> drain_stories() {
  std::vector<std::unique_ptr<Story>> stories;
  stories.push_back(std::make_unique<WavesStory>());
  stories.push_back(std::make_unique<OutOfServiceStory>());
  stories.push_back(std::make_unique<DeletedNodeStory>());
  stories.push_back(std::make_unique<FailedDrainStory>());
  return stories;
}

}  // namespace ferryman::sim
