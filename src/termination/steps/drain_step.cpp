// SPDX-License-Identifier: Apache-2.0
#include "termination/steps/drain_step.h"

#include <algorithm>

namespace ferryman::termination::steps {

namespace {

constexpr Duration look_again = std::chrono::seconds{30};   // a LIST even when the watch says nothing
constexpr Duration late_binding = std::chrono::seconds{5};  // of a pod that was scheduled before the cordon

}  // namespace

DrainStep::DrainStep(Context& context, drain::Aids& aids, std::shared_ptr<Narrator> narrator, Log log)
    : context_(context),
      aids_(aids),
      log_(std::move(log)),
      asker_(std::make_shared<drain::Asker>(context, aids, std::move(narrator), log_)) {}

void DrainStep::replan(const Plan& plan) {
  table().set_plan(plan);
  if (view_ != nullptr) view_->changed().notify_all();
}

std::vector<std::string> DrainStep::waits_for() const {
  std::vector<std::string> texts = table().waits_for(context_.moment());
  if (!unlisted_.empty()) texts.push_back("a list of its pods: " + unlisted_);
  return texts;
}

void DrainStep::note_unlisted(const Error& error, Duration pause) {
  const bool said = denial_said_;
  denial_said_ = lacks_right(error);
  unlisted_ = error.text;
  log_.write(said && denial_said_ ? Level::debug : Level::warn, "pods.not_listed",
             {{"error", error},
              {"retry_in", pause},
              {"cure", denial_said_ ? "grant \"list\" on pods (deploy/rbac.yaml)" : ""}});
}

Task<bool> DrainStep::open_view() {
  for (int attempt = 1;; ++attempt) {
    const Deadline call = context_.call_deadline().earlier(Deadline(table().plan().deadline));
    auto view = co_await aids_.cluster.view_pods(node_.name, call);
    if (view) {
      view_ = *view;
      asker_->open(view_);
      listed_ = context_.clock.now();
      unlisted_.clear();
      co_return true;
    }
    const Duration pause = patient_back_off(attempt, context_.random);
    note_unlisted(view.error(), pause);
    if (context_.clock.now() + pause >= table().plan().deadline) co_return false;
    co_await context_.clock.sleep_for(pause);
  }
}

/// An instance that ends behind our back gives its address away, and often its Node's name with it.
bool DrainStep::is_replaced(const Node* node) const {
  if (node != nullptr && node->name == node_.name) return false;
  bool found = false;
  aids_.cluster.each_node([&](const Node& other) { found = found || other.name == node_.name; });
  return found;
}

/// Rows follow the view; what is gone is told.
void DrainStep::take_stock() {
  drain::Sight sight;
  sight.now = context_.moment();
  const Node* node = aids_.cluster.find_node(node_.instance_id);
  sight.daemon_sets = daemon_sets_.get();
  sight.unreachable = node != nullptr && node->unreachable;
  sight.replaced = is_replaced(node);
  for (const drain::PodRow& row : table().follow(*view_, sight)) report_.add(row, false, log_);
  asker_->tell_kept();
  note_leaving();
}

void DrainStep::note_leaving() {
  if (!tell_leaving_) return;
  std::vector<Pod> leaving;
  for (auto& [uid, row] : table().rows()) {
    if (row.indifferent() || std::exchange(row.noted, true)) continue;
    leaving.push_back(row.pod);
  }
  if (!leaving.empty()) tell_leaving_(std::move(leaving));
}

/// True when the API server answered.
Task<bool> DrainStep::list_anew(Duration pause) {
  (void)asker_->take_doubt();
  listed_ = context_.clock.now();
  const Deadline call = context_.call_deadline().earlier(Deadline(table().plan().deadline));
  const auto listed = co_await view_->refresh(call);
  unlisted_.clear();
  if (!listed) note_unlisted(listed.error(), pause);
  take_stock();
  co_return listed.ok();
}

/// Until something changed or is due. The calls notify the view's signal too when they end.
Task<void> DrainStep::wait(SteadyTime last_look) {
  const SteadyTime now = context_.clock.now();
  const bool waits_for_late_ones = table().left() == 0 && last_look > now;
  const SteadyTime next =
      waits_for_late_ones ? last_look : std::min(table().next_look(context_.moment()), now + look_again);
  if (!asker_->doubts()) co_await view_->changed().wait_until(next);
  if (asker_->doubts() || context_.clock.now() - listed_ >= look_again) (void)co_await list_anew(look_again);
  take_stock();
}

Task<DrainOutcome> DrainStep::run(Node node, Plan plan) {
  node_ = std::move(node);
  table().set_plan(plan);
  if (!co_await open_view()) {
    DrainOutcome blind;
    blind.report.left.push_back("unknown pods: " + unlisted_);
    co_return blind;
  }
  if (std::ranges::any_of(view_->pods(), [](const Pod& pod) { return pod.owner_kind == "DaemonSet"; }))
    daemon_sets_ = co_await aids_.daemon_sets.get(context_.call_deadline());
  take_stock();
  log_.info("drain.started", {{"node", node_.name}, {"pods", pods_left()}});
  constexpr Duration for_a_list = std::chrono::seconds{1};
  const SteadyTime last_look = std::min(context_.clock.now() + late_binding, plan.deadline - for_a_list);
  for (int attempt = 1; context_.clock.now() < table().plan().deadline;) {
    asker_->ask();
    if (pods_left() > 0 || !asker_->idle() || context_.clock.now() < last_look) {
      co_await wait(last_look);
      continue;
    }
    const Duration pause = patient_back_off(attempt, context_.random);
    const bool answered = co_await list_anew(pause);
    if (answered && pods_left() == 0) co_return outcome(true);
    attempt = answered ? 1 : attempt + 1;
    if (answered) continue;
    // The last try has time to be answered.
    const SteadyTime latest = table().plan().deadline - for_a_list;
    const SteadyTime next = context_.clock.now() < latest ? std::min(context_.clock.now() + pause, latest)
                                                          : table().plan().deadline;
    co_await context_.clock.sleep_until(next);
  }
  co_return outcome(false);
}

/// `proven`: a LIST just showed that nothing is left.
DrainOutcome DrainStep::outcome(bool proven) {
  asker_->close();
  for (const auto& [uid, row] : table().rows()) report_.add(row, true, log_);
  DrainOutcome result;
  result.report = std::move(report_);
  if (result.report.left.empty() && !proven) {
    result.report.left.push_back("no pod by the watch, but not confirmed: " +
                                 (unlisted_.empty() ? "no time was left for a list" : unlisted_));
  }
  result.empty = result.report.left.empty();
  return result;
}

}  // namespace ferryman::termination::steps
