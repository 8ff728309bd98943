// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/budgets.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view resource = "poddisruptionbudgets";

/// A number, or a share such as "50%" of `whole`, rounded up as the controller does.
std::optional<std::int64_t> amount(const json::value* value, std::int64_t whole) {
  if (value == nullptr) return std::nullopt;
  if (value->is_int64()) return value->get_int64();
  if (!value->is_string()) return std::nullopt;
  const std::string_view text = value->get_string();
  std::int64_t percent = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (failed != std::errc() || !text.ends_with('%') || percent < 0 || percent > 1000) return std::nullopt;
  return (whole * percent + 99) / 100;
}

bool covers(const json::value& budget, const json::value& pod) {
  if (text_at(budget, "metadata.namespace") != text_at(pod, "metadata.namespace")) return false;
  const json::value* selector = value_at(budget, "spec.selector");
  return selector != nullptr && matches_selector(*selector, pod);
}

/// The condition DisruptionAllowed with that reason, as old as its status.
json::object disruption_allowed(const json::value& budget, std::string_view reason, std::string_view now) {
  const std::string_view status = reason == "SufficientPods" ? "True" : "False";
  json::object made{{"type", "DisruptionAllowed"}, {"status", status}, {"reason", reason}, {"message", ""}};
  made["lastTransitionTime"] = now;
  if (const json::array* all = array_at(value_at(budget, "status"), "conditions"); all != nullptr) {
    for (const json::value& one : *all) {
      if (string_at(one, "status") == status)
        made["lastTransitionTime"] = string_at(one, "lastTransitionTime");
    }
  }
  return made;
}

}  // namespace

std::vector<ObjectPtr> Budgets::covering(const json::value& pod) const {
  std::vector<ObjectPtr> all = state_.objects.list(resource);
  std::erase_if(all, [&](const ObjectPtr& budget) { return !covers(*budget, pod); });
  return all;
}

Budgets::Budgets(ClusterState& state) : state_(state) {
  state_.objects.listen([this](std::string_view kind, const Change& change) {
    if (kind == "pods" || kind == resource) changed_.insert(key_of(*change.object).space);
  });
}

void Budgets::update_changed() {
  const std::set<std::string> spaces = std::exchange(changed_, {});
  for (const ObjectPtr& budget : state_.objects.list(resource)) {
    if (spaces.contains(key_of(*budget).space)) update(*budget);
  }
}

std::optional<std::int64_t> Budgets::wanted_by(const std::vector<ObjectPtr>& pods) const {
  std::set<std::string_view> seen;
  std::int64_t wanted = 0;
  for (const ObjectPtr& pod : pods) {
    const std::string_view owner = owner_uid(*pod);
    if (owner.empty() || !seen.insert(owner).second) continue;
    const std::string_view kind = owner_kind(*pod);
    const char* owners = kind == "ReplicaSet"    ? "replicasets"
                         : kind == "StatefulSet" ? "statefulsets"
                                                 : nullptr;
    if (owners == nullptr) return std::nullopt;
    const ObjectKey key(key_of(*pod).space, std::string(owner_name(*pod)));
    const ObjectPtr set = state_.objects.find(owners, key);
    if (set == nullptr || uid_of(*set) != owner) return std::nullopt;
    wanted += integer_at(find(*set, "spec"), "replicas").value_or(1);
  }
  return wanted;
}

Budgets::Count Budgets::count(const json::value& budget) const {
  Count made;
  std::vector<ObjectPtr> pods;
  for (const auto& [labels, group] : state_.pods.groups(key_of(budget).space)) {
    if (!covers(budget, *group.pods.begin()->second)) continue;
    made.healthy += group.healthy;
    for (const auto& [key, pod] : group.pods) pods.push_back(pod);
  }
  made.expected = static_cast<std::int64_t>(pods.size());
  const json::value* least = value_at(budget, "spec.minAvailable");
  const json::value* most_down = value_at(budget, "spec.maxUnavailable");
  if (least != nullptr && least->is_int64()) {
    made.desired = least->get_int64();
    return made;
  }
  const auto wanted = wanted_by(pods);
  made.failed = !wanted;
  made.expected = wanted.value_or(0);
  made.desired = most_down != nullptr
                     ? std::max<std::int64_t>(made.expected - amount(most_down, made.expected).value_or(0), 0)
                     : amount(least, made.expected).value_or(0);
  return made;
}

void Budgets::update(const json::value& budget) {
  const Count now = count(budget);
  const bool none = now.failed || now.expected <= 0;
  const std::int64_t allowed = none ? 0 : std::max<std::int64_t>(now.healthy - now.desired, 0);
  const std::int64_t generation = integer_at(value_at(budget, "metadata"), "generation").value_or(1);
  json::value changed = budget;
  json::object status;
  const char* reason = now.failed ? "SyncFailed" : allowed > 0 ? "SufficientPods" : "InsufficientPods";
  json::object condition = disruption_allowed(budget, reason, format_rfc3339(state_.clock.wall()));
  condition["observedGeneration"] = generation;
  if (now.failed) condition["message"] = "found no controllers for a pod of the budget";
  status["conditions"] = json::array{std::move(condition)};
  status["currentHealthy"] = now.healthy;
  status["desiredHealthy"] = now.desired;
  status["disruptionsAllowed"] = allowed;
  status["expectedPods"] = now.expected;
  status["observedGeneration"] = generation;
  make_at(changed, "status") = std::move(status);
  state_.objects.update(resource, key_of(budget), std::move(changed));
}

// Until the controller counts anew, which it does once it has seen the pod go.
void Budgets::spend(const json::value& budget, const json::value& pod) {
  const ObjectPtr now = state_.objects.find(resource, key_of(budget));
  if (now == nullptr) return;
  json::value changed = *now;
  const std::int64_t allowed = integer_at(value_at(changed, "status"), "disruptionsAllowed").value_or(0);
  make_at(changed, "status.disruptionsAllowed") = std::max<std::int64_t>(allowed - 1, 0);
  json::value& disrupted = make_at(changed, "status.disruptedPods");
  if (!disrupted.is_object()) disrupted.emplace_object();
  disrupted.get_object()[text_at(pod, "metadata.name")] = format_rfc3339(state_.clock.wall());
  state_.objects.update(resource, key_of(budget), std::move(changed));
}

}  // namespace ferryman::sandbox
