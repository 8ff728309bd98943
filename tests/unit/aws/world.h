// SPDX-License-Identifier: Apache-2.0
// What the tests of the AWS module share: a service that answers from a list and keeps what it was sent.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "aws/service_client.h"
#include "net/local_client.h"
#include "support/simulation.h"

namespace ferryman::aws::test {

/// Answers in the given order; the last answer is repeated. Keeps every request.
class ScriptedService final : public net::HttpHandler {
 public:
  Task<net::HttpReply> handle(net::HttpRequest request) override {
    requests.push_back(std::move(request));
    if (delay.count() > 0) co_await clock->sleep_for(delay);
    if (answers.empty()) co_return net::HttpResponse(200, "{}");
    net::HttpResponse answer = answers.front();
    if (answers.size() > 1) answers.pop_front();
    co_return answer;
  }

  void answer(int status, std::string body) { answers.emplace_back(status, std::move(body)); }
  void answer(int status, std::string body, const std::string& header, std::string value) {
    answer(status, std::move(body));
    answers.back().headers.add(header, std::move(value));
  }

  std::deque<net::HttpResponse> answers;
  std::vector<net::HttpRequest> requests;
  Clock* clock = nullptr;
  Duration delay{0};
};

/// Gives the keys that it holds; counts how often it is told that they expired.
class FixedProvider final : public CredentialProvider {
 public:
  FixedProvider() {
    credentials.access_key_id = "AKIDFIXED";
    credentials.secret_access_key = Secret("topsecretkey");
    credentials.session_token = Secret("thesessiontoken");
    credentials.source = "settings";
  }

  Task<Result<Credentials>> get(Deadline /*deadline*/) override {
    if (error) co_return *error;
    co_return credentials;
  }
  void expired(const Credentials& used) override { expired_ids.push_back(used.access_key_id); }

  Credentials credentials;
  std::optional<Error> error;
  std::vector<std::string> expired_ids;
};

/// One service client before one scripted service, in simulated time.
class World {
 public:
  explicit World(Service service) {
    http.route("*", remote);
    remote.clock = &sim.clock;
    endpoint.service = service;
    endpoint.url = "https://aws.test/";
    endpoint.region = "us-west-2";
    client = std::make_unique<ServiceClient>(context, endpoint, &provider);
  }

  /// Ends what still runs while the client that it uses lives.
  ~World() {
    sim.scope.cancel();
    sim.clock.advance(Duration{0});
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  [[nodiscard]] Deadline in(Duration duration) const { return Deadline::after(sim.clock, duration); }
  [[nodiscard]] Deadline soon() const { return in(std::chrono::seconds{60}); }
  [[nodiscard]] const net::HttpRequest& last() const { return remote.requests.back(); }
  [[nodiscard]] const ServiceMetrics& counted() const { return metrics.services[endpoint.service]; }

  ferryman::test::Simulation sim;
  ScriptedService remote;
  net::LocalClient http{sim.clock, sim.scope};
  Random random{1};
  Metrics metrics;
  FixedProvider provider;
  CallContext context{http, sim.clock, random, sim.log, metrics};
  Endpoint endpoint;
  std::unique_ptr<ServiceClient> client;
};

}  // namespace ferryman::aws::test
