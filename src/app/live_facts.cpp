// SPDX-License-Identifier: Apache-2.0
#include "app/live_facts.h"

#include <fmt/format.h>

#include "app/aws_side.h"
#include "app/kube_side.h"
#include "termination/ownership.h"

namespace ferryman::app {

using termination::Event;
using termination::InstanceFacts;
using termination::MessageOutcome;
using termination::Owner;

namespace {

std::string sentence_about(Owner owner, const termination::Node* node) {
  const std::string seen = node == nullptr ? "No Node carries the instance"
                                           : fmt::format("Node {} carries the instance", node->name);
  switch (owner) {
    case Owner::ours:
      return node == nullptr ? seen + ", but its tags, or a queue that is ours alone, say that it is ours."
                             : seen + ": it is ours.";
    case Owner::another_system:
      return seen + ", and its labels say that another system drains it (setting skip-label).";
    case Owner::foreign:
      return seen + ", and neither its tags nor its group's say that it is ours.";
    case Owner::not_managed:
      return seen + ", but it lacks the required tag (setting require-tag).";
    case Owner::undecided:
      return seen +
             ", and no setting says how else it could be known (cluster-name, managed-tag): somebody else "
             "may "
             "own it.";
    case Owner::nobody:
      return seen + ", and EC2 says that it is gone.";
    case Owner::unknown:
      break;
  }
  return seen + ", and whose it is cannot be told now.";
}

Error stopped() {
  return {Fault::cancelled, "stopped by a signal"};
}

}  // namespace

struct LiveFacts::Parts {
  Parts(const Groundwork& ground, const Settings& settings, const Platform& platform, const Log& log,
        Scope& scope)
      : policy(settings.policy),
        aws(ground, platform, log, scope),
        kube(ground, platform, log),
        context(platform.clock, platform.random, log, policy, metrics),
        facts(context, aws.cloud(), scope),
        ownership(context, kube.cluster(), facts) {
    policy.account = ground.account;
    policy.region = ground.region;
  }

  termination::Policy policy;
  termination::Metrics metrics;
  AwsSide aws;
  KubeSide kube;
  termination::Context context;
  termination::AwsFacts facts;
  termination::Ownership ownership;
};

LiveFacts::LiveFacts(Settings settings, const Platform& platform)
    : settings_(std::move(settings)),
      platform_(platform),
      log_(platform_.log_sink, platform_.clock, settings_.log.level),
      scope_(platform_.clock, log_),
      answered_(platform_.clock) {
  const Groundwork ground = lay_groundwork(settings_, platform_, log_, scope_);
  problems_ = ground.problems;
  if (problems_.empty()) parts_ = std::make_unique<Parts>(ground, settings_, platform_, log_, scope_);
}

LiveFacts::~LiveFacts() = default;

const termination::Policy& LiveFacts::policy() const {
  return parts_->policy;
}

Task<Result<LiveFacts::Answers>> LiveFacts::ask(std::vector<Event> events, Deadline deadline) {
  parts_->kube.cluster().start(scope_);
  auto answers = co_await ask_all(std::move(events), deadline);
  scope_.cancel();
  constexpr Duration for_the_last = std::chrono::seconds{1};
  co_await scope_.join(Deadline::after(platform_.clock, for_the_last));
  co_return answers;
}

Task<Result<LiveFacts::Answers>> LiveFacts::ask_all(std::vector<Event> events, Deadline deadline) {
  const bool have_nodes = co_await wait_for_nodes(deadline);
  if (given_up_) co_return stopped();
  if (!have_nodes) {
    const std::string& trouble = parts_->kube.cluster().trouble();
    co_return Error(Fault::deadline, fmt::format("Kubernetes did not tell its Nodes: {}",
                                                 trouble.empty() ? "no answer in time" : trouble));
  }
  for (Event& event : events) scope_.spawn("ask " + event.instance_id.str(), ask_one(event));
  // Each kind of event names an instance once.
  while (answers_.size() < events.size()) {
    const bool in_time = co_await answered_.wait_until(deadline.at());
    if (given_up_) co_return stopped();
    if (!in_time) co_return Error(Fault::deadline, "AWS did not answer in time");
  }
  if (!not_told_.empty()) {
    co_return Error(
        Fault::unexpected,
        fmt::format("whose {} is cannot be told: AWS could not be asked; --log-level=debug says why",
                    not_told_));
  }
  co_return answers_;
}

void LiveFacts::give_up() {
  given_up_ = true;
  answered_.notify_all();
  if (parts_) parts_->kube.cluster().nodes_changed().notify_all();
}

Task<bool> LiveFacts::wait_for_nodes(Deadline deadline) {
  auto& cluster = parts_->kube.cluster();
  while (!cluster.in_sync() && !given_up_) {
    const bool changed = co_await cluster.nodes_changed().wait_until(deadline.at());
    if (!changed) co_return false;
  }
  co_return true;
}

Task<void> LiveFacts::ask_one(Event event) {
  const Owner owner = co_await parts_->ownership.decide(event, 0);
  const termination::Policy& policy = parts_->policy;
  InstanceFacts facts;
  if (owner == Owner::ours && policy.actions_from_group_tags) {
    const std::string group = parts_->ownership.group_of(event);
    if (!group.empty()) {
      const auto tags = co_await parts_->facts.tags_of(group);
      if (tags) facts.group_tags = *tags;
    }
  }
  const termination::Node* node = parts_->kube.cluster().find_node(event.instance_id);
  if (node != nullptr) facts.labels = node->labels;
  facts.owner = name_of(owner);
  facts.ours = owner == Owner::ours;
  facts.outcome = outcome_for(owner);
  facts.word = sentence_about(owner, node);
  if (owner == Owner::unknown && not_told_.empty()) not_told_ = event.instance_id.str();
  answers_[event.instance_id] = std::move(facts);
  answered_.notify_all();
}

}  // namespace ferryman::app
