// SPDX-License-Identifier: Apache-2.0
// The pause switch, thrown while the whole daemon runs.
#include <gtest/gtest.h>

#include "sim/scene.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

class Pause : public ::testing::Test {
 protected:
  static SceneShape shape() {
    SceneShape shape;
    shape.arguments = {"--pause-config-map=default/ferryman-pause"};
    shape.heartbeat_timeout = 1h;
    shape.terminate = 1;
    return shape;
  }
  /// What an operator's kubectl sends; gives the status.
  int send(const std::string& method, const std::string& path, const std::string& body = {}) {
    net::HttpRequest request(method, "https://" + scene.cluster().identity().kube_host +
                                         "/api/v1/namespaces/default/configmaps" + path);
    request.headers.set("Authorization", "Bearer " + scene.cluster().identity().token);
    request.headers.set("Content-Type", "application/json");
    request.body = body;
    return scene.sim().run(scene.cluster().api_server().handle(std::move(request))).response.status;
  }
  void pause() {
    EXPECT_EQ(send("POST", "",
                   R"({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "ferryman-pause"},
                       "data": {"paused": "true"}})"),
              201);
  }

  Scene scene{shape(), 21};
};

TEST_F(Pause, StopsNewWorkWithinSecondsAndLetsItGoOn) {
  Replica& replica = scene.start();
  scene.advance(30s);
  pause();
  scene.advance(6s);
  scene.terminate();
  scene.advance(10min);
  EXPECT_EQ(scene.count("kubernetes", "nodes.patch"), 0U);
  EXPECT_EQ(replica.logs.with("work.paused").size(), 1U);
  EXPECT_TRUE(replica.daemon->ready());
  EXPECT_EQ(send("DELETE", "/ferryman-pause"), 200);
  EXPECT_TRUE(scene.run_to_the_end(10min));
  EXPECT_EQ(scene.broken(), "");
  EXPECT_EQ(replica.logs.with("work.resumed").size(), 1U);
}

TEST_F(Pause, LetsWhatRunsGoOn) {
  scene.start();
  scene.advance(5s);
  scene.terminate();
  scene.advance(5s);
  ASSERT_GT(scene.count("kubernetes", "nodes.patch"), 0U);
  pause();
  EXPECT_TRUE(scene.run_to_the_end(10min));
  EXPECT_EQ(scene.broken(), "");
}

TEST_F(Pause, HoldsFromTheStart) {
  pause();
  scene.start();
  scene.terminate();
  scene.advance(10min);
  EXPECT_EQ(scene.count("kubernetes", "nodes.patch"), 0U);
  EXPECT_EQ(scene.count("sqs", "ReceiveMessage"), 0U);
}

}  // namespace
}  // namespace ferryman::sim
