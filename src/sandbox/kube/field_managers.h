// SPDX-License-Identifier: Apache-2.0
// Who owns which field (metadata.managedFields), as server-side apply needs it. Kept from an object's first
// apply on; what was there before belongs to "before-first-apply".
#pragma once

#include <string>
#include <vector>

#include "sandbox/kube/field_set.h"

namespace ferryman::sandbox {

/// Who writes, and in which version.
class FieldManager {
 public:
  FieldManager() = default;

  std::string name;
  std::string api_version;
  std::string subresource;
  std::string time;  // RFC 3339
};

class FieldConflict {
 public:
  FieldConflict() = default;

  std::string manager;  // `"helm"`, `"kubectl-edit" using v1 at 2026-…`
  std::string path;
};

class ApplyOutcome {
 public:
  ApplyOutcome() = default;

  json::value object;                    // with its managedFields
  std::vector<FieldConflict> conflicts;  // not empty: the object is not to be used
};

/// `live` is null for a new object. `force` takes conflicting fields over.
ApplyOutcome apply_fields(const json::value* live, const json::value& applied, FieldType type,
                          const FieldManager& manager, bool force);

/// After a write of another kind: what it changed belongs to its manager, what it removed to nobody. Does
/// nothing for an object that was never applied.
void note_update(const json::value& before, json::value& after, FieldType type, const FieldManager& manager);

}  // namespace ferryman::sandbox
