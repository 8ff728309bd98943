// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/api_throttle.h"

#include <algorithm>

namespace ferryman::sandbox {

bool TokenBucket::take(SteadyTime now) {
  // The first call finds it full, however long ago the clock began.
  tokens_ = std::min(burst_, tokens_ + seconds(now - filled_) * per_second_);
  filled_ = now;
  if (tokens_ < 1) return false;
  tokens_ -= 1;
  return true;
}

Result<void> ApiThrottle::take(const AwsCall& call, SteadyTime now) {
  const std::string service(call.service->name);
  if (service != "elbv2" && service != "elb") return {};
  const bool reads = call.operation.starts_with("Describe");
  // Published for the reads; what holds for changes is not, and assumed.
  const TokenBucket full = reads ? TokenBucket(40, 10) : TokenBucket(20, 3);
  const auto bucket = buckets_.try_emplace(service + (reads ? " reads" : " changes"), full).first;
  if (bucket->second.take(now)) return {};
  return Error(Fault::throttled, "Throttling", "Rate exceeded");
}

}  // namespace ferryman::sandbox
