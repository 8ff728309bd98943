// SPDX-License-Identifier: Apache-2.0
// Envelope: the outer layer of a message, before anybody asks what it means. Three forms come to one:
// EventBridge (https://docs.aws.amazon.com/eventbridge/latest/ref/overiew-event-structure.html), flat from
// Auto Scaling
// (https://docs.aws.amazon.com/autoscaling/ec2/userguide/prepare-for-lifecycle-notifications.html), and
// either in SNS (https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/time.h"

namespace ferryman::termination::parse {

inline constexpr std::string_view autoscaling_source = "aws.autoscaling";
inline constexpr std::string_view ec2_source = "aws.ec2";
inline constexpr std::string_view health_source = "aws.health";
inline constexpr std::string_view launch_detail_type = "EC2 Instance-launch Lifecycle Action";
inline constexpr std::string_view terminate_detail_type = "EC2 Instance-terminate Lifecycle Action";
/// What Auto Scaling sends once when a hook is given a queue or topic of its own.
inline constexpr std::string_view test_notification = "autoscaling:TEST_NOTIFICATION";

class Envelope {
 public:
  Envelope() = default;

  std::string id;
  std::string source;  // "aws.autoscaling"
  std::string
      detail_type;  // "EC2 Instance-terminate Lifecycle Action"; the flat form gets EventBridge's words
  std::string account;
  std::string region;
  std::optional<WallTime> time;        // empty: missing, or not readable
  std::string time_text;               // as it stands there, shortened
  std::vector<std::string> resources;  // ARNs or ids; EC2 sends a single one as a string
  json::value detail;
};

/// Errors: invalid, naming what is missing or wrong. Bodies over 1 MiB and over 32 levels are invalid.
Result<Envelope> parse_envelope(std::string_view body);

/// For those who need it. Errors: invalid.
Result<WallTime> time_of(const Envelope& envelope);

}  // namespace ferryman::termination::parse
