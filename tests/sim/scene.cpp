// SPDX-License-Identifier: Apache-2.0
#include "sim/scene.h"

#include <stdexcept>

#include "app/settings_resolver.h"

namespace ferryman::sim {

namespace {

using namespace std::chrono_literals;

constexpr const char* queue_url = "http://aws.sim/123456789012/ferryman";

app::Settings settings_of(const SceneCluster& cluster, const Environment& environment, Files& files) {
  const SceneShape& shape = cluster.shape();
  std::vector<std::string> arguments = {"--queue-url",  queue_url,    "--region",    "us-west-2",
                                        "--kubeconfig", "kubeconfig", "--log-level", "debug"};
  if (shape.tells_its_name) arguments.insert(arguments.end(), {"--cluster-name", cluster.name()});
  arguments.insert(arguments.end(), shape.arguments.begin(), shape.arguments.end());
  const app::Resolution resolution = app::resolve_settings(app::serve_table(), arguments, environment, files);
  if (!resolution.problems.empty()) throw std::runtime_error(resolution.problems.front());
  return app::Settings(resolution.values);
}

}  // namespace

Scene::Scene(SceneShape shape, std::uint64_t seed) : seed_(seed), stage_(sim_, servers_, seed) {
  aws().queues().create("ferryman");
  sandbox::EventRule rule;
  rule.queue = "ferryman";
  rule.state_changes = shape.state_changes;
  aws().events().add_rule(rule);
  clusters_.push_back(std::make_unique<SceneCluster>(stage_, "sim", std::move(shape)));
}

Scene::~Scene() {
  for (auto& replica : replicas_) {
    if (!replica->ended) replica->daemon->stop(Deadline::after(sim_.clock, 5s));
  }
  sim_.clock.advance(30s);
  servers_.cancel();
  sim_.clock.advance(0s);
}

SceneCluster& Scene::add_cluster(const std::string& name, SceneShape shape) {
  return *clusters_.emplace_back(std::make_unique<SceneCluster>(stage_, name, std::move(shape)));
}

Replica& Scene::start(SceneCluster& cluster, net::CallInterceptor* interceptor) {
  auto& replica = *replicas_.emplace_back(
      std::make_unique<Replica>(sim_, servers_, cluster.identity(), seed_ * 1000 + replicas_.size()));
  replica.client.route("aws.sim", aws_handler_);
  replica.client.route(cluster.identity().kube_host, cluster.api_server());
  if (cluster.shape().latency > Duration{0}) {
    replica.slow = std::make_unique<SlowCalls>(cluster.shape().latency, interceptor);
    interceptor = replica.slow.get();
  }
  replica.client.intercept(interceptor);
  const app::Platform platform{sim_.clock,          replica.random, replica.client,  replica.files,
                               replica.environment, replica.logs,   replica.programs};
  replica.daemon =
      std::make_unique<app::Daemon>(settings_of(cluster, replica.environment, replica.files), platform);
  if (!replica.daemon->problems().empty()) throw std::runtime_error(replica.daemon->problems().front());
  servers_.spawn("replica", watch(replica));
  return replica;
}

Task<void> Scene::watch(Replica& replica) {
  co_await replica.daemon->run();
  replica.ended = true;
}

void Scene::terminate() {
  for (int i = 0; i < cluster().shape().terminate; ++i) {
    cluster().end(instances().at(static_cast<std::size_t>(i)));
  }
}

bool Scene::over() {
  if (!queue().messages().empty()) return false;
  for (int i = 0; i < cluster().shape().terminate; ++i) {
    const auto* instance = aws().instances().find(instances().at(static_cast<std::size_t>(i)));
    if (instance != nullptr && instance->state == sandbox::InstanceState::running) return false;
  }
  return true;
}

bool Scene::run_to_the_end(Duration longest) {
  const SteadyTime until = sim_.clock.now() + longest;
  while (!over() && sim_.clock.now() < until) sim_.clock.advance(1s);
  sim_.clock.advance(10s);
  return over();
}

double Scene::advance_until(const std::function<bool()>& done, Duration longest) {
  const SteadyTime from = sim_.clock.now();
  while (!done() && sim_.clock.now() < from + longest) sim_.clock.advance(100ms);
  return seconds(sim_.clock.now() - from);
}

bool Scene::stop(Replica& replica, Duration within) {
  replica.daemon->stop(Deadline::after(sim_.clock, within));
  sim_.clock.advance(within + 3s);
  return replica.ended;
}

std::string Scene::broken(SceneCluster& cluster) {
  std::string all;
  for (const std::string& text : sandbox::broken_promises(journal(), cluster.terms())) all += text + "\n";
  if (servers_.failures() > 0) all += "promise 1: a handler or a daemon ended by an exception\n";
  const Identity& who = cluster.identity();
  for (const auto& replica : replicas_) {
    if (replica->daemon->failures() > 0) all += "promise 1: a coroutine ended by an exception\n";
    for (const std::string& line : replica->logs.lines) {
      const bool secret =
          line.find(who.secret_key) != std::string::npos || line.find(who.token) != std::string::npos;
      if (secret) all += "promise 10: a secret in the log: " + line + "\n";
    }
  }
  return all;
}

std::size_t Scene::count(std::string_view service, std::string_view operation,
                         std::string_view outcome) const {
  std::size_t n = 0;
  for (const auto& entry : journal().entries()) {
    n += entry.service == service && entry.operation == operation && entry.outcome == outcome ? 1 : 0;
  }
  return n;
}

}  // namespace ferryman::sim
