// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/request_body.h"

#include "sandbox/kube/protobuf_body.h"
#include "sandbox/kube/yaml_body.h"

namespace ferryman::sandbox {

FieldType body_type(const KubeCall& call) {
  if (call.method == "DELETE") return FieldType("DeleteOptions");
  if (call.subresource == "eviction") return FieldType("policy.Eviction");
  if (call.subresource == "token") return FieldType("authentication.TokenRequest");
  return schema_of(*call.type);
}

Result<json::value> body_of(const KubeCall& call) {
  if (call.body.empty()) return json::value(json::object());
  if (call.has_protobuf_body()) return parse_protobuf(call.body, body_type(call));
  const bool yaml = call.headers.get("Content-Type").find("yaml") != std::string_view::npos;
  auto parsed = parse_json(call.body);
  if (!parsed && yaml) parsed = parse_yaml(call.body);
  if (parsed && !parsed->is_object()) return Error(Fault::invalid, "the body must be a JSON object");
  return parsed;
}

bool is_dry_run(const KubeCall& call, const json::value& options) {
  const json::array* asked = array_at(&options, "dryRun");
  return call.parameter("dryRun") == "All" || (asked != nullptr && !asked->empty());
}

}  // namespace ferryman::sandbox
