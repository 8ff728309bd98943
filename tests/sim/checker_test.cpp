// SPDX-License-Identifier: Apache-2.0
// The checker must catch a daemon that is led astray: a setting that cannot be right, a transport that lies.
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "base/json.h"
#include "sim/faulty_calls.h"
#include "sim/scene.h"

namespace ferryman::sim {
namespace {

using namespace std::chrono_literals;

net::CallFate answered_in_its_place(std::string body) {
  net::CallFate fate(net::CallFate::Kind::fail_before);
  fate.status = 200;
  fate.body = std::move(body);
  return fate;
}

/// Says of every node that it has no pods.
class NoPods final : public net::CallInterceptor {
 public:
  net::CallFate on_call(const net::HttpRequest& request) override {
    if (request.url.find("/api/v1/pods?") == std::string::npos) return {};
    return answered_in_its_place(R"({"kind":"PodList","metadata":{"resourceVersion":"1"},"items":[]})");
  }
};

/// Says of every write to a Node that it took effect.
class UnwrittenNodes final : public net::CallInterceptor {
 public:
  net::CallFate on_call(const net::HttpRequest& request) override {
    if (request.method != "PATCH") return {};
    json::value node = *parse_json(request.body);
    node.as_object()["metadata"].as_object()["name"] = request.url.substr(request.url.rfind('/') + 1);
    node.as_object()["kind"] = "Node";
    return answered_in_its_place(json::serialize(node));
  }
};

/// What the checker says of one node's end under these conditions.
std::string judged(const SceneShape& shape, net::CallInterceptor* interceptor) {
  Scene scene(shape, 3);
  scene.start(interceptor);
  scene.advance(5s);
  scene.terminate();
  scene.run_to_the_end(5min);
  return scene.broken();
}

TEST(Checker, CatchesACompletionBeforeThePodsAreGone) {
  NoPods lie;
  EXPECT_NE(judged(SceneShape{}, &lie).find("was completed while pod"), std::string::npos);
}

TEST(Checker, CatchesAMessageDeletedBeforeItsClaim) {
  UnwrittenNodes lie;
  EXPECT_NE(judged(SceneShape{}, &lie).find("was deleted before a claim was on its node"), std::string::npos);
}

TEST(Checker, CatchesASettingThatLetsInstancesGoTooSoon) {
  SceneShape hasty;
  hasty.arguments = {"--max-termination-time", "60s"};
  Scene scene(hasty, 3);
  scene.start();
  scene.advance(5s);
  sandbox::PodSpec stuck;
  stuck.name = "stuck";
  stuck.node_name = scene.kube().find_node(scene.instances().front())->name;
  stuck.behaviour.stuck = true;
  scene.kube().add_pod(stuck);
  scene.terminate();
  scene.run_to_the_end(5min);
  EXPECT_NE(scene.broken().find("was completed while pod"), std::string::npos);
}

}  // namespace
}  // namespace ferryman::sim
