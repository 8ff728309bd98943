// SPDX-License-Identifier: Apache-2.0
#include "termination/status_poll.h"

#include <algorithm>
#include <set>

namespace ferryman::termination {

namespace {

constexpr Duration longest_poll = std::chrono::minutes{2};

/// What is over stays in the answers for a week, with such a word before its description.
bool is_over(std::string_view description) {
  return description.starts_with("[Completed]") || description.starts_with("[Canceled]");
}

ScheduledChange change_of(const InstancePlan& plan) {
  ScheduledChange change;
  change.plan = plan.id;
  change.code = plan.code;
  change.starts = plan.starts;
  change.ends = plan.ends;
  change.cancelled = is_over(plan.description);
  return change;
}

}  // namespace

Task<void> StatusPoll::run() {
  const Duration period = context_.policy.instance_status_period;
  if (period.count() == 0) co_return;
  for (;;) {
    while (!cluster_.in_sync() || pause_.on() || !pause_.looked()) {
      co_await cluster_.nodes_changed().wait_until(context_.clock.now() + std::chrono::seconds{1});
    }
    co_await poll();
    co_await context_.clock.sleep_for(context_.random.jittered(period, 0.1));
  }
}

std::vector<InstanceId> StatusPoll::instances() const {
  std::vector<InstanceId> ids;
  cluster_.each_node([&](const Node& node) {
    if (!node.instance_id.empty()) ids.push_back(node.instance_id);
  });
  return ids;
}

Task<void> StatusPoll::poll() {
  const std::vector<InstanceId> asked = instances();
  if (asked.empty()) co_return;
  const auto plans = co_await cloud_.instance_plans(asked, Deadline::after(context_.clock, longest_poll));
  if (!plans) {
    complain(plans.error());
    co_return;
  }
  said_.clear();
  compare(*plans, asked);
}

/// One that is over from the first is told too: a claim may have outlived the process that knew it.
void StatusPoll::compare(const std::vector<InstancePlan>& plans, const std::vector<InstanceId>& asked) {
  std::map<Key, ScheduledChange> gone = std::exchange(known_, {});
  for (const InstancePlan& plan : plans) {
    const Key key(plan.instance_id, plan.id);
    const ScheduledChange change = change_of(plan);
    const auto before = gone.find(key);
    const bool same = before != gone.end() && before->second == change;
    if (before != gone.end()) gone.erase(before);
    known_[key] = change;
    if (!same) tell(plan.instance_id, change);
  }
  const std::set<InstanceId> still_here(asked.begin(), asked.end());
  for (auto& [key, change] : gone) {
    if (change.cancelled || !still_here.contains(key.first)) continue;
    change.cancelled = true;
    tell(key.first, change);
  }
}

void StatusPoll::tell(const InstanceId& instance, const ScheduledChange& change) {
  Event event;
  event.kind = EventKind::instance_status;
  event.instance_id = instance;
  event.event_id = change.plan;
  event.event_time = context_.clock.wall();
  event.what = change.code;
  event.change = change;
  tell_(std::move(event));
}

void StatusPoll::complain(const Error& error) {
  if (said_ == error.text) return;
  said_ = error.text;
  context_.log.warn("plans.not_read",
                    {{"error", error},
                     {"effect", "planned events of instances are not seen"},
                     {"cure", error.fault == Fault::denied
                                  ? "allow ec2:DescribeInstanceStatus in our IAM policy, or leave out "
                                    "--poll-instance-status"
                                  : "asked again at the next poll"}});
}

}  // namespace ferryman::termination
