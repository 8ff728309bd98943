// SPDX-License-Identifier: Apache-2.0
#include "sim/message_stories.h"

namespace ferryman::sim {

namespace {

bool queue_is_empty(Scene& scene) {
  return scene.queue().messages().empty();
}

/// EventBridge delivers as best effort: the hook waits, and nobody is told.
class LostStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "a hook whose message is lost"; }
  [[nodiscard]] SceneShape shape() const override {
    SceneShape shape = Story::shape();
    shape.terminate = 1;
    shape.arguments = {"--hook=drain"};
    return shape;
  }
  void tell(Scene& scene, int second) override {
    if (second != 1) return;
    scene.aws().events().lose_next();
    scene.terminate();
  }
  bool over(Scene& scene) override { return scene.over(); }
};

/// What is no event at all, and a good message behind it.
class PoisonStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "a message that does not parse"; }
  [[nodiscard]] SceneShape shape() const override {
    SceneShape shape = Story::shape();
    shape.arguments = {"--unparsable=delete"};
    return shape;
  }
  void tell(Scene& scene, int second) override {
    if (second == 0) SceneEvents(scene).body("{\"source\":");
  }
  bool over(Scene& scene) override { return queue_is_empty(scene); }
};

/// Nobody's: it goes back again and again, and is gone after its useful life.
class ForeignStory final : public Story {
 public:
  [[nodiscard]] std::string name() const override { return "a spot notice of another cluster's instance"; }
  void tell(Scene& scene, int second) override {
    SceneEvents events(scene);
    if (second == 0) events.spot(events.foreign(1, Foreign::other_clusters).front());
  }
  bool over(Scene& scene) override { return queue_is_empty(scene); }
};

}  // namespace

std::vector<std::unique_ptr<Story>> message_stories() {
  std::vector<std::unique_ptr<Story>> stories;
  stories.push_back(std::make_unique<LostStory>());
  stories.push_back(std::make_unique<PoisonStory>());
  stories.push_back(std::make_unique<ForeignStory>());
  return stories;
}

}  // namespace ferryman::sim
