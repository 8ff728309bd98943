// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/table_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/node_objects.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

namespace {

// Cells: a path to a text ("<none>" when it is missing); "#path" a number (0 when missing); "?path" a number
// or text, else "N/A"; "@age path"; "{path" how many members; "/path path" two numbers; "=word" that word;
// else the name of a function below.
constexpr std::string_view age = "@metadata.creationTimestamp";

constexpr std::array node_columns{
    TableColumn{"Name", "string", 0, "metadata.name"},
    TableColumn{"Status", "string", 0, "node status"},
    TableColumn{"Roles", "string", 0, "node roles"},
    TableColumn{"Age", "string", 0, age},
    TableColumn{"Version", "string", 0, "status.nodeInfo.kubeletVersion"},
    TableColumn{"Internal-IP", "string", 1, "node InternalIP"},
    TableColumn{"External-IP", "string", 1, "node ExternalIP"},
    TableColumn{"OS-Image", "string", 1, "status.nodeInfo.osImage"},
    TableColumn{"Kernel-Version", "string", 1, "status.nodeInfo.kernelVersion"},
    TableColumn{"Container-Runtime", "string", 1, "status.nodeInfo.containerRuntimeVersion"},
};

constexpr std::array pod_columns{
    TableColumn{"Name", "string", 0, "metadata.name"},
    TableColumn{"Ready", "string", 0, "pod ready"},
    TableColumn{"Status", "string", 0, "pod status"},
    TableColumn{"Restarts", "string", 0, "=0"},
    TableColumn{"Age", "string", 0, age},
    TableColumn{"IP", "string", 1, "status.podIP"},
    TableColumn{"Node", "string", 1, "spec.nodeName"},
    TableColumn{"Nominated Node", "string", 1, "status.nominatedNodeName"},
    TableColumn{"Readiness Gates", "string", 1, "=<none>"},
};

constexpr std::array deployment_columns{
    TableColumn{"Name", "string", 0, "metadata.name"},
    TableColumn{"Ready", "string", 0, "/status.readyReplicas spec.replicas"},
    TableColumn{"Up-to-date", "string", 0, "#status.updatedReplicas"},
    TableColumn{"Available", "string", 0, "#status.availableReplicas"},
    TableColumn{"Age", "string", 0, age},
};

constexpr std::array replica_set_columns{
    TableColumn{"Name", "string", 0, "metadata.name"},
    TableColumn{"Desired", "integer", 0, "#spec.replicas"},
    TableColumn{"Current", "integer", 0, "#status.replicas"},
    TableColumn{"Ready", "integer", 0, "#status.readyReplicas"},
    TableColumn{"Age", "string", 0, age},
};

constexpr std::array daemon_set_columns{
    TableColumn{"Name", "string", 0, "metadata.name"},
    TableColumn{"Desired", "integer", 0, "#status.desiredNumberScheduled"},
    TableColumn{"Current", "integer", 0, "#status.currentNumberScheduled"},
    TableColumn{"Ready", "integer", 0, "#status.numberReady"},
    TableColumn{"Up-to-date", "integer", 0, "#status.updatedNumberScheduled"},
    TableColumn{"Available", "integer", 0, "#status.numberAvailable"},
    TableColumn{"Node Selector", "string", 0, "=<none>"},
    TableColumn{"Age", "string", 0, age},
};

constexpr std::array budget_columns{
    TableColumn{"Name", "string", 0, "metadata.name"},
    TableColumn{"Min Available", "string", 0, "?spec.minAvailable"},
    TableColumn{"Max Unavailable", "string", 0, "?spec.maxUnavailable"},
    TableColumn{"Allowed Disruptions", "integer", 0, "#status.disruptionsAllowed"},
    TableColumn{"Age", "string", 0, age},
};

constexpr std::array event_columns{
    TableColumn{"Last Seen", "string", 0, "event seen"},
    TableColumn{"Type", "string", 0, "type"},
    TableColumn{"Reason", "string", 0, "reason"},
    TableColumn{"Object", "string", 0, "event object"},
    TableColumn{"Subobject", "string", 1, "involvedObject.fieldPath"},
    TableColumn{"Source", "string", 1, "source.component"},
    TableColumn{"Message", "string", 0, "message"},
    TableColumn{"First Seen", "string", 1, "@firstTimestamp"},
    TableColumn{"Count", "string", 1, "?count"},
    TableColumn{"Name", "string", 1, "metadata.name"},
};

constexpr std::array lease_columns{
    TableColumn{"Name", "string", 0, "metadata.name"},
    TableColumn{"Holder", "string", 0, "spec.holderIdentity"},
    TableColumn{"Age", "string", 0, age},
};

constexpr std::array namespace_columns{
    TableColumn{"Name", "string", 0, "metadata.name"},
    TableColumn{"Status", "string", 0, "status.phase"},
    TableColumn{"Age", "string", 0, age},
};

constexpr std::array config_map_columns{
    TableColumn{"Name", "string", 0, "metadata.name"},
    TableColumn{"Data", "string", 0, "{data"},
    TableColumn{"Age", "string", 0, age},
};

constexpr std::array binding_columns{
    TableColumn{"Name", "string", 0, "metadata.name"},
    TableColumn{"Role", "string", 0, "binding role"},
    TableColumn{"Age", "string", 0, age},
};

constexpr std::array role_columns{
    TableColumn{"Name", "string", 0, "metadata.name"},
    TableColumn{"Created At", "date", 0, "metadata.creationTimestamp"},
};

constexpr std::array other_columns{
    TableColumn{"Name", "string", 0, "metadata.name"},
    TableColumn{"Age", "string", 0, age},
};

constexpr std::array<std::pair<std::string_view, std::span<const TableColumn>>, 14> all_columns{{
    {"clusterrolebindings", binding_columns},
    {"clusterroles", role_columns},
    {"configmaps", config_map_columns},
    {"daemonsets", daemon_set_columns},
    {"deployments", deployment_columns},
    {"events", event_columns},
    {"leases", lease_columns},
    {"namespaces", namespace_columns},
    {"nodes", node_columns},
    {"poddisruptionbudgets", budget_columns},
    {"pods", pod_columns},
    {"replicasets", replica_set_columns},
    {"rolebindings", binding_columns},
    {"roles", role_columns},
}};

std::string age_at(const json::value& object, std::string_view path, WallTime now) {
  const auto made = parse_rfc3339(text_at(object, path));
  return made ? age_text(now - *made) : "<unknown>";
}

std::int64_t number_at(const json::value& object, std::string_view path) {
  const json::value* at = value_at(object, path);
  return at != nullptr && at->is_int64() ? at->get_int64() : 0;
}

std::string node_status(const json::value& node) {
  std::string status = is_node_ready(node) ? "Ready" : "NotReady";
  if (bool_at(value_at(node, "spec"), "unschedulable")) status += ",SchedulingDisabled";
  return status;
}

std::string node_address(const json::value& node, std::string_view type) {
  const json::array* all = array_at(value_at(node, "status"), "addresses");
  if (all != nullptr) {
    for (const json::value& one : *all) {
      if (string_at(one, "type") == type) return std::string(string_at(one, "address"));
    }
  }
  return "<none>";
}

std::string node_roles(const json::value& node) {
  constexpr std::string_view prefix = "node-role.kubernetes.io/";
  std::string roles;
  const json::value* labels = value_at(node, "metadata.labels");
  if (labels == nullptr || !labels->is_object()) return "<none>";
  for (const auto& label : labels->get_object()) {
    const std::string_view key = label.key();
    if (!key.starts_with(prefix)) continue;
    if (!roles.empty()) roles += ',';
    roles += key.substr(prefix.size());
  }
  return roles.empty() ? "<none>" : roles;
}

std::string pod_ready(const json::value& pod) {
  const json::array* containers = array_at(value_at(pod, "spec"), "containers");
  const json::array* states = array_at(value_at(pod, "status"), "containerStatuses");
  const auto ready =
      states == nullptr ? 0 : std::count_if(states->begin(), states->end(), [](const json::value& one) {
        return bool_at(&one, "ready");
      });
  return fmt::format("{}/{}", ready, containers == nullptr ? 0 : containers->size());
}

/// An event's last time: of its series, of its repetition, or its only one.
std::string event_seen(const json::value& event, WallTime now) {
  for (const char* path : {"series.lastObservedTime", "lastTimestamp", "eventTime"}) {
    if (!text_at(event, path).empty()) return age_at(event, path, now);
  }
  return "<unknown>";
}

std::string lower(std::string_view text) {
  std::string made(text);
  for (char& c : made) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return made;
}

std::string special(std::string_view cell, const json::value& object, WallTime now) {
  if (cell == "node status") return node_status(object);
  if (cell == "node roles") return node_roles(object);
  if (cell.starts_with("node ")) return node_address(object, cell.substr(5));
  if (cell == "pod ready") return pod_ready(object);
  if (cell == "pod status")
    return std::string(is_terminating(object) ? "Terminating" : text_at(object, "status.phase"));
  if (cell == "event seen") return event_seen(object, now);
  if (cell == "event object") {
    return fmt::format("{}/{}", lower(text_at(object, "involvedObject.kind")),
                       text_at(object, "involvedObject.name"));
  }
  return fmt::format("{}/{}", text_at(object, "roleRef.kind"), text_at(object, "roleRef.name"));
}

json::value cell_of(std::string_view cell, const json::value& object, WallTime now) {
  const std::string_view path = cell.substr(1);
  const json::value* at = value_at(object, path);
  switch (cell.front()) {
    case '@':
      return json::value(age_at(object, path, now));
    case '#':
      return number_at(object, path);
    case '=':
      return json::value(path);
    case '{':
      return at != nullptr && at->is_object() ? static_cast<std::int64_t>(at->get_object().size()) : 0;
    case '?':
      if (at == nullptr) return "N/A";
      return at->is_int64() ? json::value(std::to_string(at->get_int64())) : *at;
    case '/': {
      const std::size_t blank = path.find(' ');
      return json::value(fmt::format("{}/{}", number_at(object, path.substr(0, blank)),
                                     number_at(object, path.substr(blank + 1))));
    }
    default:
      break;
  }
  if (cell.find(' ') != std::string_view::npos) return json::value(special(cell, object, now));
  const std::string_view text = text_at(object, cell);
  return json::value(text.empty() ? "<none>" : text);
}

}  // namespace

std::span<const TableColumn> columns_of(std::string_view resource) {
  const auto found = std::find_if(all_columns.begin(), all_columns.end(),
                                  [&](const auto& entry) { return entry.first == resource; });
  return found == all_columns.end() ? std::span<const TableColumn>(other_columns) : found->second;
}

json::array cells_of(std::string_view resource, const json::value& object, WallTime now) {
  json::array cells;
  for (const TableColumn& column : columns_of(resource)) cells.push_back(cell_of(column.cell, object, now));
  return cells;
}

std::string age_text(Duration duration) {
  const std::int64_t s =
      std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::seconds>(duration).count(), 0);
  const std::int64_t m = s / 60;
  const std::int64_t h = m / 60;
  const std::int64_t d = h / 24;
  const auto pair = [](std::int64_t big, char unit, std::int64_t small, char small_unit) {
    return small == 0 ? fmt::format("{}{}", big, unit)
                      : fmt::format("{}{}{}{}", big, unit, small, small_unit);
  };
  if (s < 120) return fmt::format("{}s", s);
  if (m < 10) return pair(m, 'm', s % 60, 's');
  if (h < 3) return fmt::format("{}m", m);
  if (h < 8) return pair(h, 'h', m % 60, 'm');
  if (h < 48) return fmt::format("{}h", h);
  if (d < 8) return pair(d, 'd', h % 24, 'h');
  return fmt::format("{}d", d);
}

}  // namespace ferryman::sandbox
