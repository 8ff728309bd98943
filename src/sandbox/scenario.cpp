// SPDX-License-Identifier: Apache-2.0
#include "sandbox/scenario.h"

#include <fmt/format.h>

#include <algorithm>

#include "sandbox/kube/rights_text.h"

namespace ferryman::sandbox {

namespace {

GroupHook hook_of(const Scenario& scenario) {
  GroupHook hook;
  hook.name = scenario.hook;
  hook.heartbeat_timeout = scenario.heartbeat_timeout;
  hook.default_result = scenario.default_result;
  return hook;
}

void add_deployments(World& world, const Scenario& scenario) {
  const int pods = scenario.nodes * scenario.pods_per_node;
  const int deployments = std::min(scenario.deployments, pods);
  for (int i = 0; i < deployments; ++i) {
    // The first ones take what is left over.
    const int replicas = pods / deployments + (i < pods % deployments ? 1 : 0);
    DeploymentSpec spec(fmt::format("shop-{}", i + 1), replicas);
    spec.pods.grace = scenario.pod_grace;
    spec.pods.end_time = scenario.pod_end;
    spec.pods.ready_after = scenario.pod_ready;
    if (scenario.min_available > 0) spec.min_available = replicas * scenario.min_available / 100;
    world.kubernetes().add_deployment(spec);
  }
}

void add_foreign_instances(World& world, const Scenario& scenario) {
  if (scenario.foreign_instances == 0) return;
  GroupSpec spec;
  spec.name = "other-cluster";
  spec.desired = scenario.foreign_instances;
  spec.tags = {{"kubernetes.io/cluster/other", "owned"}};
  Group& group = world.aws().groups().create(spec);
  GroupHook hook = hook_of(scenario);
  hook.name = "other";
  group.hooks[hook.name] = hook;
  LaunchSpec launch;
  launch.running = true;
  for (int i = 0; i < scenario.foreign_instances; ++i) world.aws().groups().launch(group, launch);
}

/// As a cluster's Services have them: application and network balancers in turn, node ports, every fourth
/// group with a second port.
void add_target_groups(World& world, const Scenario& scenario) {
  constexpr std::uint16_t first_node_port = 30'000;
  constexpr std::uint16_t first_second_port = 40'000;
  AwsWorld& aws = world.aws();
  for (int i = 0; i < scenario.target_groups; ++i) {
    const bool http = i % 2 == 0;
    const std::string type = http ? "application" : "network";
    LoadBalancer& balancer =
        aws.load_balancers().create(scenario.cluster + "-" + type, type, world.clock().wall());
    TargetGroupSpec spec;
    spec.name = fmt::format("{}-{:04}", http ? "http" : "tcp", i + 1);
    spec.protocol = http ? "HTTP" : "TCP";
    spec.port = static_cast<std::uint16_t>(first_node_port + i);
    spec.deregistration_delay = scenario.deregistration_delay;
    spec.load_balancer = balancer.arn;
    spec.node_ports = {spec.port};
    if (scenario.second_ports && i % 4 == 3)
      spec.node_ports.push_back(static_cast<std::uint16_t>(first_second_port + i));
    spec.tags = {{world.cluster_tag(), "owned"}, {"elbv2.k8s.aws/cluster", scenario.cluster}};
    balancer.tags = spec.tags;
    aws.target_groups().create(spec);
  }
}

/// Application and network balancers in turn, as above.
void add_pod_target_groups(World& world, const Scenario& scenario) {
  constexpr std::uint16_t container_port = 8080;
  AwsWorld& aws = world.aws();
  for (int i = 0; i < scenario.pod_target_groups; ++i) {
    const bool http = i % 2 == 0;
    const std::string type = http ? "application" : "network";
    TargetGroupSpec spec;
    spec.name = fmt::format("pods-{}-{:04}", http ? "http" : "tcp", i + 1);
    spec.protocol = http ? "HTTP" : "TCP";
    spec.port = container_port;
    spec.deregistration_delay = scenario.deregistration_delay;
    spec.load_balancer =
        aws.load_balancers().create(scenario.cluster + "-" + type, type, world.clock().wall()).arn;
    spec.tags = {{"elbv2.k8s.aws/cluster", scenario.cluster}};
    world.pod_targets().bind(std::move(spec), "shop-1");
  }
}

void add_classic_elbs(World& world, const Scenario& scenario) {
  constexpr std::uint16_t first_node_port = 50'000;
  for (int i = 0; i < scenario.classic_elbs; ++i) {
    ClassicBalancerSpec spec;
    spec.name = fmt::format("classic-{:04}", i + 1);
    spec.instance_port = static_cast<std::uint16_t>(first_node_port + i);
    spec.draining_timeout = scenario.deregistration_delay;
    spec.all_nodes = true;
    spec.tags = {{world.cluster_tag(), "owned"}};
    world.aws().classic_balancers().create(spec);
  }
}

}  // namespace

WorldSettings world_settings(const Scenario& scenario) {
  WorldSettings settings;
  settings.aws.account = scenario.account;
  settings.aws.region = scenario.region;
  settings.aws.boot = scenario.boot;
  settings.aws.shutdown = scenario.shutdown;
  settings.aws.target_registration = scenario.target_registration;
  settings.aws.continued = ServiceSpan(Duration(scenario.continued_service) / 4, scenario.continued_service);
  settings.aws.continued_network =
      ServiceSpan(Duration(scenario.continued_service_network) * 6 / 13, scenario.continued_service_network);
  settings.aws.seed = scenario.seed;
  settings.aws.throttling = scenario.throttling;
  settings.aws.neighbour = scenario.neighbour / 100.0;
  if (scenario.replacement_delay) settings.aws.replacement_delay = *scenario.replacement_delay;
  settings.cluster = scenario.cluster;
  settings.nodes.join = scenario.join;
  settings.nodes.ready = scenario.node_ready;
  settings.nodes.target_groups = scenario.target_groups_per_node;
  settings.nodes.classic_elbs = scenario.classic_elbs_per_node;
  settings.aws_rights = scenario.aws_rights;
  settings.check_signatures = scenario.check_signatures;
  settings.check_tokens = scenario.check_tokens;
  if (!scenario.kubernetes_rights.empty()) {
    // What cannot be read gives no rights at all.
    auto rights = read_rights(scenario.kubernetes_rights);
    settings.kubernetes_rights = rights ? std::move(*rights) : json::array();
  }
  settings.seed = scenario.seed;
  return settings;
}

void populate(World& world, const Scenario& scenario) {
  Queue& queue = world.aws().queues().create(scenario.queue);
  queue.settings.visibility_timeout = scenario.visibility_timeout;
  EventRule rule;
  rule.queue = scenario.queue;
  rule.lifecycle_actions = scenario.notifications;
  rule.state_changes = scenario.state_changes;
  world.aws().events().add_rule(std::move(rule));
  // Before the nodes, which are registered as they join.
  add_target_groups(world, scenario);
  add_classic_elbs(world, scenario);
  add_pod_target_groups(world, scenario);
  for (int first = 0; first < scenario.nodes; first += scenario.nodes_per_group) {
    GroupSpec spec;
    spec.name = fmt::format("workers-{}", first / scenario.nodes_per_group + 1);
    spec.tags = {{world.cluster_tag(), "owned"}};
    Group& group = world.aws().groups().create(spec);
    const GroupHook hook = hook_of(scenario);
    if (scenario.hooks) group.hooks[hook.name] = hook;
    const int members = std::min(scenario.nodes_per_group, scenario.nodes - first);
    for (int i = 0; i < members; ++i) world.start_node(group);
  }
  add_deployments(world, scenario);
  if (scenario.daemon_set) world.kubernetes().add_daemon_set(DaemonSetSpec("kube-system", "node-agent"));
  add_foreign_instances(world, scenario);
}

}  // namespace ferryman::sandbox
