// SPDX-License-Identifier: Apache-2.0
#include "sandbox/pod_targets.h"

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

namespace {

std::string ip_of(const json::value& pod) {
  return std::string(text_at(pod, "status.podIP"));
}

bool takes(const TargetGroup& group, const json::value& pod) {
  return !group.spec.pods_of_app.empty() && text_at(pod, "metadata.labels.app") == group.spec.pods_of_app;
}

bool serves(const json::value& pod) {
  return is_pod_ready(pod) && !is_terminating(pod);
}

}  // namespace

PodTargets::PodTargets(AwsWorld& aws, KubeWorld& kubernetes) : aws_(aws), kubernetes_(kubernetes) {
  kubernetes_.state().objects.listen([this](std::string_view resource, const Change& change) {
    if (resource == "pods") follow(change);
  });
}

void PodTargets::bind(TargetGroupSpec spec, const std::string& app) {
  spec.target_type = "ip";
  spec.pods_of_app = app;
  const TargetGroup& group = aws_.target_groups().create(spec);
  json::value binding = json::object();
  make_at(binding, "metadata.name") = spec.name;
  make_at(binding, "metadata.namespace") = "default";
  make_at(binding, "spec.targetGroupARN") = group.arn;
  make_at(binding, "spec.targetType") = "ip";
  make_at(binding, "spec.serviceRef.name") = app;
  make_at(binding, "spec.serviceRef.port") = spec.port;
  kubernetes_.state().objects.create("targetgroupbindings", std::move(binding));
}

void PodTargets::follow(const Change& change) {
  const json::value& pod = *change.object;
  const std::string ip = ip_of(pod);
  const std::string before = change.before == nullptr ? std::string() : ip_of(*change.before);
  const bool gone = change.kind == Change::Kind::deleted;
  const std::map<std::string, std::string> about{{"pod", key_of(pod).str()},
                                                 {"node", std::string(node_of(pod))}};
  if (!gone && !ip.empty() && before != ip) aws_.journal().fact("address.bound", ip, about);
  const bool served = change.before != nullptr && serves(*change.before) && !before.empty();
  if (!gone && !served && serves(pod)) enroll(pod, ip, change.before == nullptr);
  if (served && (gone || !serves(pod))) deregister(pod, before);
  if (!gone || ip.empty()) return;
  aws_.journal().fact("address.freed", ip, about);
  aws_.target_groups().lose(ip);
}

void PodTargets::enroll(const json::value& pod, const std::string& ip, bool at_once) {
  for (auto& [arn, group] : aws_.target_groups().all()) {
    if (takes(group, pod)) aws_.target_groups().enroll(group, {ip, group.spec.port}, at_once);
  }
}

void PodTargets::deregister(const json::value& pod, const std::string& ip) {
  for (auto& [arn, group] : aws_.target_groups().all()) {
    if (takes(group, pod)) (void)aws_.target_groups().deregister_targets(group, {{ip, group.spec.port}});
  }
}

}  // namespace ferryman::sandbox
