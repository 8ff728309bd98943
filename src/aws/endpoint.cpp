// SPDX-License-Identifier: Apache-2.0
#include "aws/endpoint.h"

#include <fmt/format.h>

#include <array>

#include "aws/region.h"
#include "net/url.h"

namespace ferryman::aws {

namespace {

struct Partition {
  std::string_view region_prefix;
  std::string_view suffix;
};

// The first that fits holds. The isolated partitions, FIPS and dual-stack names belong into this table.
constexpr std::array<Partition, 2> partitions = {{
    {"cn-", "amazonaws.com.cn"},
    {"", "amazonaws.com"},
}};

std::string_view suffix_for(std::string_view region) {
  for (const Partition& partition : partitions) {
    if (region.starts_with(partition.region_prefix)) return partition.suffix;
  }
  return partitions.back().suffix;
}

/// An empty `url` when nothing is overridden.
Result<Endpoint> overridden(Endpoint endpoint, const Environment& environment) {
  if (environment.get("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") == "true") return endpoint;
  const std::string specific = fmt::format("AWS_ENDPOINT_URL_{}", facts_of(endpoint.service).environment);
  for (const std::string& variable : {specific, std::string("AWS_ENDPOINT_URL")}) {
    std::string value = environment.get(variable);
    if (value.empty()) continue;
    const auto url = net::parse_url(value);
    if (!url) return url.error().within(fmt::format("reading {}", variable));
    endpoint.url = std::move(value);
    endpoint.source = variable;
    if (url->path == "/" && !endpoint.url.ends_with('/')) endpoint.url += '/';
    return endpoint;
  }
  return endpoint;
}

Result<Endpoint> start(Service service, std::string_view region, const Environment& environment) {
  if (!is_region_name(region)) {
    return Error(Fault::invalid,
                 fmt::format("\"{}\" is not a region's name: give one such as us-west-2", region));
  }
  Endpoint endpoint;
  endpoint.service = service;
  endpoint.region = std::string(region);
  return overridden(std::move(endpoint), environment);
}

void use_region(Endpoint& endpoint) {
  endpoint.url = fmt::format("https://{}.{}.{}/", facts_of(endpoint.service).prefix, endpoint.region,
                             suffix_for(endpoint.region));
  endpoint.source = "the region";
}

}  // namespace

Result<Endpoint> endpoint_of(Service service, std::string_view region, const Environment& environment) {
  auto endpoint = start(service, region, environment);
  if (endpoint && endpoint->url.empty()) use_region(*endpoint);
  return endpoint;
}

Result<Endpoint> queue_endpoint(std::string_view queue_url, std::string_view region,
                                const Environment& environment) {
  const auto queue = net::parse_url(queue_url);
  if (!queue) return queue.error().within("reading the queue URL");
  auto endpoint = start(Service::sqs, region, environment);
  if (!endpoint || !endpoint->url.empty()) return endpoint;
  const bool old_form = queue->host == "queue.amazonaws.com" || queue->host.ends_with(".queue.amazonaws.com");
  if (old_form) {
    use_region(*endpoint);
    return endpoint;
  }
  endpoint->url = fmt::format("{}://{}/", queue->scheme, queue->authority());
  endpoint->source = "the queue URL";
  return endpoint;
}

}  // namespace ferryman::aws
