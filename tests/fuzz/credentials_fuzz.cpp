// SPDX-License-Identifier: Apache-2.0
// The shared config files of AWS' tools, and the documents in which metadata and container endpoints give
// keys.
#include "aws/key_document.h"
#include "aws/shared_config.h"
#include "fuzz/fuzzed_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ferryman;
  const std::string_view text = fuzz::text_of(data, size);
  if (const auto sections = aws::parse_ini(text)) {
    for (const auto& [name, keys] : *sections) {
      for (const auto& [key, value] : keys) fuzz::check(!key.empty(), "a setting has a name");
    }
  }
  for (const bool temporary : {false, true}) {
    const auto keys = aws::parse_key_document(text, temporary);
    if (keys)
      fuzz::check(!keys->access_key_id.empty() && !keys->secret_access_key.empty(), "keys come in pairs");
  }
  (void)aws::refusal_text(text);
  return 0;
}
