// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/classic_balancers.h"

#include <fmt/format.h>

#include "sandbox/aws/fresh_ids.h"

namespace ferryman::sandbox {

namespace {

Error invalid_instance(std::string text) {
  return Error(Fault::invalid, "InvalidInstance", std::move(text));
}

TargetKey key_of(const ClassicBalancer& balancer, const InstanceId& id) {
  return {id.str(), balancer.spec.instance_port};
}

InstanceHealth health_of(const ClassicBalancer& balancer, const InstanceId& id) {
  const auto found = balancer.instances.find(id);
  if (found == balancer.instances.end()) {
    return {id, "OutOfService", "Instance", "Instance is not currently registered with the LoadBalancer."};
  }
  switch (found->second.state) {
    case TargetState::initial:
      return {id, "OutOfService", "ELB", "Instance registration is still in progress."};
    case TargetState::healthy:
      return {id, "InService", "N/A", "N/A"};
    case TargetState::draining:
      break;
  }
  return {id, "InService", "N/A", "Instance deregistration currently in progress."};
}

}  // namespace

ClassicBalancers::ClassicBalancers(Instances& instances, ContinuedService& continued, Timeline& timeline,
                                   Random& random, Journal& journal, const AwsSettings& settings)
    : instances_(instances),
      continued_(continued),
      timeline_(timeline),
      random_(random),
      journal_(journal),
      settings_(settings) {
  instances_.observe(*this);
}

ClassicBalancer& ClassicBalancers::create(const ClassicBalancerSpec& spec) {
  const auto [place, fresh] = balancers_.try_emplace(spec.name);
  ClassicBalancer& balancer = place->second;
  if (!fresh) return balancer;
  balancer.spec = spec;
  balancer.dns_name =
      fmt::format("{}-{}.{}.elb.amazonaws.com", spec.name, fresh_hex(random_, 10), settings_.region);
  balancer.created = timeline_.clock().wall();
  return balancer;
}

ClassicBalancer* ClassicBalancers::find(const std::string& name) {
  const auto found = balancers_.find(name);
  return found == balancers_.end() ? nullptr : &found->second;
}

void ClassicBalancers::enroll(ClassicBalancer& balancer, const InstanceId& id, bool in_service) {
  const auto [place, fresh] = balancer.instances.try_emplace(id);
  Registration& registration = place->second;
  // A draining one comes back; one that is registered stays as it is.
  if (!fresh && registration.state != TargetState::draining) return;
  timeline_.cancel(registration.timer);
  registration.state = in_service ? TargetState::healthy : TargetState::initial;
  fact("target.registered", balancer, id);
  if (in_service) return;
  registration.timer = timeline_.after(settings_.target_registration, [this, name = balancer.spec.name, id] {
    balancers_.at(name).instances.at(id).state = TargetState::healthy;
  });
}

Result<void> ClassicBalancers::check_known(const std::vector<InstanceId>& ids) {
  for (const InstanceId& id : ids) {
    if (instances_.find(id) == nullptr)
      return invalid_instance("Could not find EC2 instance " + id.str() + ".");
  }
  return {};
}

Result<void> ClassicBalancers::register_instances(ClassicBalancer& balancer,
                                                  const std::vector<InstanceId>& ids) {
  if (auto known = check_known(ids); !known) return known;
  for (const InstanceId& id : ids) {
    if (instances_.find(id)->state >= InstanceState::shutting_down)
      return invalid_instance("EC2 instance " + id.str() + " is not running.");
  }
  for (const InstanceId& id : ids) enroll(balancer, id, false);
  return {};
}

Result<void> ClassicBalancers::deregister_instances(ClassicBalancer& balancer,
                                                    const std::vector<InstanceId>& ids) {
  if (auto known = check_known(ids); !known) return known;
  for (const InstanceId& id : ids) {
    if (!balancer.instances.contains(id))
      return invalid_instance("EC2 instance " + id.str() + " is not registered with the load balancer.");
  }
  for (const InstanceId& id : ids) drain(balancer, id);
  return {};
}

void ClassicBalancers::drain(ClassicBalancer& balancer, const InstanceId& id) {
  const auto found = balancer.instances.find(id);
  // A call may name an instance twice.
  if (found == balancer.instances.end() || found->second.state == TargetState::draining) return;
  timeline_.cancel(found->second.timer);
  fact("target.draining", balancer, id);
  if (found->second.state == TargetState::healthy)
    continued_.begin(balancer.spec.name, key_of(balancer, id), "classic");
  const Duration delay = balancer.spec.connection_draining ? balancer.spec.draining_timeout : Duration{0};
  if (delay == Duration{0}) return remove(balancer, id, "deregistered");
  found->second.state = TargetState::draining;
  found->second.timer = timeline_.after(
      delay, [this, name = balancer.spec.name, id] { remove(balancers_.at(name), id, "deregistered"); });
}

void ClassicBalancers::remove(ClassicBalancer& balancer, const InstanceId& id, const char* how) {
  timeline_.cancel(balancer.instances.at(id).timer);
  balancer.instances.erase(id);
  fact("target.gone", balancer, id, how);
}

Result<std::vector<InstanceHealth>> ClassicBalancers::health(const ClassicBalancer& balancer,
                                                             const std::vector<InstanceId>& ids) {
  if (auto known = check_known(ids); !known) return std::move(known).error();
  std::vector<InstanceHealth> all;
  for (const InstanceId& id : ids) {
    if (instances_.find(id)->state != InstanceState::terminated) all.push_back(health_of(balancer, id));
  }
  if (!ids.empty()) return all;
  for (const auto& [id, registration] : balancer.instances) all.push_back(health_of(balancer, id));
  return all;
}

std::vector<TargetKey> ClassicBalancers::recipients(const ClassicBalancer& balancer) const {
  std::vector<TargetKey> all = continued_.of(balancer.spec.name);
  for (const auto& [id, registration] : balancer.instances) {
    const TargetKey target = key_of(balancer, id);
    if (registration.state == TargetState::healthy && !continued_.holds(balancer.spec.name, target))
      all.push_back(target);
  }
  return all;
}

void ClassicBalancers::instance_shutting_down(const Ec2Instance& instance) {
  for (const auto& [name, balancer] : balancers_) {
    const auto found = balancer.instances.find(instance.id);
    if (found != balancer.instances.end() && found->second.state == TargetState::healthy)
      continued_.lost(name, key_of(balancer, instance.id), "it is registered");
    if (continued_.holds(name, key_of(balancer, instance.id)))
      continued_.lost(name, key_of(balancer, instance.id), "continued service");
  }
}

void ClassicBalancers::instance_terminated(const Ec2Instance& instance) {
  for (auto& [name, balancer] : balancers_) {
    if (balancer.instances.contains(instance.id)) remove(balancer, instance.id, "instance terminated");
    continued_.end(name, key_of(balancer, instance.id));
  }
}

void ClassicBalancers::fact(const char* what, const ClassicBalancer& balancer, const InstanceId& id,
                            std::string how) {
  std::map<std::string, std::string> details{{"instance", id.str()},
                                             {"group", balancer.spec.name},
                                             {"port", std::to_string(balancer.spec.instance_port)}};
  if (!how.empty()) details["how"] = std::move(how);
  journal_.fact(what, id.str(), std::move(details));
}

}  // namespace ferryman::sandbox
