// SPDX-License-Identifier: Apache-2.0
// WorldBench: a whole sandbox under simulated time, reached as a client reaches it.
#pragma once

#include <string>

#include "base/json.h"
#include "net/local_client.h"
#include "sandbox/control.h"
#include "sandbox/scenario.h"
#include "support/simulation.h"

namespace ferryman::sandbox::test {

class WorldBench {
 public:
  explicit WorldBench(const Scenario& scenario = small())
      : world(sim.clock, sim.scope, world_settings(scenario)) {
    client.route("aws.sandbox", world.aws_endpoint());
    client.route("kubernetes.sandbox", world.kubernetes_endpoint());
    client.route("control.sandbox", control);
    populate(world, scenario);
  }
  // The coroutines end before what they use.
  ~WorldBench() {
    sim.scope.cancel();
    sim.clock.advance(std::chrono::seconds{0});
  }
  WorldBench(const WorldBench&) = delete;
  WorldBench& operator=(const WorldBench&) = delete;

  /// Three nodes with four pods each; nobody asks for credentials.
  static Scenario small() {
    Scenario scenario;
    scenario.nodes = 3;
    scenario.pods_per_node = 4;
    scenario.check_signatures = false;
    scenario.check_tokens = false;
    return scenario;
  }

  Result<net::HttpResponse> send(net::HttpRequest request, Duration patience = std::chrono::seconds{30}) {
    return sim.run(client.send(std::move(request), Deadline::after(sim.clock, patience)));
  }
  Result<net::HttpResponse> list_queues() {
    net::HttpRequest request("POST", "http://aws.sandbox/");
    request.headers.add("X-Amz-Target", "AmazonSQS.ListQueues");
    request.body = "{}";
    return send(std::move(request));
  }
  Result<net::HttpResponse> query(const std::string& body) {
    net::HttpRequest request("POST", "http://aws.sandbox/");
    request.headers.add("Content-Type", "application/x-www-form-urlencoded");
    request.body = body;
    return send(std::move(request));
  }
  Result<net::HttpResponse> nodes() {
    return send(net::HttpRequest("GET", "https://kubernetes.sandbox/api/v1/nodes"));
  }
  net::HttpResponse call_control(const std::string& method, const std::string& path, std::string body = {}) {
    net::HttpRequest request(method, "http://control.sandbox/sandbox/" + path);
    request.body = std::move(body);
    return *send(std::move(request));
  }
  /// Orders a fault; its text must be good.
  void order(const std::string& rule) { ASSERT_EQ(call_control("POST", "faults", rule).status, 201) << rule; }

  [[nodiscard]] InstanceId first_instance() {
    return world.aws().groups().find("workers-1")->members.begin()->first;
  }

  ferryman::test::Simulation sim;
  World world;
  ControlHandler control{world};
  net::LocalClient client{sim.clock, sim.scope};
};

}  // namespace ferryman::sandbox::test
