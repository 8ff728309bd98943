// SPDX-License-Identifier: Apache-2.0
#include "termination/evacuation.h"

#include <algorithm>

#include "base/text.h"

namespace ferryman::termination {

namespace {

constexpr Duration longest_barrier = std::chrono::seconds{5};

}  // namespace

Evacuation::Evacuation(Crew& crew, steps::ClaimStep& claim, const Plan& plan,
                       std::shared_ptr<Narrator> narrator, Log log)
    : crew_(crew),
      context_(crew.context),
      claim_(claim),
      plan_(plan),
      narrator_(std::move(narrator)),
      log_(std::move(log)),
      drain_(crew.context, crew.aids, narrator_, log_),
      deregister_(crew.context, crew.membership, crew.departures, narrator_->instance_id(), log_),
      leave_(crew.context, claim, deregister_, plan),
      volumes_(std::make_shared<steps::VolumeStep>(crew.context, crew.volumes, narrator_, log_)),
      after_marks_(crew.context, crew.facts, claim, narrator_->instance_id(), log_) {
  drain_.on_leaving([this](std::vector<Pod> pods) {
    if (volume_wait() == Duration{0}) return;
    crew_.calls.spawn("volumes.note", note_volumes(volumes_, std::move(pods), Deadline(plan_.deadline)));
  });
}

void Evacuation::resume() {
  deregister_.resume();
  volumes_->resume();
}

void Evacuation::call_off() {
  called_off_ = true;
  deregister_.call_off(claim_.claim());
  volumes_->stop();
}

Task<void> Evacuation::note_volumes(std::shared_ptr<steps::VolumeStep> volumes, std::vector<Pod> pods,
                                    Deadline deadline) {
  co_await volumes->note(std::move(pods), deadline);
}

/// Only a hook leaves time for it.
Duration Evacuation::volume_wait() const {
  const std::vector<Event>& events = claim_.claim().events;
  const bool a_hook_waits =
      std::ranges::any_of(events, [](const Event& event) { return event.action.has_value(); });
  return a_hook_waits && !plan_.immediate && !plan_.off ? context_.policy.drain.volume_wait : Duration{0};
}

Task<void> Evacuation::wait_for_volumes() {
  const Deadline limit = Deadline::after(context_.clock, volume_wait()).earlier(Deadline(plan_.deadline));
  (void)co_await volumes_->wait(claim_.node().name, limit);
}

void Evacuation::replan() {
  drain_.replan(plan_);
  leave_.replan();
}

Task<TerminationResult> Evacuation::drain() {
  if (context_.policy.deregister && !deregister_.is_out()) {
    // Pods that take traffic on this node stay until its load balancers are quiet.
    auto services = co_await crew_.services.get(context_.call_deadline());
    drain_.hold_traffic([this] { return deregister_.traffic_until(); }, std::move(services));
  }
  co_await crew_.barrier.wait(longest_barrier);
  const SteadyTime begun = context_.clock.now();
  const steps::DrainOutcome outcome = co_await drain_.run(claim_.node(), plan_);
  outcome.report.summarize(log_, context_.clock.now() - begun);
  if (outcome.empty) {
    claim_.claim().note_step("drain");
    log_.info("drain.finished", {{"node", claim_.node().name}});
    narrator_->tell(NoticeKind::node_drained, outcome.report.in_words());
    co_await after_marks_.drained(context_.call_deadline());
    co_await wait_for_volumes();
    co_return TerminationResult::completed;
  }
  if (called_off_) co_return TerminationResult::cancelled;
  tell_left(outcome.report);
  co_return TerminationResult::cut_short;
}

void Evacuation::tell_left(const drain::NodeReport& report) {
  const std::string left = first_few(report.left);
  context_.metrics.pods_left.add(report.left.size());
  log_.error("drain.cut_short", {{"node", claim_.node().name}, {"left", left}});
  narrator_->tell(NoticeKind::pods_left, "the time was over before these pods were gone: " + left);
}

Task<TerminationResult> Evacuation::settle() {
  co_await leave_.wait_until_out();
  const std::vector<std::string> held = deregister_.held();
  if (held.empty() || called_off_) co_return TerminationResult::completed;
  const std::string left = first_few(held);
  context_.metrics.targets_left.add(held.size());
  log_.error("settle.cut_short", {{"node", claim_.node().name}, {"held", left}});
  narrator_->tell(NoticeKind::targets_left, "the time was over before its load balancers let it go: " + left);
  co_return TerminationResult::cut_short;
}

std::vector<std::string> Evacuation::waits_for() const {
  std::vector<std::string> texts = drain_.waits_for();
  for (std::string& held : deregister_.held()) texts.push_back(std::move(held));
  for (std::string& volume : volumes_->waits_for()) texts.push_back(std::move(volume));
  return texts;
}

}  // namespace ferryman::termination
