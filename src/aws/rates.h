// SPDX-License-Identifier: Apache-2.0
// All limits of the AWS calls in one table: request rates at our share of what AWS publishes per account and
// region (or what we assume where it does not), chunk and answer sizes, time limits. Others share the
// account's rates.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "aws/service.h"
#include "net/retry.h"

namespace ferryman::aws {

/// A token bucket: so many calls at once, so many a second after that.
struct Rate {
  double burst;
  double per_second;
};

/// The later pass first where calls wait for the same bucket.
enum class Lane : std::uint8_t {
  normal,  // reads
  urgent,  // completions, and all calls that change a load balancer
  vital,   // heartbeats
};

struct ServiceRates {
  std::optional<Rate> normal;  // empty: not limited
  std::optional<Rate> urgent;  // of its own for calls that are not normal; empty: they share the other
};

inline constexpr double default_share = 0.5;

/// The whole published rate; the client takes its share of it.
constexpr ServiceRates rates_of(Service service) {
  switch (service) {
    case Service::sqs:
      return {};  // "nearly unlimited" per action
    case Service::ec2:
      return {.normal = Rate{100, 20}, .urgent = {}};
    // Not published; assumed for all actions together.
    case Service::auto_scaling:
      return {.normal = Rate{30, 10}, .urgent = {}};
    case Service::sts:
      return {.normal = Rate{10, 1}, .urgent = {}};  // not published; one call an hour is usual
    // AWS counts the two versions apart, and in each the calls that read apart from those that change
    // something. Published for the reads; assumed for the others.
    case Service::elb2:
    case Service::elb_classic:
      return {.normal = Rate{40, 10}, .urgent = Rate{20, 3}};
  }
  return {};
}

namespace limits {

inline constexpr std::size_t ec2_filter_values = 200;      // values of one filter
inline constexpr int ec2_page = 1000;                      // MaxResults
inline constexpr std::size_t auto_scaling_instances = 50;  // ids a call, and MaxRecords
inline constexpr std::size_t auto_scaling_names = 50;      // of groups a call
inline constexpr int auto_scaling_groups_page = 10;        // MaxRecords: each comes with all its instances
inline constexpr int auto_scaling_tags = 100;              // MaxRecords; a group has 50 tags at most
inline constexpr std::size_t auto_scaling_groups = 200;    // values of DescribeTags' filter
inline constexpr std::size_t ec2_status_ids = 100;         // ids a call; MaxResults cannot stand beside them
inline constexpr int elb_page = 400;                       // PageSize, in both versions
inline constexpr std::size_t elb_targets = 200;            // targets or instances a call
inline constexpr int pages = 100;        // no list of ours is longer: a loop of page tokens ends here
inline constexpr int sqs_messages = 10;  // a receive
inline constexpr std::chrono::seconds sqs_wait{20};
inline constexpr std::chrono::seconds sqs_visibility{43'200};

// Ten messages of 1 MiB, in JSON that may write a character as six.
inline constexpr std::size_t sqs_answer_bytes = std::size_t{40} << 20U;
inline constexpr std::size_t answer_bytes = std::size_t{16} << 20U;

inline constexpr std::chrono::seconds attempt{10};  // one try of one call; a long poll's wait comes on top

}  // namespace limits

inline net::BackOff back_off_policy() {
  net::BackOff policy;
  policy.first = std::chrono::milliseconds{200};
  policy.longest = std::chrono::seconds{5};
  policy.attempts = 5;
  return policy;
}

}  // namespace ferryman::aws
