// SPDX-License-Identifier: Apache-2.0
#include "sim/scene.h"

#include <stdexcept>

#include "app/settings_resolver.h"

namespace ferryman::sim {

namespace {

using namespace std::chrono_literals;

constexpr const char* secret_key = "simulated-secret-access-key";
constexpr const char* token = "simulated-bearer-token";
constexpr const char* queue_url = "http://aws.sim/123456789012/ferryman";

constexpr const char* kubeconfig = R"(
apiVersion: v1
kind: Config
current-context: sim
contexts: [{name: sim, context: {cluster: sim, user: sim}}]
clusters: [{name: sim, cluster: {server: "https://kube.sim"}}]
users: [{name: sim, user: {token: simulated-bearer-token}}]
)";

app::Settings settings_of(const SceneShape& shape, const Environment& environment, Files& files) {
  std::vector<std::string> arguments = {"--queue-url",  queue_url,    "--region",    "us-west-2",
                                        "--kubeconfig", "kubeconfig", "--log-level", "debug"};
  arguments.insert(arguments.end(), shape.arguments.begin(), shape.arguments.end());
  const app::Resolution resolution = app::resolve_settings(app::serve_table(), arguments, environment, files);
  if (!resolution.problems.empty()) throw std::runtime_error(resolution.problems.front());
  return app::Settings(resolution.values);
}

}  // namespace

Result<std::string> SceneFiles::read(const std::string& path) {
  if (path == "kubeconfig") return std::string(kubeconfig);
  return Error(Fault::not_found, path + ": no such file");
}

Replica::Replica(test::Simulation& sim, Scope& servers, std::uint64_t seed)
    : client(sim.clock, servers),
      random(seed),
      environment({{"AWS_ENDPOINT_URL", "http://aws.sim"},
                   {"AWS_ACCESS_KEY_ID", "AKIASIMULATED0000000"},
                   {"AWS_SECRET_ACCESS_KEY", secret_key}}) {}

Scene::Scene(SceneShape shape, std::uint64_t seed) : shape_(std::move(shape)), seed_(seed), chance_(seed) {
  furnish();
}

Scene::~Scene() {
  for (auto& replica : replicas_) {
    if (!replica->ended) replica->daemon->stop(Deadline::after(sim_.clock, 5s));
  }
  sim_.clock.advance(30s);
  servers_.cancel();
  sim_.clock.advance(0s);
}

void Scene::furnish() {
  aws_.queues().create("ferryman");
  aws_.events().add_rule("ferryman");
  aws_.instances().observe(*this);
  sandbox::AccessKey key;
  key.id = "AKIASIMULATED0000000";
  key.secret = Secret(secret_key);
  key.arn = "arn:aws:iam::123456789012:user/ferryman";
  keys_.add(key);
  kube_handler_.accept_token(Secret(token), "ferryman");

  sandbox::GroupSpec spec;
  spec.name = "workers";
  sandbox::Group& group = aws_.groups().create(spec);
  sandbox::GroupHook hook;
  hook.name = "drain";
  hook.heartbeat_timeout = shape_.heartbeat_timeout;
  hook.default_result = "CONTINUE";
  group.hooks["drain"] = hook;
  for (int i = 0; i < shape_.nodes; ++i) {
    sandbox::LaunchSpec launch;
    launch.running = true;
    const InstanceId id = aws_.groups().launch(group, launch);
    instances_.push_back(id);
    kube_.add_node(sandbox::NodeSpec(aws_.instances().find(id)->private_dns_name, id));
  }
  add_balancers();
  kube_.add_daemon_set(sandbox::DaemonSetSpec("kube-system", "agent"));
  sandbox::DeploymentSpec web("web", shape_.replicas);
  web.pods.grace = shape_.pod_grace;
  web.pods.end_time = shape_.pod_end;
  web.pods.ready_after = shape_.ready_after;
  if (shape_.budget) web.min_available = shape_.replicas - 1;
  kube_.add_deployment(web);
}

void Scene::add_balancers() {
  for (int i = 0; i < shape_.target_groups; ++i) {
    sandbox::TargetGroupSpec spec;
    spec.name = "group-" + std::to_string(i);
    spec.protocol = i == 0 ? "TCP" : "HTTP";
    spec.deregistration_delay = shape_.deregistration_delay;
    spec.load_balancer =
        aws_.load_balancers()
            .create(i == 0 ? "tcp" : "web", i == 0 ? "network" : "application", sim_.clock.wall())
            .arn;
    sandbox::TargetGroup& group = aws_.target_groups().create(spec);
    for (const InstanceId& id : instances_) aws_.target_groups().enroll(group, {id.str(), 80}, true);
  }
  for (int i = 0; i < shape_.classic_elbs; ++i) {
    sandbox::ClassicBalancerSpec spec;
    spec.name = "classic-" + std::to_string(i);
    spec.draining_timeout = shape_.deregistration_delay;
    sandbox::ClassicBalancer& balancer = aws_.classic_balancers().create(spec);
    for (const InstanceId& id : instances_) aws_.classic_balancers().enroll(balancer, id, true);
  }
}

void Scene::instance_shutting_down(const sandbox::Ec2Instance& instance) {
  kube_.node_stopped(instance.id);
}

void Scene::instance_terminated(const sandbox::Ec2Instance& instance) {
  kube_.remove_node(instance.id);
}

Replica& Scene::start(net::CallInterceptor* interceptor) {
  auto& replica =
      *replicas_.emplace_back(std::make_unique<Replica>(sim_, servers_, seed_ * 1000 + replicas_.size()));
  replica.client.route("aws.sim", aws_handler_);
  replica.client.route("kube.sim", kube_handler_);
  replica.client.intercept(interceptor);
  const app::Platform platform{sim_.clock,          replica.random, replica.client,  replica.files,
                               replica.environment, replica.logs,   replica.programs};
  replica.daemon =
      std::make_unique<app::Daemon>(settings_of(shape_, replica.environment, replica.files), platform);
  if (!replica.daemon->problems().empty()) throw std::runtime_error(replica.daemon->problems().front());
  servers_.spawn("replica", watch(replica));
  return replica;
}

Task<void> Scene::watch(Replica& replica) {
  co_await replica.daemon->run();
  replica.ended = true;
}

void Scene::terminate() {
  for (int i = 0; i < shape_.terminate; ++i) {
    const auto activity = aws_.groups().terminate_in_group(instances_.at(static_cast<std::size_t>(i)), true);
    if (!activity) throw std::runtime_error(activity.error().text);
  }
}

bool Scene::over() {
  const auto counts = queue().counts();
  if (counts.visible + counts.in_flight + counts.delayed > 0) return false;
  for (int i = 0; i < shape_.terminate; ++i) {
    const auto* instance = aws_.instances().find(instances_.at(static_cast<std::size_t>(i)));
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

bool Scene::stop(Replica& replica, Duration within) {
  replica.daemon->stop(Deadline::after(sim_.clock, within));
  sim_.clock.advance(within + 3s);
  return replica.ended;
}

std::string Scene::broken() {
  std::string all;
  for (const std::string& text : sandbox::broken_promises(journal_, shape_.terms)) all += text + "\n";
  if (servers_.failures() > 0) all += "promise 1: a handler or a daemon ended by an exception\n";
  for (const auto& replica : replicas_) {
    if (replica->daemon->failures() > 0) all += "promise 1: a coroutine ended by an exception\n";
    for (const std::string& line : replica->logs.lines) {
      const bool secret = line.find(secret_key) != std::string::npos || line.find(token) != std::string::npos;
      if (secret) all += "promise 10: a secret in the log: " + line + "\n";
    }
  }
  return all;
}

std::size_t Scene::count(std::string_view service, std::string_view operation,
                         std::string_view outcome) const {
  std::size_t n = 0;
  for (const auto& entry : journal_.entries()) {
    n += entry.service == service && entry.operation == operation && entry.outcome == outcome ? 1 : 0;
  }
  return n;
}

}  // namespace ferryman::sim
