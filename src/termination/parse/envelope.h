// SPDX-License-Identifier: Apache-2.0
// Envelope: the outer layer of a message, before anybody asks what it means.
// Fields: https://docs.aws.amazon.com/eventbridge/latest/ref/overiew-event-structure.html
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "base/time.h"

namespace ferryman::termination::parse {

class Envelope {
 public:
  Envelope() = default;

  std::string id;
  std::string source;       // "aws.autoscaling"
  std::string detail_type;  // "EC2 Instance-terminate Lifecycle Action"
  std::string account;
  std::string region;
  WallTime time;
  json::value detail;
};

/// Errors: invalid, naming what is missing or wrong. Bodies over 1 MiB and over 32 levels are invalid.
Result<Envelope> parse_envelope(std::string_view body);

}  // namespace ferryman::termination::parse
