// SPDX-License-Identifier: Apache-2.0
// What a drain reads beside pods and Nodes: budgets, attachments, names, and the answers to evictions.
#include "fuzz/fuzzed_text.h"
#include "kube/drain_objects.h"
#include "kube/eviction.h"

using namespace ferryman;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  for (const int status : {201, 403, 404, 409, 429, 500}) {
    const auto answer = kube::read_eviction({status, std::string(text)});
    fuzz::check(!answer || answer->retry_after >= std::chrono::milliseconds{0}, "a wait is no less than 0");
  }
  const auto object = parse_json(text);
  if (!object) return 0;
  const auto budget = kube::budget_from(*object);
  fuzz::check(!budget || !budget->name.empty(), "a budget has a name");
  if (budget) (void)budget->selector.matches({{"app", "web"}, {"tier", ""}});
  const auto attachment = kube::attachment_from(*object);
  fuzz::check(!attachment || !attachment->volume.empty(), "an attachment has a volume");
  const auto name = kube::full_name_of(*object);
  fuzz::check(!name || name->find('/') != std::string::npos, "a full name has a slash");
  return 0;
}
