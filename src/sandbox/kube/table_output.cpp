// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/table_output.h"

#include <optional>

#include "sandbox/kube/table_rows.h"

namespace ferryman::sandbox {

namespace {

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

json::object table_of(const OutputStyle& style, const std::vector<ObjectPtr>& objects) {
  json::object table;
  table["kind"] = "Table";
  table["apiVersion"] = "meta.k8s.io/v1";
  table["metadata"] = json::object();
  json::array columns;
  for (const TableColumn& column : columns_of(style.type->resource)) {
    json::object one;
    one["name"] = column.name;
    one["type"] = column.type;
    one["format"] = column.cell == "metadata.name" ? "name" : "";
    one["description"] = "";
    one["priority"] = column.priority;
    columns.push_back(std::move(one));
  }
  table["columnDefinitions"] = std::move(columns);
  json::array rows;
  for (const ObjectPtr& object : objects) {
    json::object row;
    row["cells"] = cells_of(style.type->resource, *object, style.now);
    if (auto held = row_object(style, *object)) row["object"] = std::move(*held);
    rows.push_back(std::move(row));
  }
  table["rows"] = std::move(rows);
  return table;
}

}  // namespace ferryman::sandbox
