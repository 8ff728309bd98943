// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/deregister_step.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace ferryman::termination::steps {

using balancers::Registration;
using balancers::Standing;

DeregisterStep::DeregisterStep(Context& context, balancers::Membership& membership,
                               balancers::Departures& departures, InstanceId instance_id, Log log)
    : context_(context),
      membership_(membership),
      departures_(departures),
      instance_id_(std::move(instance_id)),
      log_(std::move(log)) {}

DeregisterStep::~DeregisterStep() {
  departures_.forget(instance_id_);
}

Task<bool> DeregisterStep::find(Claim& claim, Deadline deadline) {
  constexpr Duration shared_for = std::chrono::seconds{10};  // nodes that end in a row share a scan
  if (!since_) since_ = context_.clock.now() - shared_for;
  balancers::Found found = co_await membership_.of(instance_id_, *since_, deadline);
  found_ = std::move(found.registrations);
  unread_ = std::move(found.unread);
  if (!unread_.empty() && !membership_.scanning()) {
    const Duration pause = patient_back_off(++tries_, context_.random);
    find_again_at_ = context_.clock.now() + pause;
    log_.write(tries_ == 1 ? Level::warn : Level::debug, "balancers.unknown",
               {{"unread", fmt::format("{}", fmt::join(unread_, "; "))}, {"retry_in", pause}});
  }
  recall(claim);
  bool news = false;
  for (const Registration& one : found_) {
    if (one.standing != Standing::member) continue;
    news = claim.note_deregistration({one.pool.type, one.pool.id, one.target.port}) || news;
  }
  if (news && !claim.left_at) claim.left_at = context_.clock.wall();
  co_return news;
}

/// What an earlier run deregistered may drain still, and what somebody else did, such as Auto Scaling with
/// the balancers of its group. A classic balancer does not list that any more, so each is asked.
void DeregisterStep::recall(const Claim& claim) {
  if (claim.left_at) {
    const SteadyTime left_at = context_.moment().steady_of(*claim.left_at);
    for (const Deregistration& one : claim.deregistered) {
      // The claim is a hint: what it names must be there, and the kind of a pool is told by its id.
      const bool group = membership_.has_group(one.pool);
      if (!group && one.type != BalancerType::classic) continue;
      const BalancerType type = group && one.type == BalancerType::classic ? BalancerType::unknown : one.type;
      earlier_quiet_at_ =
          std::max(earlier_quiet_at_, left_at + balancers::continued_service(type, context_.policy));
      if (group) add_unseen(balancers::Pool(type, one.pool, balancers::name_in(one.pool)), one.port);
    }
  }
  constexpr std::size_t few = 20;  // many are asked after a restart only: a call for each
  const std::vector<balancers::Pool> classic = membership_.classic_pools();
  if (!resumed_ && classic.size() > few) return;
  for (const balancers::Pool& pool : classic) add_unseen(pool, 0);
}

void DeregisterStep::add_unseen(const balancers::Pool& pool, std::uint16_t port) {
  const bool listed = std::any_of(found_.begin(), found_.end(), [&](const Registration& found) {
    return found.pool == pool && found.target.port == port;
  });
  if (!listed) found_.emplace_back(pool, Target(instance_id_, port), Standing::unseen);
}

Task<void> DeregisterStep::wait(Deadline deadline) {
  while (!departures_.progress(instance_id_).deregistered && !deadline.passed(context_.clock))
    co_await departures_.changed().wait_until(deadline.at());
  const Policy& policy = context_.policy;
  traffic_limit_ =
      context_.clock.now() + std::max(policy.continued_service, policy.continued_service_network);
  const balancers::Progress progress = departures_.progress(instance_id_);
  if (progress.targets == 0) co_return;
  log_.info(progress.deregistered ? "node.deregistered" : "node.not_deregistered_yet",
            {{"targets", progress.targets}, {"unread", unread_.size()}});
}

SteadyTime DeregisterStep::quiet_at() const {
  const balancers::Progress progress = departures_.progress(instance_id_);
  if (!unread_.empty() || !progress.deregistered) return SteadyTime::max();
  return std::max(progress.quiet_at, earlier_quiet_at_);
}

bool DeregisterStep::is_out() const {
  return departures_.progress(instance_id_).let_go && quiet_at() <= context_.clock.now();
}

std::vector<std::string> DeregisterStep::held() const {
  std::vector<std::string> held = departures_.held(instance_id_);
  held.insert(held.end(), unread_.begin(), unread_.end());
  if (held.empty() && quiet_at() > context_.clock.now())
    held.emplace_back("load balancers may still send new requests to it");
  return held;
}

}  // namespace ferryman::termination::steps
