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
  /// `neighbour`: the share, 0 to 1, that others of the account spend: that part of the burst at once, as a
  /// controller that looks at everything does, each time that the bucket could have filled from empty. They
  /// begin with the first call.
  TokenBucket(double burst, double per_second, double neighbour = 0)
      : burst_(burst), per_second_(per_second), neighbour_(neighbour), tokens_(burst) {}

  /// False when no token is left; a refused call costs none.
  bool take(SteadyTime now);

 private:
  void refill(SteadyTime now);
  void spend_neighbours(SteadyTime now);

  double burst_;
  double per_second_;
  double neighbour_;
  double tokens_;
  bool used_ = false;  // somebody has called
  SteadyTime filled_;
  SteadyTime neighbour_next_;
};

class ApiThrottle {
 public:
  /// `neighbour`: see TokenBucket; it holds for buckets that nobody has used yet. Error: throttled,
  /// "Throttling", in EC2 "RequestLimitExceeded".
  Result<void> take(const AwsCall& call, SteadyTime now, double neighbour = 0);

 private:
  std::map<std::string, TokenBucket> buckets_;  // by service and kind of call
};

}  // namespace ferryman::sandbox
