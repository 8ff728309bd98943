// SPDX-License-Identifier: Apache-2.0
#include "termination/context.h"

#include <algorithm>
#include <array>

namespace ferryman::termination {

std::string_view name_of(Phase phase) {
  constexpr std::array<std::string_view, phases> names = {"resolve",    "find",  "wait",   "cordon",
                                                          "deregister", "drain", "settle", "complete"};
  return names.at(static_cast<std::size_t>(phase));
}

bool lacks_right(const Error& error) {
  return error.fault == Fault::denied && error.code == "Forbidden";
}

Duration patient_back_off(int n, Random& random) {
  constexpr Duration first = std::chrono::milliseconds{500};
  constexpr Duration longest = std::chrono::seconds{10};
  constexpr double spread = 0.3;
  const Duration middle = std::min(first * (1 << std::clamp(n - 1, 0, 10)), longest);
  return random.jittered(middle, spread);
}

}  // namespace ferryman::termination
