// SPDX-License-Identifier: Apache-2.0
#include "aws/instance_metadata.h"

#include <fmt/format.h>

#include "aws/region.h"
#include "net/url.h"

namespace ferryman::aws {

namespace {

constexpr Duration longest_try = std::chrono::seconds{1};
constexpr std::string_view token_life = "21600";  // seconds; the longest that is allowed
constexpr Duration token_kept = std::chrono::hours{5};
// A service of version 1 may be a stand-in that is replaced, or an instance whose options change.
constexpr Duration version_1_kept = std::chrono::minutes{5};
constexpr std::size_t longest_answer = std::size_t{64} << 10U;

net::BackOff metadata_back_off() {
  net::BackOff policy;
  policy.first = std::chrono::milliseconds{100};
  policy.longest = std::chrono::seconds{1};
  policy.attempts = 3;
  return policy;
}

bool is_true(const Environment& environment, std::string_view variable) {
  const std::string value = environment.get(variable);
  return value == "true" || value == "True" || value == "TRUE" || value == "1";
}

Result<std::string> endpoint_from(const Environment& environment) {
  constexpr const char* variable = "AWS_EC2_METADATA_SERVICE_ENDPOINT";
  std::string chosen = environment.get(variable);
  if (!chosen.empty()) {
    if (const auto url = net::parse_url(chosen); !url)
      return url.error().within(fmt::format("reading {}", variable));
    while (chosen.ends_with('/')) chosen.pop_back();
    return chosen;
  }
  const std::string mode = environment.get("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE");
  if (mode.empty() || mode == "IPv4" || mode == "ipv4") return std::string("http://169.254.169.254");
  if (mode == "IPv6" || mode == "ipv6") return std::string("http://[fd00:ec2::254]");
  return Error(
      Fault::invalid,
      fmt::format("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE is \"{}\": it must be IPv4 or IPv6", mode));
}

Error refusal(const net::HttpResponse& answer, std::string_view what) {
  Fault fault = Fault::unexpected;
  if (answer.status == 404) fault = Fault::not_found;
  if (answer.status == 401 || answer.status == 403) fault = Fault::denied;
  if (answer.status == 400) fault = Fault::invalid;
  if (answer.status == 429) fault = Fault::throttled;
  return {fault, fmt::format("HTTP {}", answer.status),
          fmt::format("{} was answered with HTTP {}", what, answer.status)};
}

}  // namespace

InstanceMetadata::InstanceMetadata(const CallContext& context, const Environment& environment)
    : context_(context), version_1_allowed_(!is_true(environment, "AWS_EC2_METADATA_V1_DISABLED")) {
  auto profile = std::make_shared<net::ConnectionProfile>();
  profile->direct = true;
  direct_ = std::move(profile);
  auto endpoint = endpoint_from(environment);
  if (endpoint) {
    endpoint_ = std::move(*endpoint);
  } else {
    unusable_ = endpoint.error();
  }
  if (is_true(environment, "AWS_EC2_METADATA_DISABLED"))
    unusable_ = Error(Fault::not_found, "Disabled", "AWS_EC2_METADATA_DISABLED is true");
}

Task<Result<net::HttpResponse>> InstanceMetadata::send(net::HttpRequest request, Deadline deadline) {
  request.profile = direct_;
  request.max_response_bytes = longest_answer;
  request.headers.add("User-Agent", "ferryman/" FERRYMAN_VERSION);
  auto answer =
      co_await context_.http.send(std::move(request), deadline.at_most(context_.clock, longest_try));
  if (answer) answered_ = true;
  co_return answer;
}

Task<Result<void>> InstanceMetadata::renew_token(Deadline deadline) {
  if (context_.clock.now() < token_until_) co_return Result<void>();
  net::HttpRequest request("PUT", endpoint_ + "/latest/api/token");
  request.headers.add("X-aws-ec2-metadata-token-ttl-seconds", std::string(token_life));
  FERRYMAN_TRY(answer, co_await send(std::move(request), deadline));
  const bool only_version_1 = answer.status == 403 || answer.status == 404 || answer.status == 405;
  if (only_version_1 && !version_1_allowed_) {
    co_return Error(Fault::denied,
                    fmt::format("version 2 of the service is refused (HTTP {}), and version 1 is "
                                "ruled out by AWS_EC2_METADATA_V1_DISABLED",
                                answer.status));
  }
  if (!only_version_1 && answer.status != 200) co_return refusal(answer, "the request for a session token");
  token_ = only_version_1 ? Secret() : Secret(answer.body);
  token_until_ = context_.clock.now() + (only_version_1 ? version_1_kept : token_kept);
  const bool in_header = answer.body.find_first_of("\r\n") == std::string::npos;
  if (only_version_1 || (!token_.empty() && in_header)) co_return Result<void>();
  token_until_ = SteadyTime{};
  co_return Error(Fault::unexpected, "the service gave no usable session token");
}

Task<Result<std::string>> InstanceMetadata::attempt(const std::string& path, Deadline deadline) {
  for (bool first = true;; first = false) {
    auto ready = co_await renew_token(deadline);
    if (!ready) co_return std::move(ready).error();
    net::HttpRequest request("GET", fmt::format("{}/latest/meta-data/{}", endpoint_, path));
    if (!token_.empty()) request.headers.add("X-aws-ec2-metadata-token", token_.reveal());
    FERRYMAN_TRY(answer, co_await send(std::move(request), deadline));
    if (answer.status == 200) co_return std::move(answer.body);
    if (answer.status != 401 || !first) co_return refusal(answer, path);
    token_until_ = SteadyTime{};  // the service has forgotten our token: it was restarted
  }
}

Error InstanceMetadata::unreachable(const Error& error) const {
  return {
      Fault::not_found, "Unreachable",
      fmt::format("no answer from {}: {} (on an instance, a pod's way to it needs a metadata hop limit of 2)",
                  endpoint_, error.text)};
}

Task<Result<std::string>> InstanceMetadata::get(std::string path, Deadline deadline) {
  if (unusable_) co_return *unusable_;
  for (net::Retry retry(context_.clock, context_.random, budget_, metadata_back_off(), deadline);;) {
    auto answer = co_await attempt(path, deadline);
    if (answer) {
      retry.success();
      co_return answer;
    }
    if (co_await retry.again(answer.error())) continue;
    const bool silent = !answered_ && is_retryable(answer.error().fault);
    if (silent) co_return unreachable(answer.error());
    co_return answer;
  }
}

Task<Result<std::string>> region_of_instance(InstanceMetadata& metadata, Deadline deadline) {
  FERRYMAN_TRY(region, co_await metadata.get("placement/region", deadline));
  if (is_region_name(region)) co_return std::move(region);
  co_return Error(Fault::unexpected, "the instance metadata's placement/region is not a region's name");
}

}  // namespace ferryman::aws
