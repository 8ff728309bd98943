// SPDX-License-Identifier: Apache-2.0
#include "sim/balancer_stories.h"

namespace ferryman::sim {

using namespace std::chrono_literals;

namespace {

bool queue_is_empty(Scene& scene) {
  return scene.queue().messages().empty();
}

sandbox::TargetGroup& add_group(Scene& scene, const std::string& name, const std::string& type) {
  sandbox::TargetGroupSpec spec;
  spec.name = name;
  spec.target_type = type;
  spec.deregistration_delay = 10s;
  spec.load_balancer =
      scene.aws().load_balancers().create("more", "application", scene.sim().clock.wall()).arn;
  return scene.aws().target_groups().create(spec);
}

/// Narrowed by bindings, of which the cluster has none, and a tag that a new group carries.
class NarrowedStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "a hook, in groups told by bindings and tags"; }
  [[nodiscard]] SceneShape shape() const override {
    SceneShape shape = Story::shape();
    shape.terminate = 1;
    shape.target_groups = 0;
    shape.arguments = {"--target-group-bindings", "--target-group-tag=ours"};
    return shape;
  }
  void tell(Scene& scene, int second) override {
    if (second == 0) {
      sandbox::TargetGroup& group = add_group(scene, "tagged", "instance");
      group.spec.tags["ours"] = "";
      for (const InstanceId& id : scene.instances())
        scene.aws().target_groups().enroll(group, {id.str(), 80}, true);
      add_group(scene, "foreign", "instance");
    }
    if (second == 1) scene.terminate();
  }
  bool over(Scene& scene) override { return scene.over(); }
};

/// The node's own address is a target in a group that no controller keeps.
class AddressStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override {
    return "a hook of a node that is a target by its address";
  }
  [[nodiscard]] SceneShape shape() const override {
    SceneShape shape = Story::shape();
    shape.terminate = 1;
    shape.target_groups = 0;
    shape.arguments = {"--deregister-ip-targets"};
    return shape;
  }
  void tell(Scene& scene, int second) override {
    if (second == 0) {
      sandbox::TargetGroup& group = add_group(scene, "addresses", "ip");
      const auto* instance = scene.aws().instances().find(scene.instances().front());
      scene.aws().target_groups().enroll(group, {instance->private_ip, 80}, true);
    }
    if (second == 1) scene.terminate();
  }
  bool over(Scene& scene) override { return scene.over(); }
};

/// Recommended for rebalancing while it is the last target of its group: it stays there until another is
/// healthy. Nothing comes of it in the end.
class LastTargetStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override {
    return "a recommendation for the last target of a group";
  }
  [[nodiscard]] SceneShape shape() const override {
    SceneShape shape = Story::shape();
    shape.target_groups = 0;
    shape.arguments = {"--on-rebalance-recommendation=drain", "--voluntary-min-age=0s",
                       "--voluntary-undo-after=3m"};
    shape.terms.ignored_kinds.erase("rebalance-recommendation");
    return shape;
  }
  void tell(Scene& scene, int second) override {
    const InstanceId& id = scene.instances().front();
    if (second == 0) {
      sandbox::TargetGroup& group = add_group(scene, "last", "instance");
      group_ = group.arn;
      scene.aws().target_groups().enroll(group, {id.str(), 80}, true);
      scene.aws().interruptions().rebalance(id);
    }
    if (second == 60) {
      sandbox::TargetGroup& group = *scene.aws().target_groups().find(group_);
      scene.aws().target_groups().enroll(group, {scene.instances().back().str(), 80}, true);
    }
    left_ = left_ || scene.aws().target_groups().find(group_)->targets.count({id.str(), 80}) == 0;
  }
  bool over(Scene& scene) override {
    return left_ && queue_is_empty(scene) && !is_cordoned(scene, scene.instances().front());
  }

 private:
  std::string group_;
  bool left_ = false;
};

}  // namespace

std::vector<std::unique_ptr<Story>> balancer_stories() {
  std::vector<std::unique_ptr<Story>> stories;
  stories.push_back(std::make_unique<NarrowedStory>());
  stories.push_back(std::make_unique<AddressStory>());
  stories.push_back(std::make_unique<LastTargetStory>());
  return stories;
}

}  // namespace ferryman::sim
