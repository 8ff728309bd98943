// SPDX-License-Identifier: Apache-2.0
#include "sandbox/world.h"

#include "sandbox/aws/fresh_ids.h"
#include "sandbox/kube/rights_text.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

AccessKey administrator(Random& random, const AwsSettings& settings) {
  AccessKey key;
  key.id = "AKIA" + fresh_text(random, 16, alphanumeric.substr(0, 26));
  key.secret = Secret(fresh_text(random, 40, alphanumeric));
  key.arn = "arn:aws:iam::" + settings.account + ":user/sandbox";
  return key;
}

}  // namespace

World::World(Clock& clock, Scope& scope, WorldSettings settings)
    : clock_(clock),
      settings_(std::move(settings)),
      random_(settings_.seed),
      journal_(clock),
      timeline_(clock, scope),
      aws_(timeline_, random_, journal_, settings_.aws),
      keys_(random_, aws_.settings()),
      aws_handler_(aws_, keys_),
      kubernetes_(clock, random_, scope, journal_),
      api_server_(kubernetes_),
      aws_endpoint_(aws_handler_, aws_form_, faults_, clock, journal_),
      kubernetes_endpoint_(api_server_, kube_form_, faults_, clock, journal_),
      access_key_(administrator(random_, settings_.aws)),
      token_("sandbox-" + fresh_text(random_, 40, alphanumeric)) {
  keys_.add(access_key_);
  keys_.checking = settings_.check_signatures;
  keys_.rights = settings_.aws_rights;
  if (settings_.check_tokens && !settings_.kubernetes_rights) {
    api_server_.accept_token(token_, "system:admin");
  } else if (settings_.check_tokens) {
    token_ = add_token("ferryman", *settings_.kubernetes_rights);
  }
  aws_.instances().observe(*this);
}

Secret World::add_token(const std::string& user, json::array rules) {
  const Secret token("sandbox-" + fresh_text(random_, 40, alphanumeric));
  grant(kubernetes_.state().objects, user, std::move(rules));
  api_server_.accept_token(token, authenticated_user(user));
  return token;
}

InstanceId World::start_node(Group& group) {
  LaunchSpec spec;
  spec.running = true;
  starting_ = true;
  const InstanceId id = aws_.groups().launch(group, spec);
  starting_ = false;
  return id;
}

void World::instance_running(const Ec2Instance& instance) {
  if (!instance.tags.contains(cluster_tag())) return;
  if (starting_) return join(instance.id, Duration{0});
  timeline_.after(settings_.join, [this, id = instance.id] { join(id, settings_.ready); });
}

void World::join(const InstanceId& id, Duration ready_after) {
  const Ec2Instance* instance = aws_.instances().find(id);
  if (instance == nullptr || instance->state != InstanceState::running) return;
  NodeSpec node(instance->private_dns_name, id);
  node.zone = instance->zone;
  node.instance_type = "m6i.large";
  node.internal_ip = instance->private_ip;
  node.ready_after = ready_after;
  kubernetes_.add_node(node);
  // Those of the beginning serve already.
  enroll(id, starting_);
}

// A cluster's controllers do so for each new node. That they also take out nodes which end, and put back what
// others took out, is not played.
void World::enroll(const InstanceId& id, bool healthy) {
  for (auto& [arn, group] : aws_.target_groups().all()) {
    for (const std::uint16_t port : group.spec.node_ports) {
      aws_.target_groups().enroll(group, {id.str(), port}, healthy);
    }
  }
  for (auto& [name, balancer] : aws_.classic_balancers().all()) {
    if (balancer.spec.all_nodes) aws_.classic_balancers().enroll(balancer, id, healthy);
  }
}

void World::instance_shutting_down(const Ec2Instance& instance) {
  kubernetes_.node_stopped(instance.id);
}

void World::instance_terminated(const Ec2Instance& instance) {
  timeline_.after(settings_.node_removal, [this, id = instance.id] { kubernetes_.remove_node(id); });
}

}  // namespace ferryman::sandbox
