// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/field_managers.h"

#include <fmt/format.h>

#include <algorithm>

#include "sandbox/kube/json_path.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view place = "metadata.managedFields";

json::array entries_of(const json::value* object) {
  const json::array* all =
      object == nullptr ? nullptr : array_at(value_at(*object, "metadata"), "managedFields");
  return all == nullptr ? json::array() : *all;
}

json::object fields_in(const json::value& entry) {
  const json::value* fields = find(entry, "fieldsV1");
  return fields != nullptr && fields->is_object() ? fields->get_object() : json::object();
}

bool is_own(const json::value& entry, const FieldManager& manager, std::string_view operation) {
  return string_at(entry, "manager") == manager.name && string_at(entry, "operation") == operation &&
         string_at(entry, "subresource") == manager.subresource;
}

json::value entry_of(const FieldManager& manager, std::string_view operation, json::object fields) {
  json::object entry;
  entry["manager"] = manager.name;
  entry["operation"] = operation;
  entry["apiVersion"] = manager.api_version;
  entry["time"] = manager.time;
  entry["fieldsType"] = "FieldsV1";
  entry["fieldsV1"] = std::move(fields);
  if (!manager.subresource.empty()) entry["subresource"] = manager.subresource;
  return entry;
}

/// Takes the fields off everybody but the manager; entries that then own nothing go.
void take_from_others(json::array& entries, const json::object& fields, const FieldManager& manager,
                      std::string_view operation) {
  for (json::value& entry : entries) {
    if (!is_own(entry, manager, operation))
      entry.get_object()["fieldsV1"] = subtract(fields_in(entry), fields);
  }
  entries.erase(std::remove_if(entries.begin(), entries.end(),
                               [](const json::value& entry) { return fields_in(entry).empty(); }),
                entries.end());
}

/// Puts the manager's entry, with its old time when it owns what it owned.
void put_entry(json::array& entries, const FieldManager& manager, std::string_view operation,
               json::object fields) {
  const auto own = std::find_if(entries.begin(), entries.end(),
                                [&](const json::value& entry) { return is_own(entry, manager, operation); });
  if (own == entries.end()) {
    if (!fields.empty()) entries.push_back(entry_of(manager, operation, std::move(fields)));
  } else if (fields_in(*own) != fields) {
    *own = entry_of(manager, operation, std::move(fields));
  }
}

/// As conflicts name a manager: one that applied by its name alone.
std::string manager_text(const json::value& entry) {
  std::string text = fmt::format("\"{}\"", string_at(entry, "manager"));
  if (const std::string_view part = string_at(entry, "subresource"); !part.empty()) {
    text += fmt::format(" with subresource \"{}\"", part);
  }
  if (string_at(entry, "operation") != "Update") return text;
  return fmt::format("{} using {} at {}", text, string_at(entry, "apiVersion"), string_at(entry, "time"));
}

std::vector<FieldConflict> conflicts_of(const json::array& entries, const json::object& changed,
                                        const FieldManager& manager) {
  std::vector<FieldConflict> all;
  for (const json::value& entry : entries) {
    if (is_own(entry, manager, "Apply")) continue;
    for (std::string& path : paths_of(intersect(fields_in(entry), changed))) {
      FieldConflict conflict;
      conflict.manager = manager_text(entry);
      conflict.path = std::move(path);
      all.push_back(std::move(conflict));
    }
  }
  return all;
}

json::object owned_by_others(const json::array& entries, const FieldManager& manager) {
  json::object all;
  for (const json::value& entry : entries) {
    if (!is_own(entry, manager, "Apply")) all = unite(all, fields_in(entry));
  }
  return all;
}

}  // namespace

ApplyOutcome apply_fields(const json::value* live, const json::value& applied, FieldType type,
                          const FieldManager& manager, bool force) {
  ApplyOutcome outcome;
  json::array entries = entries_of(live);
  if (live != nullptr && entries.empty()) {
    FieldManager before = manager;
    before.name = "before-first-apply";
    entries.push_back(entry_of(before, "Update", field_set(*live, type)));
  }
  const json::object fields = field_set(applied, type);
  const json::value nothing = json::object();
  const json::object changed = differing(fields, live == nullptr ? nothing : *live, applied);
  outcome.conflicts = conflicts_of(entries, changed, manager);
  if (!outcome.conflicts.empty() && !force) return outcome;
  outcome.conflicts.clear();
  take_from_others(entries, changed, manager, "Apply");
  outcome.object = live == nullptr ? nothing : *live;
  merge_applied(outcome.object, applied, type);
  const auto own = std::find_if(entries.begin(), entries.end(),
                                [&](const json::value& entry) { return is_own(entry, manager, "Apply"); });
  if (own != entries.end()) {
    // What this manager applied before, leaves out now, and nobody else wants.
    const json::object dropped =
        subtract(subtract(fields_in(*own), fields), owned_by_others(entries, manager));
    remove_fields(outcome.object, dropped);
  }
  put_entry(entries, manager, "Apply", fields);
  make_at(outcome.object, place) = std::move(entries);
  return outcome;
}

void note_update(const json::value& before, json::value& after, FieldType type, const FieldManager& manager) {
  json::array entries = entries_of(&before);
  if (entries.empty()) return;
  const json::object now = field_set(after, type);
  const json::object changed = differing(now, before, after);
  const json::object gone = subtract(field_set(before, type), now);
  take_from_others(entries, unite(changed, gone), manager, "Update");
  json::object own;
  for (const json::value& entry : entries) {
    if (is_own(entry, manager, "Update")) own = subtract(fields_in(entry), gone);
  }
  put_entry(entries, manager, "Update", unite(own, changed));
  make_at(after, place) = std::move(entries);
}

}  // namespace ferryman::sandbox
