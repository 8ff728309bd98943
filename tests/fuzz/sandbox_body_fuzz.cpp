// SPDX-License-Identifier: Apache-2.0
// What clients send to the sandbox's API server: bodies in protobuf and YAML, patches, objects of wrong
// types.
#include "fuzz/fuzzed_text.h"
#include "sandbox/kube/json_patch.h"
#include "sandbox/kube/merge_patch.h"
#include "sandbox/kube/object_check.h"
#include "sandbox/kube/protobuf_body.h"
#include "sandbox/kube/yaml_body.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ferryman;
  const std::string_view text = fuzz::text_of(data, size);
  const sandbox::FieldType pod("Pod");
  if (auto object = sandbox::parse_protobuf(text, pod)) {
    fuzz::check(sandbox::wrong_type(*object, pod).empty(), "what protobuf holds is of the right type");
  }
  auto body = sandbox::parse_yaml(text);
  if (!body) return 0;
  (void)sandbox::drop_unknown(*body, pod);
  fuzz::check(sandbox::drop_unknown(*body, pod).empty(), "what is unknown is dropped at once");
  json::value target = json::object{{"metadata", json::object{{"finalizers", json::array{"a"}}}}};
  sandbox::apply_strategic_patch(target, *body, pod);
  (void)sandbox::apply_json_patch(target, *body);
  return 0;
}
