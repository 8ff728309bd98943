// SPDX-License-Identifier: Apache-2.0
#include "termination/instance_lookup.h"

namespace ferryman::termination {

namespace {

constexpr Duration gathering = std::chrono::milliseconds{300};

}  // namespace

bool is_gone(const std::optional<Instance>& instance) {
  return !instance || instance->state == "terminated";
}

Task<void> InstanceLookup::ask(std::shared_ptr<Batch> batch) {
  co_await context_.clock.sleep_for(gathering);
  open_.reset();
  const auto instances = co_await cloud_.instances(batch->ids, context_.call_deadline());
  if (instances) {
    for (const Instance& instance : *instances) batch->found[instance.instance_id] = instance;
  }
  batch->outcome = instances ? Result<void>() : Result<void>(instances.error());
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
  while (!batch->outcome) {
    if (deadline.passed(context_.clock)) co_return Error(Fault::deadline, "asking EC2 for " + id.str());
    co_await batch->answered.wait_until(deadline.at());
  }
  if (!*batch->outcome) co_return batch->outcome->error();
  const auto found = batch->found.find(id);
  co_return found == batch->found.end() ? std::optional<Instance>() : std::optional<Instance>(found->second);
}

}  // namespace ferryman::termination
