// SPDX-License-Identifier: Apache-2.0
// AwsBench: a small AWS under simulated time, called by plain requests as any client would send them.
#pragma once

#include <boost/json/serialize.hpp>
#include <pugixml.hpp>
#include <string>

#include "base/json.h"
#include "net/url.h"
#include "sandbox/aws/aws_handler.h"
#include "support/simulation.h"

namespace ferryman::sandbox::test {

class AwsBench {
 public:
  AwsBench() { keys.checking = false; }

  // The coroutines end before what they use.
  ~AwsBench() {
    sim.scope.cancel();
    sim.clock.advance(std::chrono::seconds{0});
  }
  AwsBench(const AwsBench&) = delete;
  AwsBench& operator=(const AwsBench&) = delete;

  net::HttpResponse send(net::HttpRequest request) { return sim.run(respond(handler, std::move(request))); }

  /// SQS's JSON protocol.
  net::HttpResponse sqs(const std::string& operation, const json::object& body) {
    return send(sqs_request(operation, json::serialize(body)));
  }
  json::value sqs_body(const std::string& operation, const json::object& body) {
    return *parse_json(sqs(operation, body).body);
  }

  /// The query protocols.
  net::HttpResponse query(const std::string& version, const std::string& action,
                          net::QueryParameters more = {}) {
    net::QueryParameters all{{"Action", action}, {"Version", version}};
    all.insert(all.end(), more.begin(), more.end());
    net::HttpRequest request("POST", "http://aws.sandbox/");
    request.headers.add("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
    request.body = net::format_query(all);
    return send(std::move(request));
  }
  net::HttpResponse autoscaling(const std::string& action, net::QueryParameters more = {}) {
    return query("2011-01-01", action, std::move(more));
  }
  net::HttpResponse ec2(const std::string& action, net::QueryParameters more = {}) {
    return query("2016-11-15", action, std::move(more));
  }

  static net::HttpRequest sqs_request(const std::string& operation, std::string body) {
    net::HttpRequest request("POST", "http://aws.sandbox/");
    request.headers.add("Content-Type", "application/x-amz-json-1.0");
    request.headers.add("X-Amz-Target", "AmazonSQS." + operation);
    request.body = std::move(body);
    return request;
  }

  /// A group "workers" with the hook "drain" (60 s), its events in the queue "events", and `n` running
  /// members.
  std::vector<InstanceId> workers(int n, std::chrono::seconds heartbeat = std::chrono::seconds{60}) {
    world.queues().create("events");
    world.events().add_rule("events");
    GroupSpec spec;
    spec.name = "workers";
    Group& group = world.groups().create(spec);
    GroupHook hook;
    hook.name = "drain";
    hook.heartbeat_timeout = heartbeat;
    group.hooks["drain"] = hook;
    LaunchSpec launch;
    launch.running = true;
    std::vector<InstanceId> ids;
    for (int i = 0; i < n; ++i) ids.push_back(world.groups().launch(group, launch));
    return ids;
  }

  /// The seconds since the start at which facts of that name were journaled.
  [[nodiscard]] std::vector<double> times_of(std::string_view fact) const {
    std::vector<double> times;
    for (const JournalEntry& entry : journal.entries()) {
      if (entry.operation == fact) times.push_back(seconds(entry.at - start));
    }
    return times;
  }
  [[nodiscard]] std::string state_of(const InstanceId& id) {
    const Group* group = world.groups().group_of(id);
    return group == nullptr ? "none" : group->members.at(id);
  }

  ferryman::test::Simulation sim;
  SteadyTime start = sim.clock.now();
  Random random{7};
  Journal journal{sim.clock};
  Timeline timeline{sim.clock, sim.scope};
  AwsWorld world{timeline, random, journal};
  AccessKeys keys{random, world.settings()};
  AwsHandler handler{world, keys};

 private:
  static Task<net::HttpResponse> respond(net::HttpHandler& handler, net::HttpRequest request) {
    auto reply = co_await handler.handle(std::move(request));
    co_return std::move(reply.response);
  }
};

/// The text of the first element that the XPath names; "none" when there is none.
inline std::string xml_at(const net::HttpResponse& response, const char* xpath) {
  pugi::xml_document document;
  document.load_string(response.body.c_str());
  const pugi::xpath_node found = document.select_node(xpath);
  return found ? found.node().text().get() : "none";
}
inline std::size_t xml_count(const net::HttpResponse& response, const char* xpath) {
  pugi::xml_document document;
  document.load_string(response.body.c_str());
  return document.select_nodes(xpath).size();
}

}  // namespace ferryman::sandbox::test
