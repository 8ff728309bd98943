// SPDX-License-Identifier: Apache-2.0
// Envelope: the outer layer of a message, before anybody asks what it means. Three forms come to one:
// EventBridge (https://docs.aws.amazon.com/eventbridge/latest/ref/overiew-event-structure.html), flat from
// Auto Scaling
// (https://docs.aws.amazon.com/autoscaling/ec2/userguide/prepare-for-lifecycle-notifications.html), and
// either in SNS (https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html).
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/time.h"

namespace ferryman::termination::parse {

inline constexpr std::string_view autoscaling_source = "aws.autoscaling";
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
  WallTime time;
  json::value detail;
};

/// Errors: invalid, naming what is missing or wrong. Bodies over 1 MiB and over 32 levels are invalid.
Result<Envelope> parse_envelope(std::string_view body);

}  // namespace ferryman::termination::parse
