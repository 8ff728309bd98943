// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/node_objects.h"

#include <fmt/format.h>

#include <algorithm>

#include "sandbox/kube/json_path.h"

namespace ferryman::sandbox {

namespace {

json::object condition(std::string_view type, std::string_view status, std::string_view reason,
                       std::string_view message) {
  json::object made;
  made["type"] = type;
  made["status"] = status;
  made["reason"] = reason;
  made["message"] = message;
  return made;
}

json::array conditions(std::string_view now) {
  json::array all;
  all.push_back(condition("MemoryPressure", "False", "KubeletHasSufficientMemory",
                          "kubelet has sufficient memory available"));
  all.push_back(
      condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"));
  all.push_back(
      condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"));
  all.push_back(condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"));
  for (json::value& one : all) {
    one.get_object()["lastHeartbeatTime"] = now;
    one.get_object()["lastTransitionTime"] = now;
  }
  return all;
}

json::object labels_of(const NodeSpec& spec) {
  json::object labels;
  labels["beta.kubernetes.io/arch"] = "amd64";
  labels["beta.kubernetes.io/os"] = "linux";
  labels["eks.amazonaws.com/nodegroup"] = "workers";
  labels["kubernetes.io/arch"] = "amd64";
  labels["kubernetes.io/hostname"] = spec.name;
  labels["kubernetes.io/os"] = "linux";
  labels["node.kubernetes.io/instance-type"] = spec.instance_type;
  labels["topology.kubernetes.io/region"] = spec.zone.substr(0, spec.zone.empty() ? 0 : spec.zone.size() - 1);
  labels["topology.kubernetes.io/zone"] = spec.zone;
  for (const auto& [key, value] : spec.labels) labels[key] = value;
  return labels;
}

json::object node_info(std::string_view boot_id) {
  json::object info;
  info["architecture"] = "amd64";
  info["bootID"] = boot_id;
  info["containerRuntimeVersion"] = "containerd://2.1.4";
  info["kernelVersion"] = "6.12.46-66.121.amzn2023.x86_64";
  info["kubeProxyVersion"] = "";
  info["kubeletVersion"] = "v1.34.1-eks-113cf36";
  info["machineID"] = "ec2f4b0d8f0b4d2f9f0f6f1f2b3c4d5e";
  info["operatingSystem"] = "linux";
  info["osImage"] = "Amazon Linux 2023.9.20251014";
  info["systemUUID"] = "ec2f4b0d-8f0b-4d2f-9f0f-6f1f2b3c4d5e";
  return info;
}

json::object quantities(std::string_view cpu, std::string_view memory) {
  json::object made;
  made["cpu"] = cpu;
  made["ephemeral-storage"] = "83873772Ki";
  made["memory"] = memory;
  made["pods"] = "110";
  return made;
}

json::array addresses(const NodeSpec& spec) {
  json::array all;
  const auto add = [&all](std::string_view type, std::string_view address) {
    all.push_back(json::object{{"address", json::string(address)}, {"type", json::string(type)}});
  };
  add("InternalIP", spec.internal_ip);
  add("InternalDNS", spec.name);
  add("Hostname", spec.name);
  return all;
}

bool tolerates(const json::value& toleration, const json::value& taint) {
  const std::string_view effect = string_at(toleration, "effect");
  if (!effect.empty() && effect != string_at(taint, "effect")) return false;
  const std::string_view key = string_at(toleration, "key");
  const bool exists = string_at(toleration, "operator") == "Exists";
  if (key.empty()) return exists;
  return key == string_at(taint, "key") &&
         (exists || string_at(toleration, "value") == string_at(taint, "value"));
}

json::value* ready_condition(json::value& node) {
  json::value& all = make_at(node, "status.conditions");
  if (!all.is_array()) return nullptr;
  for (json::value& one : all.get_array()) {
    if (string_at(one, "type") == "Ready") return &one;
  }
  return nullptr;
}

const json::array* taints_of(const json::value& node) {
  return array_at(value_at(node, "spec"), "taints");
}

}  // namespace

json::value node_object(const NodeSpec& spec, std::string_view boot_id, std::string_view now) {
  json::value node = json::object();
  make_at(node, "metadata.name") = spec.name;
  make_at(node, "metadata.labels") = labels_of(spec);
  json::object annotations;
  annotations["alpha.kubernetes.io/provided-node-ip"] = spec.internal_ip;
  annotations["node.alpha.kubernetes.io/ttl"] = "0";
  annotations["volumes.kubernetes.io/controller-managed-attach-detach"] = "true";
  make_at(node, "metadata.annotations") = std::move(annotations);
  make_at(node, "spec.providerID") = fmt::format("aws:///{}/{}", spec.zone, spec.instance_id.str());
  make_at(node, "status.capacity") = quantities("2", "7910364Ki");
  make_at(node, "status.allocatable") = quantities("1930m", "7220188Ki");
  make_at(node, "status.conditions") = conditions(now);
  make_at(node, "status.addresses") = addresses(spec);
  make_at(node, "status.daemonEndpoints.kubeletEndpoint.Port") = 10250;
  make_at(node, "status.nodeInfo") = node_info(boot_id);
  if (spec.ready_after.count() > 0) {
    set_node_ready(node, "False", now);
    add_taint(node, "node.kubernetes.io/not-ready", "NoSchedule", now);
  }
  return node;
}

bool is_node_ready(const json::value& node) {
  const json::array* all = array_at(value_at(node, "status"), "conditions");
  if (all == nullptr) return false;
  return std::any_of(all->begin(), all->end(), [](const json::value& one) {
    return string_at(one, "type") == "Ready" && string_at(one, "status") == "True";
  });
}

void set_node_ready(json::value& node, std::string_view status, std::string_view now) {
  json::value* ready = ready_condition(node);
  if (ready == nullptr) return;
  json::object& at = ready->get_object();
  if (string_at(*ready, "status") != status) at["lastTransitionTime"] = now;
  at["status"] = status;
  if (status == "True") {
    at["reason"] = "KubeletReady";
    at["message"] = "kubelet is posting ready status";
  } else if (status == "Unknown") {
    at["reason"] = "NodeStatusUnknown";
    at["message"] = "Kubelet stopped posting node status.";
  } else {
    at["reason"] = "KubeletNotReady";
    at["message"] = "container runtime network not ready: NetworkReady=false";
  }
}

bool has_taint(const json::value& node, std::string_view key, std::string_view effect) {
  const json::array* taints = taints_of(node);
  if (taints == nullptr) return false;
  return std::any_of(taints->begin(), taints->end(), [&](const json::value& taint) {
    return string_at(taint, "key") == key && string_at(taint, "effect") == effect;
  });
}

void add_taint(json::value& node, std::string_view key, std::string_view effect, std::string_view now) {
  if (has_taint(node, key, effect)) return;
  json::value& taints = make_at(node, "spec.taints");
  if (!taints.is_array()) taints.emplace_array();
  json::object taint;
  taint["key"] = key;
  taint["effect"] = effect;
  taint["timeAdded"] = now;
  taints.get_array().push_back(std::move(taint));
}

void remove_taint(json::value& node, std::string_view key, std::string_view effect) {
  if (!has_taint(node, key, effect)) return;
  json::array& taints = make_at(node, "spec.taints").get_array();
  const auto is_it = [&](const json::value& taint) {
    return string_at(taint, "key") == key && string_at(taint, "effect") == effect;
  };
  taints.erase(std::remove_if(taints.begin(), taints.end(), is_it), taints.end());
  if (taints.empty()) erase_at(node, "spec.taints");
}

std::optional<Duration> tolerated_for(const json::value& pod, const json::value& taint) {
  std::optional<Duration> longest;
  if (const json::array* all = array_at(find(pod, "spec"), "tolerations"); all != nullptr) {
    for (const json::value& one : *all) {
      if (!tolerates(one, taint)) continue;
      const auto limit = integer_at(&one, "tolerationSeconds");
      if (!limit) return std::nullopt;
      longest = std::max(longest.value_or(Duration{0}),
                         Duration(std::chrono::seconds{std::max<std::int64_t>(*limit, 0)}));
    }
  }
  if (longest) return longest;
  // What the admission plugin DefaultTolerationSeconds writes into every pod.
  const std::string_view key = string_at(taint, "key");
  const bool usual = key == "node.kubernetes.io/unreachable" || key == "node.kubernetes.io/not-ready";
  return usual ? Duration(std::chrono::seconds{300}) : Duration{0};
}

bool takes_pod(const json::value& node, const json::value& pod) {
  if (bool_at(value_at(node, "spec"), "unschedulable") || !is_node_ready(node)) return false;
  const json::array* taints = taints_of(node);
  if (taints == nullptr) return true;
  const json::array* tolerations = array_at(value_at(pod, "spec"), "tolerations");
  return std::all_of(taints->begin(), taints->end(), [&](const json::value& taint) {
    if (string_at(taint, "effect") == "PreferNoSchedule") return true;
    return tolerations != nullptr &&
           std::any_of(tolerations->begin(), tolerations->end(),
                       [&](const json::value& one) { return tolerates(one, taint); });
  });
}

}  // namespace ferryman::sandbox
