// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/kubelets.h"

#include <fmt/format.h>

#include <algorithm>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

using std::chrono::seconds;

namespace {

std::map<std::string, std::string> facts_of(const json::value& pod) {
  return {{"uid", std::string(uid_of(pod))},
          {"node", std::string(node_of(pod))},
          {"owner", std::string(owner_kind(pod))},
          {"grace", std::to_string(grace_of(pod).count())}};
}

}  // namespace

Kubelets::Kubelets(ClusterState& state) : state_(state) {
  state_.objects.listen([this](std::string_view resource, const Change& change) {
    if (resource == "pods") on_pod(change);
  });
}

bool Kubelets::alive(std::string_view node_name) const {
  const std::string name(node_name);
  return !state_.dead_kubelets.contains(name) &&
         (state_.unregistered.contains(name) || state_.objects.find("nodes", {"", name}) != nullptr);
}

void Kubelets::resume(std::string_view node_name) {
  for (const ObjectPtr& pod : state_.objects.list("pods")) {
    if (node_of(*pod) != node_name || is_finished(*pod)) continue;
    if (is_terminating(*pod)) {
      drop(key_of(*pod), "kubelet");
    } else {
      start_later(*pod);
    }
  }
}

void Kubelets::on_pod(const Change& change) {
  const json::value& pod = *change.object;
  if (change.kind == Change::Kind::deleted) {
    endings_.erase(std::string(uid_of(pod)));
    if (is_mirror(pod)) recreate_mirror(pod);
    return;
  }
  const json::value* before = change.before.get();
  const std::string subject = key_of(pod).str();
  if (before == nullptr) state_.journal.fact("pod.created", subject, facts_of(pod));
  if (is_finished(pod) && (before == nullptr || !is_finished(*before))) {
    state_.journal.fact("pod.finished", subject, facts_of(pod));
  }
  const bool was_bound = before != nullptr && !node_of(*before).empty();
  if (before != nullptr && !was_bound && !node_of(pod).empty()) {
    state_.journal.fact("pod.scheduled", subject, facts_of(pod));
  }
  if (!was_bound && !node_of(pod).empty() && text_at(pod, "status.phase") == "Pending") start_later(pod);
  const bool was_ready = before != nullptr && is_pod_ready(*before);
  if (!was_ready && is_pod_ready(pod)) state_.journal.fact("pod.ready", subject, facts_of(pod));
  if (!is_terminating(pod)) return;
  const bool was_terminating = before != nullptr && is_terminating(*before);
  if (!was_terminating) state_.journal.fact("pod.terminating", subject, facts_of(pod));
  end_later(pod);
}

void Kubelets::start_later(const json::value& pod) {
  if (never_starts(pod)) return;
  const ObjectKey key = key_of(pod);
  const std::string uid(uid_of(pod));
  const Duration ready = ready_after_of(pod);
  // A container runs within a second; until it is ready the pod is Running but counts for no budget.
  const Duration running = std::min<Duration>(ready, seconds{1});
  if (running < ready) state_.timeline.after(running, [this, key, uid] { start(key, uid, false); });
  state_.timeline.after(ready, [this, key, uid] { start(key, uid, true); });
}

void Kubelets::start(const ObjectKey& key, const std::string& uid, bool ready) {
  const ObjectPtr now = state_.objects.find("pods", key);
  if (now == nullptr || uid_of(*now) != uid || is_terminating(*now) || !alive(node_of(*now))) return;
  json::value pod = *now;
  const std::string time = format_rfc3339(state_.clock.wall());
  if (text_at(pod, "status.phase") == "Running") {
    set_ready(pod, ready && !is_crash_looping(pod), time);
  } else {
    set_running(pod, ready, time, next_ip("10.1"));
    set_host_ip(pod, state_.objects.find("nodes", {"", std::string(node_of(pod))}).get());
  }
  state_.objects.update("pods", key, std::move(pod));
}

void Kubelets::end_later(const json::value& pod) {
  const std::string uid(uid_of(pod));
  const SteadyTime now = state_.clock.now();
  const seconds grace{integer_at(value_at(pod, "metadata"), "deletionGracePeriodSeconds").value_or(30)};
  if (is_stuck(pod)) return;
  const auto [place, first] = endings_.try_emplace(uid);
  Ending& ending = place->second;
  if (first) {
    ending.begun = now;
    // Nothing runs yet: nothing has to end.
    const bool running = text_at(pod, "status.phase") == "Running";
    ending.finish = now + (running ? end_time_of(pod) : Duration{0});
  }
  if (now + grace < ending.finish) {
    ending.finish = now + grace;
    ending.killed = true;
  } else if (!first) {
    return;
  }
  const ObjectKey key = key_of(pod);
  state_.timeline.after(std::max(ending.finish - now, Duration{0}), [this, key, uid] { end(key, uid); });
}

void Kubelets::end(const ObjectKey& key, const std::string& uid) {
  const ObjectPtr pod = state_.objects.find("pods", key);
  const auto ending = endings_.find(uid);
  if (pod == nullptr || uid_of(*pod) != uid || ending == endings_.end()) return;
  if (state_.clock.now() < ending->second.finish || !alive(node_of(*pod))) return;
  drop(key, ending->second.killed ? "killed at grace" : "kubelet");
}

ObjectPtr Kubelets::delete_pod(const ObjectKey& key, seconds grace) {
  const ObjectPtr now = state_.objects.find("pods", key);
  if (now == nullptr) return nullptr;
  const bool runs = !node_of(*now).empty() && !is_finished(*now);
  if (grace.count() <= 0 || !runs) {
    drop(key, runs ? "forced" : "not running");
    return now;
  }
  constexpr seconds most{std::int64_t{365} * 24 * 3600};
  grace = std::min(grace, most);
  const auto earlier = integer_at(value_at(*now, "metadata"), "deletionGracePeriodSeconds");
  if (is_terminating(*now) && earlier && *earlier <= grace.count()) return now;
  json::value pod = *now;
  make_at(pod, "metadata.deletionTimestamp") = format_rfc3339(state_.clock.wall() + grace);
  make_at(pod, "metadata.deletionGracePeriodSeconds") = grace.count();
  return state_.objects.update("pods", key, std::move(pod));
}

void Kubelets::drop(const ObjectKey& key, std::string_view how) {
  const ObjectPtr gone = state_.objects.remove("pods", key);
  if (gone == nullptr) return;
  auto details = facts_of(*gone);
  details["how"] = how;
  state_.journal.fact("pod.gone", key.str(), std::move(details));
}

// The kubelet runs a static pod whatever the API server thinks of its mirror, and shows it again.
void Kubelets::recreate_mirror(const json::value& gone) {
  json::value mirror = gone;
  erase_at(mirror, "metadata.deletionTimestamp");
  erase_at(mirror, "metadata.deletionGracePeriodSeconds");
  state_.timeline.after(seconds{1}, [this, mirror] {
    if (alive(node_of(mirror))) state_.objects.create("pods", mirror);
  });
}

std::string Kubelets::next_ip(std::string_view network) {
  const std::uint32_t number = 10 + next_address_[std::string(network)]++;
  return fmt::format("{}.{}.{}", network, (number >> 8U) & 255U, number & 255U);
}

}  // namespace ferryman::sandbox
