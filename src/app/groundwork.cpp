// SPDX-License-Identifier: Apache-2.0
#include "app/groundwork.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/nearest.h"
#include "aws/environment_credentials.h"
#include "aws/region.h"
#include "aws/shared_config.h"
#include "kube/config.h"

namespace ferryman::app {

namespace {

/// "setting kubeconfig from flag --kubeconfig".
std::string setting(const Settings& settings, const std::string& name) {
  const auto source = settings.sources.find(name);
  return source == settings.sources.end() ? fmt::format("setting {}", name)
                                          : fmt::format("setting {} from {}", name, source->second);
}

/// A word that deploy/ has in the place of the user's own, left in the URL: a whole part of it, since a queue
/// may well be called "MAIN_QUEUE".
std::string_view placeholder_in(std::string_view url) {
  for (std::size_t start = 0; start < url.size();) {
    const auto end = std::min(url.find_first_of("./:", start), url.size());
    const std::string_view part = url.substr(start, end - start);
    for (const std::string_view word : {"REGION", "ACCOUNT", "QUEUE", "CLUSTER"}) {
      if (part == word || (word == "CLUSTER" && part.starts_with("CLUSTER-"))) return word;
    }
    start = end + 1;
  }
  return {};
}

/// The queue's address, or why there is none.
Result<aws::QueueAddress> queue_address(const Settings& settings) {
  constexpr std::string_view example = "https://sqs.us-west-2.amazonaws.com/123456789012/ferryman";
  const std::string& queue = settings.queue_url;
  if (queue.empty()) {
    return Error(
        Fault::invalid,
        fmt::format("setting queue-url: not given; set --queue-url or FERRYMAN_QUEUE_URL to the queue's "
                    "URL, ARN or name, such as {}",
                    example));
  }
  const std::string from = setting(settings, "queue-url");
  if (const std::string_view left = placeholder_in(queue); !left.empty()) {
    return Error(Fault::invalid,
                 fmt::format("{}: {} still holds the placeholder {}; write your own there, as in {}", from,
                             quoted(queue), left, example));
  }
  auto address = aws::parse_queue_address(queue);
  if (!address) return Error(Fault::invalid, fmt::format("{}: {}", from, address.error().text));
  return address;
}

/// Each endpoint, or why there is none; what is wrong with all of them is told once.
void find_endpoints(Groundwork& ground, const Settings& settings, const Environment& environment) {
  const auto keep = [&](aws::Endpoint& slot, Result<aws::Endpoint> endpoint) {
    if (endpoint) {
      slot = std::move(*endpoint);
    } else if (const std::string text = "AWS endpoint: " + endpoint.error().text;
               std::find(ground.problems.begin(), ground.problems.end(), text) == ground.problems.end()) {
      ground.problems.push_back(text);
    }
  };
  const aws::EndpointVariant variant{settings.use_fips_endpoint, settings.use_dualstack_endpoint};
  const auto of = [&](aws::Service service) {
    return aws::endpoint_of(service, ground.region, environment, variant);
  };
  if (ground.queue.url.empty()) {
    keep(ground.sqs, of(aws::Service::sqs));
  } else {
    keep(ground.sqs, aws::queue_endpoint(ground.queue.url, ground.region, environment, variant));
  }
  keep(ground.ec2, of(aws::Service::ec2));
  keep(ground.auto_scaling, of(aws::Service::auto_scaling));
  keep(ground.elb2, of(aws::Service::elb2));
  keep(ground.elb_classic, of(aws::Service::elb_classic));
  keep(ground.sts, of(aws::Service::sts));
}

}  // namespace

std::string margin_problem(const termination::Policy& policy) {
  constexpr int least_ratio = 4;
  if (policy.margin * least_ratio <= policy.max_termination_time) return {};
  return fmt::format(
      "setting deadline-margin: {:g} s is more than a quarter of max-termination-time ({:g} s), so budgets "
      "would be "
      "overridden at once; lower the one or raise the other",
      seconds(policy.margin), seconds(policy.max_termination_time));
}

Result<kube::Access> find_cluster(const Settings& settings, const Platform& platform, const Log& log,
                                  Scope& scope) {
  kube::ConfigChoice choice;
  choice.kubeconfig = settings.kubeconfig;
  choice.context = settings.kube_context;
  auto access =
      kube::find_access(choice, platform.environment,
                        kube::TokenContext(platform.files, platform.clock, platform.programs, scope, log));
  if (access) return access;
  const bool chosen = access.error().code == kube::no_context && !settings.kube_context.empty();
  return access.error().within(setting(settings, chosen ? "kube-context" : "kubeconfig"));
}

Groundwork lay_groundwork(const Settings& settings, const Platform& platform, const Log& log, Scope& scope) {
  Groundwork ground;
  const auto problem = [&](std::string text) { ground.problems.push_back(std::move(text)); };
  if (auto queue = queue_address(settings)) {
    ground.queue = std::move(*queue);
    ground.account = ground.queue.account;
  } else {
    problem(std::move(queue).error().text);
  }
  for (const std::string& text : settings.problems) problem(text);
  if (std::string text = margin_problem(settings.policy); !text.empty()) problem(std::move(text));
  if (const std::string text = aws::half_given_keys(platform.environment); !text.empty())
    problem("AWS credentials: " + text);
  const auto region = aws::find_region(settings.region, platform.environment, settings.queue_url,
                                       aws::profile_region(platform.environment, platform.files));
  if (region) {
    ground.region = region->name;
    find_endpoints(ground, settings, platform.environment);
  } else {
    problem(setting(settings, "region") + ": " + region.error().text);
  }

  if (auto access = find_cluster(settings, platform, log, scope)) {
    ground.access = std::move(*access);
  } else {
    problem(std::move(access).error().text);
  }
  return ground;
}

}  // namespace ferryman::app
