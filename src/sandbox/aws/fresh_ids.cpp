// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/fresh_ids.h"

namespace ferryman::sandbox {

std::string fresh_text(Random& random, std::size_t length, std::string_view alphabet) {
  std::string text(length, ' ');
  for (char& c : text) c = alphabet[random.below(alphabet.size())];
  return text;
}

std::string fresh_hex(Random& random, std::size_t digits) {
  return fresh_text(random, digits, "0123456789abcdef");
}

std::string fresh_uuid(Random& random) {
  std::string digits = fresh_hex(random, 32);
  digits[12] = '4';                               // version
  digits[16] = fresh_text(random, 1, "89ab")[0];  // variant
  for (const std::size_t dash : {8U, 13U, 18U, 23U}) digits.insert(dash, 1, '-');
  return digits;
}

InstanceId fresh_instance_id(Random& random) {
  return InstanceId("i-0" + fresh_hex(random, 16));
}

}  // namespace ferryman::sandbox
