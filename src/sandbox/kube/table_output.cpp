// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/table_output.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <span>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/node_objects.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

namespace {

struct Column {
  std::string_view name;
  std::string_view type;
  int priority;  // above 0: only with -o wide
};

constexpr std::array node_columns = {
    Column{"Name", "string", 0},           Column{"Status", "string", 0},
    Column{"Roles", "string", 0},          Column{"Age", "string", 0},
    Column{"Version", "string", 0},        Column{"Internal-IP", "string", 1},
    Column{"External-IP", "string", 1},    Column{"OS-Image", "string", 1},
    Column{"Kernel-Version", "string", 1}, Column{"Container-Runtime", "string", 1},
};

constexpr std::array pod_columns = {
    Column{"Name", "string", 0},
    Column{"Ready", "string", 0},
    Column{"Status", "string", 0},
    Column{"Restarts", "string", 0},
    Column{"Age", "string", 0},
    Column{"IP", "string", 1},
    Column{"Node", "string", 1},
    Column{"Nominated Node", "string", 1},
    Column{"Readiness Gates", "string", 1},
};

constexpr std::array other_columns = {Column{"Name", "string", 0}, Column{"Age", "string", 0}};

std::span<const Column> columns_of(std::string_view resource) {
  if (resource == "nodes") return node_columns;
  if (resource == "pods") return pod_columns;
  return other_columns;
}

std::string or_none(std::string_view text) {
  return text.empty() ? "<none>" : std::string(text);
}

std::string age_of(const json::value& object, WallTime now) {
  const auto made = parse_rfc3339(text_at(object, "metadata.creationTimestamp"));
  return made ? age_text(now - *made) : "<unknown>";
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

std::string node_status(const json::value& node) {
  std::string status = is_node_ready(node) ? "Ready" : "NotReady";
  if (bool_at(value_at(node, "spec"), "unschedulable")) status += ",SchedulingDisabled";
  return status;
}

json::array node_cells(const json::value& node, WallTime now) {
  json::array cells;
  cells.emplace_back(text_at(node, "metadata.name"));
  cells.emplace_back(node_status(node));
  cells.emplace_back("<none>");
  cells.emplace_back(age_of(node, now));
  cells.emplace_back(text_at(node, "status.nodeInfo.kubeletVersion"));
  cells.emplace_back(node_address(node, "InternalIP"));
  cells.emplace_back(node_address(node, "ExternalIP"));
  cells.emplace_back(text_at(node, "status.nodeInfo.osImage"));
  cells.emplace_back(text_at(node, "status.nodeInfo.kernelVersion"));
  cells.emplace_back(text_at(node, "status.nodeInfo.containerRuntimeVersion"));
  return cells;
}

json::array pod_cells(const json::value& pod, WallTime now) {
  const json::array* containers = array_at(value_at(pod, "spec"), "containers");
  const std::size_t total = containers == nullptr ? 0 : containers->size();
  std::size_t ready = 0;
  if (const json::array* states = array_at(value_at(pod, "status"), "containerStatuses"); states != nullptr) {
    for (const json::value& state : *states) ready += bool_at(&state, "ready") ? 1 : 0;
  }
  json::array cells;
  cells.emplace_back(text_at(pod, "metadata.name"));
  cells.emplace_back(fmt::format("{}/{}", ready, total));
  cells.emplace_back(is_terminating(pod) ? "Terminating" : text_at(pod, "status.phase"));
  cells.emplace_back("0");
  cells.emplace_back(age_of(pod, now));
  cells.emplace_back(or_none(text_at(pod, "status.podIP")));
  cells.emplace_back(or_none(node_of(pod)));
  cells.emplace_back("<none>");
  cells.emplace_back("<none>");
  return cells;
}

json::array cells_of(const OutputStyle& style, const json::value& object) {
  if (style.type->resource == "nodes") return node_cells(object, style.now);
  if (style.type->resource == "pods") return pod_cells(object, style.now);
  json::array cells;
  cells.emplace_back(text_at(object, "metadata.name"));
  cells.emplace_back(age_of(object, style.now));
  return cells;
}

std::optional<json::object> row_object(const OutputStyle& style, const json::value& object) {
  if (style.rows_hold == "None") return std::nullopt;
  json::object made;
  if (style.rows_hold == "Object") {
    made["kind"] = style.type->kind;
    made["apiVersion"] = style.type->api_version();
    if (object.is_object()) {
      for (const auto& member : object.get_object()) made[member.key()] = member.value();
    }
    return made;
  }
  made["kind"] = "PartialObjectMetadata";
  made["apiVersion"] = "meta.k8s.io/v1";
  if (const json::value* metadata = find(object, "metadata"); metadata != nullptr)
    made["metadata"] = *metadata;
  return made;
}

}  // namespace

std::string age_text(Duration age) {
  const std::int64_t s =
      std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::seconds>(age).count(), 0);
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

json::object table_of(const OutputStyle& style, const std::vector<ObjectPtr>& objects) {
  json::object table;
  table["kind"] = "Table";
  table["apiVersion"] = "meta.k8s.io/v1";
  table["metadata"] = json::object();
  json::array columns;
  for (const Column& column : columns_of(style.type->resource)) {
    json::object one;
    one["name"] = column.name;
    one["type"] = column.type;
    one["format"] = column.name == "Name" ? "name" : "";
    one["description"] = "";
    one["priority"] = column.priority;
    columns.push_back(std::move(one));
  }
  table["columnDefinitions"] = std::move(columns);
  json::array rows;
  for (const ObjectPtr& object : objects) {
    json::object row;
    row["cells"] = cells_of(style, *object);
    if (auto held = row_object(style, *object)) row["object"] = std::move(*held);
    rows.push_back(std::move(row));
  }
  table["rows"] = std::move(rows);
  return table;
}

}  // namespace ferryman::sandbox
