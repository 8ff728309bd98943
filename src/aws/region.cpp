// SPDX-License-Identifier: Apache-2.0
#include "aws/region.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "net/url.h"

namespace ferryman::aws {

namespace {

std::vector<std::string_view> labels_of(std::string_view host) {
  std::vector<std::string_view> labels;
  while (!host.empty()) {
    const std::string_view label = host.substr(0, host.find('.'));
    labels.push_back(label);
    host.remove_prefix(std::min(label.size() + 1, host.size()));
  }
  return labels;
}

/// "us-west-2", "cn-north-1", "eusc-de-east-1": parts joined by hyphens, a number last.
bool looks_like_region(std::string_view label) {
  return is_region_name(label) && label.find('-') != std::string_view::npos && label.back() >= '0' &&
         label.back() <= '9';
}

}  // namespace

bool is_region_name(std::string_view text) {
  const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  constexpr std::size_t longest_label = 63;
  return !text.empty() && text.size() <= longest_label && std::ranges::all_of(text, allowed) &&
         text.front() != '-' && text.back() != '-';
}

std::optional<std::string> region_of_queue_url(std::string_view queue_url) {
  const auto url = net::parse_url(queue_url);
  if (!url) return std::nullopt;
  const auto labels = labels_of(url->host);
  for (std::size_t i = 0; i + 1 < labels.size(); ++i) {
    const bool current = labels[i] == "sqs" || labels[i] == "sqs-fips";
    if (current && looks_like_region(labels[i + 1])) return std::string(labels[i + 1]);
    if (labels[i + 1] == "queue" && looks_like_region(labels[i])) return std::string(labels[i]);
  }
  if (url->host == "queue.amazonaws.com") return "us-east-1";
  return std::nullopt;
}

Result<Region> find_region(std::string_view flag, const Environment& environment, std::string_view queue_url,
                           const Region& profile) {
  const auto from_queue = region_of_queue_url(queue_url);
  const std::array<Region, 5> places = {Region(std::string(flag), "--region"),
                                        Region(environment.get("AWS_REGION"), "AWS_REGION"),
                                        Region(environment.get("AWS_DEFAULT_REGION"), "AWS_DEFAULT_REGION"),
                                        Region(from_queue.value_or(""), "the queue URL"), profile};
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
          "queue URL \"{}\", a shared profile nor the instance metadata names one; set --region",
          queue_url));
}

}  // namespace ferryman::aws
