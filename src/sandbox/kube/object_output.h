// SPDX-License-Identifier: Apache-2.0
// How objects, lists and watch events are written: whole, as metadata only, or as a table.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/time.h"
#include "sandbox/kube/kube_call.h"
#include "sandbox/kube/object_store.h"

namespace ferryman::sandbox {

/// The form that a call asked for, and what it needs to know.
class OutputStyle {
 public:
  OutputStyle() = default;
  OutputStyle(const KubeCall& call, WallTime now_in)
      : type(call.type), form(call.form), now(now_in), rows_hold(call.parameter("includeObject")) {}

  const ResourceType* type = nullptr;
  OutputForm form = OutputForm::json;
  WallTime now;           // for ages
  std::string rows_hold;  // a table's includeObject: "", "Metadata", "Object", "None"
};

class ListMeta {
 public:
  ListMeta() = default;

  std::uint64_t version = 0;
  std::string continue_token;  // empty: this is the end
  std::size_t remaining = 0;   // 0: not told
};

std::string encode_object(const OutputStyle& style, const json::value& object);
std::string encode_list(const OutputStyle& style, const std::vector<ObjectPtr>& objects,
                        const ListMeta& meta);
/// One line of a watch with its newline: `type` is "ADDED", "MODIFIED" or "DELETED".
std::string encode_event(const OutputStyle& style, std::string_view type, const json::value& object);
/// `initial_end` marks the end of the initial events (sendInitialEvents).
std::string encode_bookmark(const OutputStyle& style, std::uint64_t version, bool initial_end);
std::string encode_error_event(const json::object& status);

}  // namespace ferryman::sandbox
