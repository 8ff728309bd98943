// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/continued_service.h"

#include <utility>

namespace ferryman::sandbox {

void ContinuedService::begin(const std::string& pool, const TargetKey& target, std::string_view type) {
  const bool slow = type == "network" || type == "gateway";
  const ServiceSpan& span = slow ? settings_.continued_network : settings_.continued;
  const auto spread = static_cast<double>((span.most - span.least).count()) * random_.unit();
  const Duration lasts = span.least + Duration(static_cast<Duration::rep>(spread));
  if (lasts <= Duration{0}) return;
  auto& targets = pools_[pool];
  if (const auto known = targets.find(target); known != targets.end()) timeline_.cancel(known->second);
  targets[target] = timeline_.after(lasts, [this, pool, target] {
    end(pool, target);
    fact("traffic.ended", pool, target, {});
  });
}

void ContinuedService::end(const std::string& pool, const TargetKey& target) {
  const auto found = pools_.find(pool);
  if (found == pools_.end()) return;
  const auto its = found->second.find(target);
  if (its == found->second.end()) return;
  timeline_.cancel(its->second);
  found->second.erase(its);
}

bool ContinuedService::holds(const std::string& pool, const TargetKey& target) const {
  const auto found = pools_.find(pool);
  return found != pools_.end() && found->second.contains(target);
}

std::vector<TargetKey> ContinuedService::of(const std::string& pool) const {
  std::vector<TargetKey> all;
  const auto found = pools_.find(pool);
  if (found == pools_.end()) return all;
  for (const auto& [target, ticket] : found->second) all.push_back(target);
  return all;
}

std::vector<std::pair<std::string, TargetKey>> ContinuedService::still_sent_to(const std::string& id) const {
  std::vector<std::pair<std::string, TargetKey>> all;
  for (const auto& [pool, targets] : pools_) {
    for (auto at = targets.lower_bound({id, 0}); at != targets.end() && at->first.id == id; ++at)
      all.emplace_back(pool, at->first);
  }
  return all;
}

void ContinuedService::lost(const std::string& pool, const TargetKey& target, std::string why) {
  fact("traffic.lost", pool, target, std::move(why));
}

void ContinuedService::fact(const char* what, const std::string& pool, const TargetKey& target,
                            std::string why) {
  const bool instance = target.id.starts_with("i-");
  std::map<std::string, std::string> details{
      {instance ? "instance" : "ip", target.id}, {"group", pool}, {"port", std::to_string(target.port)}};
  if (!why.empty()) details["why"] = std::move(why);
  journal_.fact(what, target.id, std::move(details));
}

}  // namespace ferryman::sandbox
