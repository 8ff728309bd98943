// SPDX-License-Identifier: Apache-2.0
// ApiThrottle: refuses what is asked too often, by token buckets as AWS publishes them per account and
// region: so many calls at once, so many a second after that. SQS and STS publish none that matter and pass.
#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "sandbox/aws/aws_call.h"

namespace ferryman::sandbox {

class TokenBucket {
 public:
  TokenBucket(double burst, double per_second) : burst_(burst), per_second_(per_second), tokens_(burst) {}

  /// False when no token is left; a refused call costs none.
  bool take(SteadyTime now);

 private:
  double burst_;
  double per_second_;
  double tokens_;
  SteadyTime filled_{};
};

class ApiThrottle {
 public:
  /// Error: throttled, "Throttling", in EC2 "RequestLimitExceeded".
  Result<void> take(const AwsCall& call, SteadyTime now);

 private:
  std::map<std::string, TokenBucket> buckets_;  // by service and kind of call
};

}  // namespace ferryman::sandbox
