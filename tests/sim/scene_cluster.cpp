// SPDX-License-Identifier: Apache-2.0
#include "sim/scene_cluster.h"

#include <stdexcept>

namespace ferryman::sim {

namespace {

sandbox::Journal& journal_of(SceneStage& stage, std::optional<sandbox::Journal>& own,
                             const std::string& cluster) {
  if (cluster == "sim") return stage.journal;
  return own.emplace(stage.journal, std::map<std::string, std::string>{{"cluster", cluster}});
}

sandbox::NodeTimes times_of(const SceneShape& shape) {
  sandbox::NodeTimes times;
  times.removal = shape.node_removal;
  return times;
}

}  // namespace

SceneCluster::SceneCluster(SceneStage& stage, const std::string& name, SceneShape shape)
    : stage_(stage),
      shape_(std::move(shape)),
      name_(name),
      group_name_(name == "sim" ? "workers" : name + "-workers"),
      identity_(name),
      kube_(stage.sim.clock, stage.chance, stage.servers, journal_of(stage, own_journal_, name)),
      nodes_(stage.aws, kube_, stage.timeline, "kubernetes.io/cluster/" + name, times_of(shape_)),
      api_server_(kube_) {
  sandbox::AccessKey key;
  key.id = identity_.access_key;
  key.secret = Secret(identity_.secret_key);
  key.arn = identity_.arn;
  stage_.keys.add(key);
  api_server_.accept_token(Secret(identity_.token), "ferryman");
  shape_.terms.cluster = name == "sim" ? "" : name;
  shape_.terms.caller = identity_.arn;
  if (shape_.terms.own_tags.empty()) shape_.terms.own_tags = {nodes_.tag()};
  add_group();
  add_balancers();
  add_workload();
}

void SceneCluster::add_group() {
  sandbox::GroupSpec spec;
  spec.name = group_name_;
  sandbox::Group& group = stage_.aws.groups().create(spec);
  sandbox::GroupHook hook;
  hook.name = "drain";
  hook.heartbeat_timeout = shape_.heartbeat_timeout;
  hook.default_result = "CONTINUE";
  group.hooks["drain"] = hook;
  for (int i = 0; i < shape_.nodes; ++i) instances_.push_back(nodes_.start(group));
}

void SceneCluster::add_balancers() {
  const std::string prefix = name_ == "sim" ? "" : name_ + "-";
  sandbox::AwsWorld& aws = stage_.aws;
  for (int i = 0; i < shape_.target_groups; ++i) {
    sandbox::TargetGroupSpec spec;
    spec.name = prefix + "group-" + std::to_string(i);
    spec.protocol = i == 0 ? "TCP" : "HTTP";
    spec.deregistration_delay = shape_.deregistration_delay;
    spec.load_balancer = aws.load_balancers()
                             .create(prefix + (i == 0 ? "tcp" : "web"), i == 0 ? "network" : "application",
                                     stage_.sim.clock.wall())
                             .arn;
    sandbox::TargetGroup& group = aws.target_groups().create(spec);
    for (const InstanceId& id : instances_) aws.target_groups().enroll(group, {id.str(), 80}, true);
  }
  for (int i = 0; i < shape_.classic_elbs; ++i) {
    sandbox::ClassicBalancerSpec spec;
    spec.name = prefix + "classic-" + std::to_string(i);
    spec.draining_timeout = shape_.deregistration_delay;
    sandbox::ClassicBalancer& balancer = aws.classic_balancers().create(spec);
    for (const InstanceId& id : instances_) aws.classic_balancers().enroll(balancer, id, true);
  }
}

void SceneCluster::add_workload() {
  kube_.add_daemon_set(sandbox::DaemonSetSpec("kube-system", "agent"));
  sandbox::DeploymentSpec web("web", shape_.replicas);
  web.pods.grace = shape_.pod_grace;
  web.pods.end_time = shape_.pod_end;
  web.pods.ready_after = shape_.ready_after;
  if (shape_.budget) web.min_available = shape_.replicas - 1;
  kube_.add_deployment(web);
}

void SceneCluster::end(const InstanceId& id) {
  const auto activity = stage_.aws.groups().terminate_in_group(id, true);
  if (!activity) throw std::runtime_error(activity.error().text);
}

}  // namespace ferryman::sim
