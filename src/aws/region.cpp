// SPDX-License-Identifier: Apache-2.0
#include "aws/region.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "aws/queue_address.h"

namespace ferryman::aws {

bool is_region_name(std::string_view text) {
  const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  constexpr std::size_t longest_label = 63;
  return !text.empty() && text.size() <= longest_label && std::ranges::all_of(text, allowed) &&
         text.front() != '-' && text.back() != '-';
}

namespace {

QueueAddress parsed_or_empty(std::string_view queue) {
  auto address = parse_queue_address(queue);
  return address ? std::move(*address) : QueueAddress();
}

}  // namespace

Result<Region> find_region(std::string_view flag, const Environment& environment, std::string_view queue,
                           const Region& profile) {
  const QueueAddress address = parsed_or_empty(queue);
  if (address.is_arn && !flag.empty() && flag != address.region) {
    return Error(
        Fault::invalid,
        fmt::format("\"{}\" is not the region of the queue's ARN, {}: leave it out or give that one; events "
                    "come to a queue of their own region",
                    flag, address.region));
  }
  const std::array<Region, 6> places = {Region(address.is_arn ? address.region : "", "the queue's ARN"),
                                        Region(std::string(flag), "--region"),
                                        Region(environment.get("AWS_REGION"), "AWS_REGION"),
                                        Region(environment.get("AWS_DEFAULT_REGION"), "AWS_DEFAULT_REGION"),
                                        Region(address.region, "the queue URL"),
                                        profile};
  for (const Region& place : places) {
    if (place.name.empty()) continue;
    if (is_region_name(place.name)) return place;
    return Error(Fault::invalid,
                 fmt::format("the region \"{}\" from {} is not a region's name: give one such as us-west-2",
                             place.name, place.source));
  }
  return Error(
      Fault::not_found,
      fmt::format(
          "no AWS region: neither --region, AWS_REGION nor AWS_DEFAULT_REGION is set, and neither the "
          "queue \"{}\", a shared profile nor the instance metadata names one; set --region",
          queue));
}

}  // namespace ferryman::aws
