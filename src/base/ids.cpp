// SPDX-License-Identifier: Apache-2.0
#include "base/ids.h"

#include <algorithm>

namespace ferryman {

std::optional<InstanceId> parse_instance_id(std::string_view text) {
  constexpr std::string_view prefix = "i-";
  if (!text.starts_with(prefix)) return std::nullopt;
  const std::string_view digits = text.substr(prefix.size());
  if (digits.size() != 8 && digits.size() != 17) return std::nullopt;
  const bool hexadecimal = std::all_of(
      digits.begin(), digits.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
  if (!hexadecimal) return std::nullopt;
  return InstanceId(std::string(text));
}

std::optional<InstanceId> instance_id_of_provider(std::string_view provider_id) {
  if (!provider_id.starts_with("aws://")) return std::nullopt;
  return parse_instance_id(provider_id.substr(provider_id.rfind('/') + 1));
}

}  // namespace ferryman
