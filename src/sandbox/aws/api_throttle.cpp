// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/api_throttle.h"

#include <algorithm>
#include <utility>

namespace ferryman::sandbox {

bool TokenBucket::take(SteadyTime now) {
  // The first call finds it full, however long ago the clock began.
  if (!std::exchange(used_, true)) filled_ = neighbour_next_ = now;
  spend_neighbours(now);
  refill(now);
  if (tokens_ < 1) return false;
  tokens_ -= 1;
  return true;
}

void TokenBucket::refill(SteadyTime now) {
  tokens_ = std::min(burst_, tokens_ + seconds(now - filled_) * per_second_);
  filled_ = now;
}

void TokenBucket::spend_neighbours(SteadyTime now) {
  if (neighbour_ <= 0) return;
  const auto period =
      std::chrono::duration_cast<Duration>(std::chrono::duration<double>(burst_ / per_second_));
  for (; neighbour_next_ <= now; neighbour_next_ += period) {
    refill(neighbour_next_);
    tokens_ -= std::min(tokens_, burst_ * neighbour_);
  }
}

namespace {

struct Rate {
  std::string kind;  // calls of one kind share a bucket; empty: no limit
  double burst = 0;
  double per_second = 0;
};

// ELB publishes its reads; what holds for changes is assumed.
Rate balancer_rate(const AwsCall& call) {
  const bool reads = call.operation.starts_with("Describe");
  return reads ? Rate{"reads", 40, 10} : Rate{"changes", 20, 3};
}

// EC2 publishes a smaller bucket for lists of everything in one page, and one of its own for each operation
// that changes something, of which we play none.
Rate ec2_rate(const AwsCall& call) {
  if (!call.operation.starts_with("Describe")) return {};
  const bool narrowed = call.has("Filter.1.Name") || call.has("MaxResults") || call.has("NextToken") ||
                        call.has("InstanceId.1");
  return narrowed ? Rate{"narrowed reads", 100, 20} : Rate{"reads", 50, 10};
}

Rate rate_of(const AwsCall& call) {
  const std::string_view service = call.service->name;
  if (service == "elbv2" || service == "elb") return balancer_rate(call);
  if (service == "ec2") return ec2_rate(call);
  // Assumed: Auto Scaling publishes none.
  if (service == "autoscaling") return {"calls", 30, 10};
  return {};
}

}  // namespace

Result<void> ApiThrottle::take(const AwsCall& call, SteadyTime now, double neighbour) {
  const Rate rate = rate_of(call);
  if (rate.kind.empty()) return {};
  const TokenBucket full(rate.burst, rate.per_second, neighbour);
  const auto bucket = buckets_.try_emplace(std::string(call.service->name) + " " + rate.kind, full).first;
  if (bucket->second.take(now)) return {};
  const bool ec2 = call.speaks(AwsProtocol::ec2);
  return Error(Fault::throttled, ec2 ? "RequestLimitExceeded" : "Throttling",
               ec2 ? "Request limit exceeded." : "Rate exceeded");
}

}  // namespace ferryman::sandbox
