// SPDX-License-Identifier: Apache-2.0
#include "aws/endpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "aws/partitions.h"
#include "aws/region.h"
#include "net/url.h"

namespace ferryman::aws {

namespace {

std::string host_of(Service service, std::string_view region, EndpointVariant variant) {
  const Partition& partition = partition_of(region);
  const bool named = variant.fips && (variant.dual_stack || !partition.fips_is_plain);
  return fmt::format("{}{}.{}.{}", facts_of(service).prefix, named ? "-fips" : "", region,
                     variant.dual_stack ? partition.dual_stack_suffix : partition.suffix);
}

Error excluded(const std::string& variable, EndpointVariant variant) {
  const std::string_view wanted = variant.fips ? "FIPS endpoints (--use-fips-endpoint)"
                                               : "dual-stack endpoints (--use-dualstack-endpoint)";
  return {Fault::invalid, fmt::format("{} names an endpoint, and {} are wanted too: only one of both can "
                                      "hold; remove one, or name such an endpoint in {} alone",
                                      variable, wanted, variable)};
}

/// An empty `url` when nothing is overridden.
Result<Endpoint> overridden(Endpoint endpoint, const Environment& environment, EndpointVariant variant) {
  if (environment.get("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") == "true") return endpoint;
  const std::string specific = fmt::format("AWS_ENDPOINT_URL_{}", facts_of(endpoint.service).environment);
  for (const std::string& variable : {specific, std::string("AWS_ENDPOINT_URL")}) {
    std::string value = environment.get(variable);
    if (value.empty()) continue;
    const auto url = net::parse_url(value);
    if (!url) return url.error().within(fmt::format("reading {}", variable));
    if (variant != EndpointVariant()) return excluded(variable, variant);
    endpoint.url = std::move(value);
    endpoint.source = variable;
    if (url->path == "/" && !endpoint.url.ends_with('/')) endpoint.url += '/';
    return endpoint;
  }
  return endpoint;
}

Result<Endpoint> start(Service service, std::string_view region, const Environment& environment,
                       EndpointVariant variant) {
  if (!is_region_name(region)) {
    return Error(Fault::invalid,
                 fmt::format("\"{}\" is not a region's name: give one such as us-west-2", region));
  }
  Endpoint endpoint;
  endpoint.service = service;
  endpoint.region = std::string(region);
  return overridden(std::move(endpoint), environment, variant);
}

void use_region(Endpoint& endpoint, EndpointVariant variant) {
  endpoint.url = fmt::format("https://{}/", host_of(endpoint.service, endpoint.region, variant));
  endpoint.source = "the region";
}

/// True for all four variants' hosts.
bool is_regions_own(const net::Url& url, const Endpoint& endpoint) {
  constexpr std::array<EndpointVariant, 4> variants = {
      {{false, false}, {true, false}, {false, true}, {true, true}}};
  return std::ranges::any_of(variants, [&](EndpointVariant variant) {
    return url.host == host_of(endpoint.service, endpoint.region, variant);
  });
}

}  // namespace

Result<Endpoint> endpoint_of(Service service, std::string_view region, const Environment& environment,
                             EndpointVariant variant) {
  auto endpoint = start(service, region, environment, variant);
  if (endpoint && endpoint->url.empty()) use_region(*endpoint, variant);
  return endpoint;
}

Result<Endpoint> queue_endpoint(std::string_view queue_url, std::string_view region,
                                const Environment& environment, EndpointVariant variant) {
  const auto queue = net::parse_url(queue_url);
  if (!queue) return queue.error().within("reading the queue URL");
  auto endpoint = start(Service::sqs, region, environment, variant);
  if (!endpoint || !endpoint->url.empty()) return endpoint;
  const std::string old_host = fmt::format("queue.{}", partition_of(region).suffix);
  const bool old_form = queue->host == old_host || queue->host.ends_with("." + old_host);
  const bool other_variant = variant != EndpointVariant() && is_regions_own(*queue, *endpoint);
  if (old_form || other_variant) {
    use_region(*endpoint, variant);
    return endpoint;
  }
  endpoint->url = fmt::format("{}://{}/", queue->scheme, queue->authority());
  endpoint->source = "the queue URL";
  return endpoint;
}

}  // namespace ferryman::aws
