// SPDX-License-Identifier: Apache-2.0
#include "sim/story.h"

#include <algorithm>

#include "sim/balancer_stories.h"
#include "sim/drain_stories.h"
#include "sim/message_stories.h"

namespace ferryman::sim {

using namespace std::chrono_literals;

SceneShape Story::shape() const {
  SceneShape shape;
  shape.nodes = 2;
  shape.replicas = 2;
  shape.terminate = 0;
  shape.target_groups = 1;
  shape.classic_elbs = 0;
  shape.budget = false;
  return shape;
}

bool Story::is_cordoned(Scene& scene, const InstanceId& id) {
  const auto node = scene.kube().find_node(id);
  return node && node->unschedulable;
}

bool Story::is_empty(Scene& scene, const InstanceId& id) {
  const auto pods = scene.kube().pods_of(id);
  return std::all_of(pods.begin(), pods.end(), [](const auto& pod) { return pod.owner_kind == "DaemonSet"; });
}

bool Story::serves(Scene& scene, const InstanceId& id) {
  for (const auto& [arn, group] : scene.aws().target_groups().all()) {
    const auto target = group.targets.find({id.str(), 80});
    if (target == group.targets.end() || target->second.state == sandbox::TargetState::draining) return false;
  }
  const auto& classic = scene.aws().classic_balancers().all();
  return std::all_of(classic.begin(), classic.end(), [&](const auto& entry) {
    const auto one = entry.second.instances.find(id);
    return one != entry.second.instances.end() && one->second.state != sandbox::TargetState::draining;
  });
}

namespace {

bool runs(Scene& scene, const InstanceId& id) {
  const auto* instance = scene.aws().instances().find(id);
  return instance != nullptr && instance->state == sandbox::InstanceState::running;
}

bool queue_is_empty(Scene& scene) {
  return scene.queue().messages().empty();
}

std::string state_in_group(Scene& scene, const InstanceId& id) {
  const auto& members = scene.cluster().group().members;
  const auto found = members.find(id);
  return found == members.end() ? std::string() : found->second;
}

class HookStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "a lifecycle hook"; }
  [[nodiscard]] SceneShape shape() const override { return {}; }
  void tell(Scene& scene, int second) override {
    if (second == 0) scene.terminate();
  }
  bool over(Scene& scene) override { return scene.over(); }
};

/// The hook, a spot notice in the middle of it, and the state changes of the end.
class SpotStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "a hook, a spot notice and state changes"; }
  [[nodiscard]] SceneShape shape() const override {
    SceneShape shape;
    shape.target_groups = 0;
    shape.terms.final_deadline = 100s;
    return shape;
  }
  void tell(Scene& scene, int second) override {
    const InstanceId& id = scene.instances().front();
    if (second == 0) scene.terminate();
    if (second == 3) scene.aws().interruptions().spot(id);
    if (second == 4) SceneEvents(scene).state_change(id, "shutting-down");
  }
  bool over(Scene& scene) override { return scene.over(); }
};

/// Planned for later, drained at its time, and closed afterwards: everything is as before.
class HealthStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "a reboot that AWS plans and closes again"; }
  [[nodiscard]] SceneShape shape() const override {
    SceneShape shape = Story::shape();
    shape.classic_elbs = 1;
    shape.arguments = {"--voluntary-min-age=0s", "--lead-time=*=4m"};
    return shape;
  }
  void tell(Scene& scene, int second) override {
    if (second == 0) {
      notice_.entities = {scene.instances().front().str()};
      notice_.code = "AWS_EC2_INSTANCE_REBOOT_MAINTENANCE_SCHEDULED";
      notice_.start = scene.sim().clock.wall() + 6min;
      notice_.event_arn = scene.aws().interruptions().health(notice_);
    }
    drained_ = drained_ ||
               (is_cordoned(scene, scene.instances().front()) && is_empty(scene, scene.instances().front()));
    if (second == 600) {
      notice_.status = "closed";
      scene.aws().interruptions().health(notice_);
      closed_ = true;
    }
  }
  bool over(Scene& scene) override {
    const InstanceId& id = scene.instances().front();
    return drained_ && closed_ && queue_is_empty(scene) && !is_cordoned(scene, id) && serves(scene, id);
  }

 private:
  sandbox::HealthNotice notice_;
  bool drained_ = false;
  bool closed_ = false;
};

class LateNodeStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "a hook of a node that joins late"; }
  void tell(Scene& scene, int second) override {
    if (second != 0) return;
    id_ = scene.cluster().start_late(41s);
    scene.cluster().end(id_);
  }
  bool over(Scene& scene) override { return queue_is_empty(scene) && !runs(scene, id_); }

 private:
  InstanceId id_;
};

/// No Node ever comes, and in the end no instance is there.
class NeverStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "a hook of an instance that never joins"; }
  void tell(Scene& scene, int second) override {
    if (second == 0) {
      scene.aws().settings().gone_noticed = 3h;
      id_ = scene.cluster().start_late(std::nullopt);
      scene.cluster().end(id_);
    }
    if (second == 30) scene.aws().instances().shut_down(id_);
    told_ = told_ || second == 30;
  }
  bool over(Scene& scene) override {
    return told_ && queue_is_empty(scene) && scene.aws().groups().actions().waits(id_).empty();
  }

 private:
  InstanceId id_;
  bool told_ = false;
};

/// Taken without a hook: the claim has to be there within the two minutes that the notice gives.
class SpotAloneStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "a spot notice"; }
  void tell(Scene& scene, int second) override {
    const InstanceId& id = scene.instances().front();
    if (second == 0) scene.aws().interruptions().spot(id);
    cordoned_ = cordoned_ || is_cordoned(scene, id);
  }
  bool over(Scene& scene) override {
    return cordoned_ && queue_is_empty(scene) && !scene.kube().find_node(scene.instances().front());
  }

 private:
  bool cordoned_ = false;
};

/// Out to the warm pool by one hook, and back by another.
class WarmPoolStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "to the warm pool and back"; }
  void tell(Scene& scene, int second) override {
    const InstanceId& id = scene.instances().front();
    if (second == 0) {
      sandbox::GroupHook hook;
      hook.name = "join";
      hook.transition = "autoscaling:EC2_INSTANCE_LAUNCHING";
      hook.heartbeat_timeout = 30min;
      scene.cluster().group().hooks["join"] = hook;
      scene.cluster().group().warm_pool = sandbox::WarmPool();
      scene.cluster().end(id);
    }
    // At once: its Node still looks as if it were Ready.
    if (!taken_ && state_in_group(scene, id) == "Warmed:Stopped")
      taken_ = scene.aws().groups().take_from_warm_pool(id);
  }
  bool over(Scene& scene) override {
    const InstanceId& id = scene.instances().front();
    return taken_ && queue_is_empty(scene) && state_in_group(scene, id) == "InService" &&
           !is_cordoned(scene, id) && serves(scene, id);
  }

 private:
  bool taken_ = false;
};

/// Drained for a recommendation after which nothing comes: everything is as before.
class RebalanceStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "a rebalance recommendation"; }
  [[nodiscard]] SceneShape shape() const override {
    SceneShape shape = Story::shape();
    shape.arguments = {"--on-rebalance-recommendation=drain", "--voluntary-min-age=0s",
                       "--voluntary-undo-after=3m"};
    shape.terms.ignored_kinds.erase("rebalance-recommendation");
    return shape;
  }
  void tell(Scene& scene, int second) override {
    const InstanceId& id = scene.instances().front();
    if (second == 0) scene.aws().interruptions().rebalance(id);
    drained_ = drained_ || (is_cordoned(scene, id) && is_empty(scene, id));
  }
  bool over(Scene& scene) override {
    const InstanceId& id = scene.instances().front();
    return drained_ && queue_is_empty(scene) && !is_cordoned(scene, id) && serves(scene, id);
  }

 private:
  bool drained_ = false;
};

/// Found by asking EC2: no message tells of it.
class PollStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "a retirement found by a poll"; }
  [[nodiscard]] SceneShape shape() const override {
    SceneShape shape = Story::shape();
    shape.arguments = {"--poll-instance-status=30s", "--on-instance-status=drain", "--voluntary-min-age=0s"};
    shape.terms.ignored_kinds.erase("instance-status");
    return shape;
  }
  void tell(Scene& scene, int second) override {
    const InstanceId& id = scene.instances().front();
    if (second == 0) {
      sandbox::PlannedEvent event;
      event.code = "instance-retirement";
      event.not_before = scene.sim().clock.wall() + 24h;
      scene.aws().plans().plan(id, event);
    }
  }
  bool over(Scene& scene) override {
    const InstanceId& id = scene.instances().front();
    return is_cordoned(scene, id) && is_empty(scene, id);
  }
};

}  // namespace

std::vector<std::unique_ptr<Story>> all_stories() {
  std::vector<std::unique_ptr<Story>> stories;
  stories.push_back(std::make_unique<HookStory>());
  stories.push_back(std::make_unique<SpotStory>());
  stories.push_back(std::make_unique<HealthStory>());
  stories.push_back(std::make_unique<LateNodeStory>());
  stories.push_back(std::make_unique<NeverStory>());
  stories.push_back(std::make_unique<SpotAloneStory>());
  stories.push_back(std::make_unique<WarmPoolStory>());
  stories.push_back(std::make_unique<RebalanceStory>());
  stories.push_back(std::make_unique<PollStory>());
  for (auto& story : message_stories()) stories.push_back(std::move(story));
  for (auto& story : drain_stories()) stories.push_back(std::move(story));
  for (auto& story : balancer_stories()) stories.push_back(std::move(story));
  return stories;
}

}  // namespace ferryman::sim
