// SPDX-License-Identifier: Apache-2.0
#include "kube/objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/duration_text.h"
#include "termination/ports/marks.h"

namespace ferryman::kube {

namespace {

using termination::LocalService;
using termination::Node;
using termination::Pod;
using termination::Taint;

/// Null: there is none.
const json::value* ready_condition(const json::value* status) {
  const json::array* conditions = array_at(status, "conditions");
  if (conditions == nullptr) return nullptr;
  const auto ready = std::ranges::find_if(
      *conditions, [](const json::value& condition) { return string_at(condition, "type") == "Ready"; });
  return ready == conditions->end() ? nullptr : &*ready;
}

std::vector<Taint> taints_of(const json::value* spec) {
  std::vector<Taint> taints;
  const json::array* listed = array_at(spec, "taints");
  if (listed == nullptr) return taints;
  for (const json::value& item : *listed) {
    Taint taint(std::string(string_at(item, "key")), std::string(string_at(item, "value")),
                std::string(string_at(item, "effect")));
    taint.time_added = string_at(item, "timeAdded");
    if (!taint.key.empty()) taints.push_back(std::move(taint));
  }
  return taints;
}

std::map<std::string, std::string> texts_of(const json::value* parent, std::string_view key) {
  std::map<std::string, std::string> texts;
  const json::value* object = find(parent, key);
  if (object == nullptr || !object->is_object()) return texts;
  for (const auto& [name, value] : object->get_object()) {
    if (value.is_string()) texts.emplace(name, value.get_string());
  }
  return texts;
}

/// An object can have many owners; at most one of them is its controller.
void read_owner(const json::value* metadata, Pod& pod) {
  const json::array* owners = array_at(metadata, "ownerReferences");
  if (owners == nullptr) return;
  for (const json::value& owner : *owners) {
    if (!bool_at(&owner, "controller")) continue;
    pod.owner_kind = string_at(owner, "kind");
    // As in kubectl: a kind of that name in another group is a controller like others.
    const std::string_view version = string_at(owner, "apiVersion");
    if (pod.owner_kind == "DaemonSet" && !version.starts_with("apps/"))
      pod.owner_kind += fmt::format(".{}", version.substr(0, version.find('/')));
    pod.owner_name = string_at(owner, "name");
    return;
  }
}

std::string text_at(const json::value* parent, std::string_view key) {
  return std::string(string_at(parent, key));
}

bool has_host_port(const json::value& container) {
  const json::array* ports = array_at(&container, "ports");
  return ports != nullptr && std::ranges::any_of(*ports, [](const json::value& port) {
           return integer_at(&port, "hostPort").value_or(0) > 0;
         });
}

bool is_crash_looping(const json::value& container) {
  const json::value* waiting = find(find(&container, "state"), "waiting");
  return string_at(waiting, "reason") == "CrashLoopBackOff";
}

/// Sidecars are among the init containers.
bool any_in(const json::value* parent, std::initializer_list<std::string_view> keys,
            bool (*holds)(const json::value&)) {
  return std::ranges::any_of(keys, [&](std::string_view key) {
    const json::array* containers = array_at(parent, key);
    return containers != nullptr && std::ranges::any_of(*containers, holds);
  });
}

bool is_set(const json::value& object, std::string_view key) {
  const json::value* value = find(&object, key);
  return value != nullptr && !value->is_null();
}

/// https://kubernetes.io/docs/concepts/storage/ephemeral-volumes/#persistentvolumeclaim-naming
void read_volumes(const json::value* spec, Pod& pod) {
  const json::array* volumes = array_at(spec, "volumes");
  if (volumes == nullptr) return;
  for (const json::value& volume : *volumes) {
    if (is_set(volume, "emptyDir")) pod.empty_dir = true;
    std::string claim = text_at(find(volume, "persistentVolumeClaim"), "claimName");
    if (is_set(volume, "ephemeral")) claim = pod.key.name + "-" + text_at(&volume, "name");
    if (!claim.empty()) pod.volume_claims.push_back(std::move(claim));
  }
}

void read_annotations(const json::value* annotations, Pod& pod) {
  namespace marks = termination::marks;
  pod.mirror = find(annotations, "kubernetes.io/config.mirror") != nullptr;
  pod.forced_ends_only = string_at(annotations, marks::forced_ends_only) == "true";
  pod.do_not_disrupt = string_at(annotations, marks::karpenter_do_not_disrupt) == "true" ||
                       string_at(annotations, marks::autoscaler_safe_to_evict) == "false";
  if (find(annotations, marks::wait_up_to) == nullptr) return;
  const std::string_view text = string_at(annotations, marks::wait_up_to);
  const auto duration = parse_duration(text);
  if (duration) {
    pod.wait_up_to = *duration;
  } else {
    pod.misread = fmt::format("annotation {}: \"{}\" {}", marks::wait_up_to, text, duration.error().text);
  }
}

std::vector<std::string> internal_addresses(const json::value* status) {
  std::vector<std::string> addresses;
  const json::array* listed = array_at(status, "addresses");
  if (listed == nullptr) return addresses;
  for (const json::value& address : *listed) {
    if (string_at(address, "type") == "InternalIP") addresses.emplace_back(string_at(address, "address"));
  }
  return addresses;
}

void read_addresses(const json::value* status, Pod& pod) {
  const json::array* listed = array_at(status, "podIPs");
  if (listed == nullptr) return;
  for (const json::value& address : *listed) {
    std::string text = text_at(&address, "ip");
    if (!text.empty()) pod.addresses.push_back(std::move(text));
  }
}

void read_status(const json::value* status, Pod& pod) {
  read_addresses(status, pod);
  pod.phase = text_at(status, "phase");
  pod.crash_looping = any_in(status, {"containerStatuses", "initContainerStatuses"}, is_crash_looping);
  const json::value* ready = ready_condition(status);
  if (string_at(ready, "status") == "False")
    pod.unready_since = parse_rfc3339(string_at(ready, "lastTransitionTime"));
}

void read_spec(const json::value* spec, Pod& pod) {
  pod.host_network = bool_at(spec, "hostNetwork");
  pod.host_ports = any_in(spec, {"containers", "initContainers"}, has_host_port);
  constexpr std::int64_t longest_grace = std::int64_t{366} * 24 * 3600;
  const std::int64_t grace = integer_at(spec, "terminationGracePeriodSeconds").value_or(pod.grace.count());
  pod.grace = std::chrono::seconds{std::clamp<std::int64_t>(grace, 0, longest_grace)};
  using Priority = std::numeric_limits<std::int32_t>;
  pod.priority = static_cast<std::int32_t>(
      std::clamp<std::int64_t>(integer_at(spec, "priority").value_or(0), Priority::min(), Priority::max()));
  read_volumes(spec, pod);
}

}  // namespace

std::optional<Node> node_from(const json::value& object) {
  const json::value* metadata = find(object, "metadata");
  const json::value* spec = find(object, "spec");
  const json::value* status = find(object, "status");
  Node node;
  node.name = text_at(metadata, "name");
  node.uid = Uid(text_at(metadata, "uid"));
  if (node.name.empty() || node.uid.empty()) return std::nullopt;
  node.resource_version = text_at(metadata, "resourceVersion");
  node.instance_id = instance_id_of_provider(string_at(spec, "providerID")).value_or(InstanceId());
  node.unschedulable = bool_at(spec, "unschedulable");
  const std::string_view ready = string_at(ready_condition(status), "status");
  node.ready = ready == "True";
  node.unreachable = ready == "Unknown";
  node.boot_id = text_at(find(status, "nodeInfo"), "bootID");
  node.addresses = internal_addresses(status);
  node.created = created_at(object);
  node.taints = taints_of(spec);
  node.labels = texts_of(metadata, "labels");
  if (const auto zone = node.labels.find("topology.kubernetes.io/zone"); zone != node.labels.end())
    node.zone = zone->second;
  node.claim = text_at(find(metadata, "annotations"), termination::marks::claim_annotation);
  return node;
}

std::optional<Pod> pod_from(const json::value& object) {
  const json::value* metadata = find(object, "metadata");
  Pod pod;
  pod.key.pod_namespace = text_at(metadata, "namespace");
  pod.key.name = text_at(metadata, "name");
  pod.key.uid = Uid(text_at(metadata, "uid"));
  if (pod.key.name.empty() || pod.key.uid.empty()) return std::nullopt;
  const std::string_view deleted = string_at(metadata, "deletionTimestamp");
  pod.terminating = !deleted.empty();
  pod.ends_by = parse_rfc3339(deleted);
  pod.labels = texts_of(metadata, "labels");
  read_owner(metadata, pod);
  read_annotations(find(metadata, "annotations"), pod);
  read_spec(find(object, "spec"), pod);
  read_status(find(object, "status"), pod);
  return pod;
}

std::optional<LocalService> local_service_from(const json::value& object) {
  const json::value* spec = find(object, "spec");
  if (string_at(spec, "externalTrafficPolicy") != "Local") return std::nullopt;
  LocalService service;
  service.service_namespace = text_at(find(object, "metadata"), "namespace");
  service.selector = texts_of(spec, "selector");
  if (service.selector.empty()) return std::nullopt;
  return service;
}

std::map<std::string, std::string> data_of(const json::value& config_map) {
  return texts_of(&config_map, "data");
}

WallTime created_at(const json::value& object) {
  return parse_rfc3339(string_at(find(object, "metadata"), "creationTimestamp")).value_or(WallTime());
}

std::uint64_t version_number(std::string_view resource_version) {
  std::uint64_t number = 0;
  const char* end = resource_version.data() + resource_version.size();
  const auto read = std::from_chars(resource_version.data(), end, number);
  return read.ec == std::errc() && read.ptr == end ? number : 0;
}

}  // namespace ferryman::kube
