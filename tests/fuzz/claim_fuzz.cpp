// SPDX-License-Identifier: Apache-2.0
// The claim annotation of a Node, which anybody may have edited.
#include "fuzz/fuzzed_text.h"
#include "termination/claim.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ferryman;
  const auto claim = termination::decode_claim(fuzz::text_of(data, size));
  if (!claim) return 0;
  const std::string text = termination::encode(*claim);
  const auto again = termination::decode_claim(text);
  fuzz::check(again.ok(), "what was written can be read");
  fuzz::check(termination::encode(*again) == text, "it says the same");
  return 0;
}
