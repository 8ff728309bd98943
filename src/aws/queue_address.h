// SPDX-License-Identifier: Apache-2.0
// QueueAddress: what a queue's URL, ARN or name tells of it. People may give any of the three.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ferryman::aws {

class QueueAddress {
 public:
  QueueAddress() = default;

  std::string url;      // empty: only the name is known, and SQS has to be asked
  std::string name;     // the last part
  std::string account;  // 12 digits; empty: not told
  std::string region;   // empty: not told
  bool is_arn = false;  // its account and region are certain, whatever host answers
};

/// A URL in either form, of any partition or endpoint; an ARN; or a name. Error: invalid, with the three
/// forms.
Result<QueueAddress> parse_queue_address(std::string_view text);

/// The region in a queue URL's host: sqs.<region>.<any suffix>, a VPC endpoint in front of that, or the old
/// <region>.queue.amazonaws.com (queue.amazonaws.com is us-east-1). Empty for any other host.
std::string region_of_queue_url(std::string_view queue_url);

/// The account in an ARN; empty when there is none.
std::string account_of_arn(std::string_view arn);

}  // namespace ferryman::aws
