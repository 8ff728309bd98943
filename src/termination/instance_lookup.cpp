// SPDX-License-Identifier: Apache-2.0
#include "termination/instance_lookup.h"

namespace ferryman::termination {

namespace {

constexpr Duration gathering = std::chrono::milliseconds{300};
constexpr Duration fresh_for = std::chrono::minutes{5};
constexpr Duration doubt = std::chrono::seconds{10};
constexpr std::size_t most_remembered = 10'000;

}  // namespace

InstanceLookup::Sighting& InstanceLookup::remember(const InstanceId& id,
                                                   const std::optional<Instance>& seen) {
  const auto [entry, fresh] = sightings_.try_emplace(id);
  if (fresh) {
    sightings_order_.push_back(id);
    if (sightings_order_.size() > most_remembered) {
      sightings_.erase(sightings_order_.front());
      sightings_order_.pop_front();
    }
  }
  Sighting& sighting = entry->second;
  sighting.at = context_.clock.now();
  sighting.state = seen ? seen->state : std::string();
  if (seen) {
    sighting.absent_since.reset();
  } else {
    sighting.absent_since = sighting.absent_since.value_or(sighting.at);
  }
  return sighting;
}

Task<bool> InstanceLookup::gone(InstanceId id) {
  const auto known = sightings_.find(id);
  if (known != sightings_.end() && known->second.state == "running" &&
      context_.clock.now() - known->second.at < fresh_for) {
    co_return false;
  }
  const auto seen = co_await find(id);
  if (!seen) {
    context_.log.debug("instance.not_looked_up", {{"instance", id}, {"error", seen.error()}});
    co_return false;
  }
  const Sighting& sighting = remember(id, *seen);
  co_return sighting.state == "terminated" ||
      (sighting.absent_since && context_.clock.now() - *sighting.absent_since >= doubt);
}

Task<void> InstanceLookup::ask(std::shared_ptr<Batch> batch) {
  co_await context_.clock.sleep_for(gathering);
  open_.reset();
  const auto instances = co_await cloud_.instances(batch->ids, context_.call_deadline());
  if (instances) {
    for (const Instance& instance : *instances) batch->found[instance.instance_id] = instance;
  }
  if (!instances) batch->outcome = instances.error();
  batch->over = true;
  batch->answered.notify_all();
}

Task<Result<std::optional<Instance>>> InstanceLookup::find(InstanceId id) {
  if (!open_) {
    open_ = std::make_shared<Batch>(context_.clock);
    calls_.spawn("instances.ask", ask(open_));
  }
  const std::shared_ptr<Batch> batch = open_;
  batch->ids.push_back(id);
  const Deadline deadline = Deadline::after(context_.clock, gathering + 2 * context_.policy.call_timeout);
  while (!batch->over) {
    if (deadline.passed(context_.clock)) co_return Error(Fault::deadline, "asking EC2 for " + id.str());
    co_await batch->answered.wait_until(deadline.at());
  }
  if (!batch->outcome) co_return batch->outcome.error();
  const auto found = batch->found.find(id);
  co_return found == batch->found.end() ? std::optional<Instance>() : std::optional<Instance>(found->second);
}

}  // namespace ferryman::termination
