// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/deregister_step.h"

#include <algorithm>

#include "base/text.h"
#include "base/time.h"

namespace ferryman::termination::steps {

using balancers::Found;
using balancers::Registration;
using balancers::Sought;
using balancers::Standing;

namespace {

constexpr Duration shared_for = std::chrono::seconds{10};  // nodes that end in a row share groups' answers
constexpr Duration list_shared_for =
    std::chrono::seconds{2};                               // and, of which groups there are, a call or two
constexpr Duration settling_in = std::chrono::minutes{2};  // from a Node's birth to its registrations
constexpr Duration patience = std::chrono::minutes{2};     // then answers from before have to do
// Until controllers have acted on the label; and, while targets drain anyway, until others that end are
// there.
constexpr Duration label_seen = std::chrono::seconds{3};
constexpr Duration look_after = std::chrono::seconds{5};
constexpr Duration look_while_draining = std::chrono::seconds{10};
constexpr Duration look_holds = std::chrono::minutes{2};
constexpr Duration look_shared = std::chrono::seconds{30};
constexpr std::ptrdiff_t few = 50;

}  // namespace

DeregisterStep::DeregisterStep(Context& context, balancers::Membership& membership,
                               balancers::Departures& departures, InstanceId instance_id, Log log)
    : context_(context),
      membership_(membership),
      departures_(departures),
      instance_id_(std::move(instance_id)),
      log_(std::move(log)) {
  if (context_.policy.deregister) departures_.expect(instance_id_);
}

DeregisterStep::~DeregisterStep() {
  departures_.forget(instance_id_);
}

/// Since when answers show where the node is registered; empty without a Node.
std::optional<SteadyTime> DeregisterStep::settled_in_at() const {
  const Node* node = membership_.cluster().find_node(instance_id_);
  if (node == nullptr) return std::nullopt;
  return context_.moment().steady_of(node->created) + settling_in;
}

Sought DeregisterStep::sought() const {
  Sought sought(instance_id_);
  const SteadyTime fresh = asked_.value_or(context_.clock.now()) - shared_for;
  const SteadyTime settled_in = settled_in_at().value_or(fresh);
  sought.listed_since = fresh + shared_for - list_shared_for;
  sought.read_since = std::min(fresh, settled_in);
  // Balancers that do not answer for minutes: what they said before is better than nothing, and nothing
  // else holds the hook.
  if (asked_ && context_.clock.now() > *asked_ + patience) sought.listed_since = sought.read_since;
  if (addresses_) {
    sought.namespaces = addresses_->namespaces;
    sought.addresses = addresses_->of_pods;
    sought.addresses.insert(sought.addresses.end(), addresses_->of_node.begin(), addresses_->of_node.end());
  }
  return sought;
}

void DeregisterStep::foresee(Claim& claim) {
  found_ = membership_.known(Sought(instance_id_)).registrations;
  (void)note(claim);
}

bool DeregisterStep::find_known(Claim& claim) {
  if (!asked_) asked_ = context_.clock.now();
  found_ = membership_.known(sought()).registrations;
  const bool news = note(claim);
  // What it does not say is not known yet.
  unread_.emplace_back("load balancers: not asked yet");
  return news;
}

Task<bool> DeregisterStep::find(Claim& claim, Deadline deadline) {
  if (!asked_) asked_ = context_.clock.now();
  if (!addresses_ && membership_.has_addresses()) co_await learn_addresses(deadline);
  Found found = co_await membership_.of(sought(), deadline);
  const bool news = take(std::move(found), claim);
  if (unread_.empty() || membership_.reading()) co_return news;
  const Duration pause = patient_back_off(++tries_, context_.random);
  find_again_at_ = context_.clock.now() + pause;
  log_.write(tries_ == 1 ? Level::warn : Level::debug, "balancers.unknown",
             {{"unread", first_few(unread_)}, {"retry_in", pause}});
  co_return news;
}

bool DeregisterStep::take(Found found, Claim& claim) {
  found_ = std::move(found.registrations);
  unread_ = std::move(found.unread);
  recall(claim);
  return note(claim);
}

/// Addresses of pods are not put back: the pods are gone. A node's own are.
bool DeregisterStep::note(Claim& claim) const {
  bool news = false;
  if (called_off_) return news;  // nor does what is found now leave any more
  for (const Registration& one : found_) {
    if (one.standing != Standing::member) continue;
    const InstanceId& id = one.target.instance_id;
    Deregistration taken(one.pool.type, one.pool.id, one.target.port);
    if (id != instance_id_) {
      if (!addresses_) continue;
      const auto& own = addresses_->of_node;
      if (std::find(own.begin(), own.end(), id.str()) == own.end()) continue;
      taken.address = id.str();
    }
    news = claim.note_deregistration(taken) || news;
  }
  if (news && !claim.left_at) claim.left_at = context_.clock.wall();
  return news;
}

Task<void> DeregisterStep::learn_addresses(Deadline deadline) {
  const Node* node = membership_.cluster().find_node(instance_id_);
  if (node == nullptr) co_return;
  auto addresses = co_await balancers::addresses_on(membership_.cluster(), *node, deadline);
  if (addresses) {
    addresses_ = std::move(*addresses);
  } else {
    log_.debug("addresses.unknown", {{"error", addresses.error()}});
  }
}

/// Registered or draining is not known of what an earlier run deregistered, and of what somebody else did,
/// such as Auto Scaling with the balancers of its group. A group lists what drains.
void DeregisterStep::recall(const Claim& claim) {
  recall_classic(claim);
  if (!claim.left_at) return;
  // Not in the future, where a clock that was set back would place it.
  const SteadyTime left_at = std::min(context_.moment().steady_of(*claim.left_at), context_.clock.now());
  for (const Deregistration& one : claim.deregistered) {
    // The claim is a hint: what it names must be there, and the kind of a pool is told by the index.
    const auto group = membership_.index().groups.find(one.pool);
    const bool is_group = group != membership_.index().groups.end();
    if (!is_group && one.type != BalancerType::classic) continue;
    const BalancerType type = is_group ? group->second.facts.type : one.type;
    earlier_quiet_at_ =
        std::max(earlier_quiet_at_, left_at + balancers::continued_service(type, context_.policy));
    if (is_group && one.address.empty()) add_unseen(balancers::pool_of(group->second.facts), one.port);
  }
}

/// A classic balancer does not list what drains. The index remembers who was there; where it is younger than
/// the event, each balancer is asked, one call for all that end together.
void DeregisterStep::recall_classic(const Claim& claim) {
  const balancers::PoolIndex& index = membership_.index();
  const WallTime told = claim.events.empty() ? claim.started : claim.events.front().event_time;
  const SteadyTime told_at = context_.moment().steady_of(told);
  const bool remembers = index.classic_known_since && *index.classic_known_since < told_at;
  if (remembers && !resumed_) {
    for (const balancers::Pool& pool : index.left_classic(instance_id_)) add_unseen(pool, 0);
    return;
  }
  for (const auto& [name, entry] : index.classic) add_unseen(balancers::classic_pool(name), 0);
}

void DeregisterStep::add_unseen(const balancers::Pool& pool, std::uint16_t port) {
  const bool listed = std::any_of(found_.begin(), found_.end(), [&](const Registration& found) {
    return found.pool == pool && found.target.port == port;
  });
  if (!listed) found_.emplace_back(pool, Target(instance_id_, port), Standing::unseen);
}

Task<bool> DeregisterStep::look_again(Claim& claim, Deadline deadline) {
  Sought wanted = sought();
  const SteadyTime now = context_.clock.now();
  wanted.listed_since = wanted.read_since = std::max(asked_.value_or(now) + label_seen, now - look_shared);
  // Where hundreds are likely, answers may be so old that nodes which end one after the other cost no more
  // than a call a second.
  const auto likely = membership_.index().likely_groups();
  if (likely > few) wanted.read_since -= std::chrono::seconds{likely - few};
  wanted.likely_only = true;
  wanted.addresses.clear();
  Found found = co_await membership_.of(wanted, deadline);
  looked_ = now;
  if (!found.unread.empty())
    log_.warn("balancers.not_looked_at_again",
              {{"unread", first_few(found.unread)},
               {"effect", "what was registered in the last minutes before the end is missed"}});
  found_ = std::move(found.registrations);
  co_return note(claim);
}

bool DeregisterStep::looked_lately() const {
  return !asked_ || (looked_ && context_.clock.now() < *looked_ + look_holds);
}

SteadyTime DeregisterStep::look_at() const {
  const balancers::PoolIndex& index = membership_.index();
  if (!asked_ || (index.classic.empty() && index.likely_groups() == 0)) return SteadyTime::min();
  const bool draining = departures_.progress(instance_id_).targets > 0;
  return *asked_ + (draining ? look_while_draining : look_after);
}

void DeregisterStep::drop_others(Claim& claim) const {
  const auto others = departures_.left_by_others(instance_id_);
  std::erase_if(claim.deregistered, [&](const Deregistration& one) {
    const Target target(one.address.empty() ? instance_id_ : InstanceId(one.address), one.port);
    return std::find(others.begin(), others.end(), std::pair(one.pool, target)) != others.end();
  });
}

void DeregisterStep::call_off(Claim& claim) {
  called_off_ = true;
  drop_others(claim);
  departures_.forget(instance_id_);
}

Task<void> DeregisterStep::calls_over(Deadline deadline) {
  co_await departures_.wait_for_calls(instance_id_, deadline);
}

void DeregisterStep::leave(const Plan& plan) {
  if (called_off_) return;
  balancers::Leaving leaving(instance_id_);
  leaving.resumed = resumed_;
  leaving.voluntary = plan.voluntary;
  leaving.deadline = plan.deadline;
  departures_.leave(leaving, found_);
}

Task<void> DeregisterStep::wait(Deadline deadline) {
  balancers::Progress progress = departures_.progress(instance_id_);
  while (!progress.deregistered && !deadline.passed(context_.clock)) {
    co_await departures_.changed().wait_until(deadline.at());
    progress = departures_.progress(instance_id_);
  }
  const Policy& policy = context_.policy;
  traffic_limit_ =
      context_.clock.now() + std::max(policy.continued_service, policy.continued_service_network);
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

SteadyTime DeregisterStep::traffic_until() const {
  const bool kept = departures_.progress(instance_id_).kept;
  return kept ? quiet_at() : std::min(quiet_at(), traffic_limit_);
}

std::vector<std::string> DeregisterStep::held() const {
  std::vector<std::string> held = departures_.held(instance_id_);
  held.insert(held.end(), unread_.begin(), unread_.end());
  const SteadyTime quiet = quiet_at();
  if (held.empty() && quiet > context_.clock.now())
    held.emplace_back("load balancers may still send new requests to it until " +
                      format_rfc3339(context_.moment().wall_of(quiet)) +
                      " (--continued-service, --continued-service-network)");
  return held;
}

}  // namespace ferryman::termination::steps
