// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/pod_objects.h"

#include <algorithm>
#include <charconv>

#include "sandbox/kube/json_path.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view end_time_key = "sandbox.ferryman.dev/end-time-ms";
constexpr std::string_view ready_after_key = "sandbox.ferryman.dev/ready-after-ms";
constexpr std::string_view stuck_key = "sandbox.ferryman.dev/stuck";
constexpr std::string_view crash_key = "sandbox.ferryman.dev/crash-looping";
constexpr std::string_view never_starts_key = "sandbox.ferryman.dev/never-starts";
constexpr std::string_view mirror_key = "kubernetes.io/config.mirror";

std::string millis_text(Duration duration) {
  return std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count());
}

Duration millis_at(const json::value& pod, std::string_view key, Duration otherwise) {
  const std::string_view text = string_at(value_at(pod, "metadata.annotations"), key);
  std::int64_t millis = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), millis);
  constexpr std::int64_t most = std::int64_t{30} * 24 * 3600 * 1000;
  if (text.empty() || failed != std::errc() || millis < 0) return otherwise;
  return std::chrono::milliseconds{std::min(millis, most)};
}

json::array containers() {
  json::object container;
  container["name"] = "app";
  container["image"] = "registry.example/app:1";
  container["resources"] = json::object();
  container["imagePullPolicy"] = "IfNotPresent";
  return json::array{std::move(container)};
}

json::object condition(std::string_view type, bool value, std::string_view now) {
  json::object made;
  made["type"] = type;
  made["status"] = value ? "True" : "False";
  made["lastProbeTime"] = nullptr;
  made["lastTransitionTime"] = now;
  return made;
}

const json::value* controller_of(const json::value& pod) {
  const json::array* owners = array_at(value_at(pod, "metadata"), "ownerReferences");
  if (owners == nullptr) return nullptr;
  const auto found = std::find_if(owners->begin(), owners->end(),
                                  [](const json::value& owner) { return bool_at(&owner, "controller"); });
  return found == owners->end() ? nullptr : &*found;
}

json::array volumes_of(const PodBehaviour& behaviour) {
  json::array all;
  if (behaviour.empty_dir) all.push_back(json::object{{"name", "scratch"}, {"emptyDir", json::object()}});
  for (const std::string& claim : behaviour.claims) {
    json::object source{{"claimName", json::string(claim)}};
    all.push_back(json::object{{"name", json::string(claim)}, {"persistentVolumeClaim", std::move(source)}});
  }
  return all;
}

json::object annotations_of(const PodSpec& spec, const PodOwner& owner) {
  json::object annotations;
  for (const auto& [key, value] : spec.annotations) annotations[key] = value;
  annotations[end_time_key] = millis_text(spec.behaviour.end_time);
  annotations[ready_after_key] = millis_text(spec.behaviour.ready_after);
  if (spec.behaviour.stuck) annotations[stuck_key] = "true";
  if (spec.behaviour.crash_looping) annotations[crash_key] = "true";
  if (spec.phase == "Pending") annotations[never_starts_key] = "true";
  if (owner.kind == "Node") annotations[mirror_key] = "static";
  return annotations;
}

json::object container_state(bool crashing, std::string_view now) {
  if (!crashing) return json::object{{"running", json::object{{"startedAt", json::value(now)}}}};
  json::object waiting{{"reason", "CrashLoopBackOff"},
                       {"message", "back-off 5m0s restarting failed container=app"}};
  return json::object{{"waiting", std::move(waiting)}};
}

bool expression_holds(const json::value& expression, const json::value* labels) {
  const json::value* has = find(labels, string_at(expression, "key"));
  const std::string_view op = string_at(expression, "operator");
  if (op == "Exists") return has != nullptr;
  if (op == "DoesNotExist") return has == nullptr;
  const json::array* values = array_at(&expression, "values");
  const bool among =
      has != nullptr && values != nullptr && std::find(values->begin(), values->end(), *has) != values->end();
  return op == "In" ? among : !among;
}

/// DaemonSet pods tolerate what the controller makes them tolerate; a static pod tolerates everything.
json::array tolerations_of(const PodOwner& owner) {
  json::array all;
  if (owner.kind == "Node" || owner.kind == "DaemonSet") all.push_back(json::object{{"operator", "Exists"}});
  return all;
}

}  // namespace

json::array owner_references(const PodOwner& owner) {
  json::object reference;
  reference["apiVersion"] = owner.kind == "Node" ? "v1" : "apps/v1";
  reference["kind"] = owner.kind;
  reference["name"] = owner.name;
  reference["uid"] = owner.uid;
  reference["controller"] = true;
  if (owner.kind != "Node") reference["blockOwnerDeletion"] = true;
  return json::array{std::move(reference)};
}

json::value pod_object(const PodSpec& spec, const PodOwner& owner) {
  json::value pod = json::object();
  make_at(pod, "metadata.name") = spec.name;
  make_at(pod, "metadata.namespace") = spec.pod_namespace;
  json::object labels;
  for (const auto& [key, value] : spec.labels) labels[key] = value;
  make_at(pod, "metadata.labels") = std::move(labels);
  make_at(pod, "metadata.annotations") = annotations_of(spec, owner);
  if (!owner.kind.empty()) make_at(pod, "metadata.ownerReferences") = owner_references(owner);
  if (!spec.node_name.empty()) make_at(pod, "spec.nodeName") = spec.node_name;
  make_at(pod, "spec.containers") = containers();
  make_at(pod, "spec.restartPolicy") = "Always";
  make_at(pod, "spec.terminationGracePeriodSeconds") = spec.behaviour.grace.count();
  make_at(pod, "spec.priority") = spec.behaviour.priority;
  if (!spec.behaviour.priority_class.empty()) {
    make_at(pod, "spec.priorityClassName") = spec.behaviour.priority_class;
  }
  if (spec.behaviour.host_network) make_at(pod, "spec.hostNetwork") = true;
  json::array volumes = volumes_of(spec.behaviour);
  if (!volumes.empty()) make_at(pod, "spec.volumes") = std::move(volumes);
  const json::array tolerations = tolerations_of(owner);
  if (!tolerations.empty()) make_at(pod, "spec.tolerations") = tolerations;
  make_at(pod, "status.phase") = "Pending";
  make_at(pod, "status.qosClass") = "BestEffort";
  return pod;
}

void set_running(json::value& pod, bool ready, std::string_view now, std::string_view pod_ip) {
  const bool crashing = is_crash_looping(pod);
  ready = ready && !crashing;
  make_at(pod, "status.phase") = "Running";
  make_at(pod, "status.startTime") = now;
  make_at(pod, "status.podIP") = pod_ip;
  make_at(pod, "status.podIPs") = json::array{json::object{{"ip", json::string(pod_ip)}}};
  make_at(pod, "status.conditions") =
      json::array{condition("PodScheduled", true, now), condition("Initialized", true, now),
                  condition("ContainersReady", ready, now), condition("Ready", ready, now)};
  json::object state;
  state["name"] = "app";
  state["image"] = "registry.example/app:1";
  state["ready"] = ready;
  state["restartCount"] = crashing ? 7 : 0;
  state["started"] = !crashing;
  state["state"] = container_state(crashing, now);
  make_at(pod, "status.containerStatuses") = json::array{std::move(state)};
}

void set_host_ip(json::value& pod, const json::value* node) {
  const json::array* addresses = node == nullptr ? nullptr : array_at(value_at(*node, "status"), "addresses");
  if (addresses == nullptr) return;
  for (const json::value& one : *addresses) {
    if (string_at(one, "type") != "InternalIP") continue;
    make_at(pod, "status.hostIP") = string_at(one, "address");
    make_at(pod, "status.hostIPs") =
        json::array{json::object{{"ip", json::value(string_at(one, "address"))}}};
  }
}

void set_ready(json::value& pod, bool ready, std::string_view now) {
  json::value& conditions = make_at(pod, "status.conditions");
  if (conditions.is_array()) {
    for (json::value& one : conditions.get_array()) {
      const std::string_view type = string_at(one, "type");
      if (type != "Ready" && type != "ContainersReady") continue;
      one.get_object()["status"] = ready ? "True" : "False";
      one.get_object()["lastTransitionTime"] = now;
    }
  }
  json::value& statuses = make_at(pod, "status.containerStatuses");
  if (!statuses.is_array()) return;
  for (json::value& one : statuses.get_array()) {
    if (one.is_object()) one.get_object()["ready"] = ready;
  }
}

bool is_pod_ready(const json::value& pod) {
  const json::array* conditions = array_at(value_at(pod, "status"), "conditions");
  if (conditions == nullptr) return false;
  return std::any_of(conditions->begin(), conditions->end(), [](const json::value& one) {
    return string_at(one, "type") == "Ready" && string_at(one, "status") == "True";
  });
}

bool is_terminating(const json::value& pod) {
  return !text_at(pod, "metadata.deletionTimestamp").empty();
}

bool is_finished(const json::value& pod) {
  const std::string_view phase = text_at(pod, "status.phase");
  return phase == "Succeeded" || phase == "Failed";
}

bool is_mirror(const json::value& pod) {
  return find(value_at(pod, "metadata.annotations"), mirror_key) != nullptr;
}

std::string_view node_of(const json::value& pod) {
  return text_at(pod, "spec.nodeName");
}

std::string_view uid_of(const json::value& object) {
  return text_at(object, "metadata.uid");
}

std::string_view owner_uid(const json::value& pod) {
  return string_at(controller_of(pod), "uid");
}

std::string_view owner_kind(const json::value& pod) {
  return string_at(controller_of(pod), "kind");
}

std::string_view owner_name(const json::value& pod) {
  return string_at(controller_of(pod), "name");
}

bool is_stuck(const json::value& pod) {
  return string_at(value_at(pod, "metadata.annotations"), stuck_key) == "true";
}

bool never_starts(const json::value& pod) {
  return string_at(value_at(pod, "metadata.annotations"), never_starts_key) == "true";
}

bool is_crash_looping(const json::value& pod) {
  return string_at(value_at(pod, "metadata.annotations"), crash_key) == "true";
}

std::vector<std::string> claims_of(const json::value& pod) {
  std::vector<std::string> claims;
  if (const json::array* volumes = array_at(find(pod, "spec"), "volumes"); volumes != nullptr) {
    for (const json::value& volume : *volumes) {
      const std::string_view claim = string_at(find(volume, "persistentVolumeClaim"), "claimName");
      if (!claim.empty()) claims.emplace_back(claim);
    }
  }
  return claims;
}

std::chrono::seconds grace_of(const json::value& pod) {
  return std::chrono::seconds{
      integer_at(value_at(pod, "spec"), "terminationGracePeriodSeconds").value_or(30)};
}

Duration end_time_of(const json::value& pod) {
  return millis_at(pod, end_time_key, std::chrono::seconds{1});
}

Duration ready_after_of(const json::value& pod) {
  return millis_at(pod, ready_after_key, Duration{0});
}

bool matches_selector(const json::value& selector, const json::value& object) {
  const json::value* labels = value_at(object, "metadata.labels");
  const json::array* expressions = array_at(&selector, "matchExpressions");
  const bool holds = expressions == nullptr || std::all_of(expressions->begin(), expressions->end(),
                                                           [&](const json::value& expression) {
                                                             return expression_holds(expression, labels);
                                                           });
  const json::value* wanted = find(selector, "matchLabels");
  if (!holds || wanted == nullptr || !wanted->is_object()) return holds;
  return std::all_of(wanted->get_object().begin(), wanted->get_object().end(), [&](const auto& label) {
    const json::value* has = find(labels, label.key());
    return has != nullptr && *has == label.value();
  });
}

}  // namespace ferryman::sandbox
