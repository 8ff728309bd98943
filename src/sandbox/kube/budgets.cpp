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

void Budgets::update(const json::value& budget) {
  std::int64_t expected = 0;
  std::int64_t healthy = 0;
  for (const ObjectPtr& pod : state_.objects.list("pods")) {
    if (!covers(budget, *pod) || is_finished(*pod)) continue;
    if (is_terminating(*pod)) continue;
    ++expected;
    if (is_pod_ready(*pod)) ++healthy;
  }
  const auto least = amount(value_at(budget, "spec.minAvailable"), expected);
  const auto most_down = amount(value_at(budget, "spec.maxUnavailable"), expected);
  const std::int64_t desired = least ? *least : std::max<std::int64_t>(expected - most_down.value_or(0), 0);
  json::value changed = budget;
  json::object status;
  status["currentHealthy"] = healthy;
  status["desiredHealthy"] = desired;
  status["disruptionsAllowed"] = expected > 0 ? std::max<std::int64_t>(healthy - desired, 0) : 0;
  status["expectedPods"] = expected;
  status["observedGeneration"] = integer_at(value_at(budget, "metadata"), "generation").value_or(1);
  make_at(changed, "status") = std::move(status);
  state_.objects.update(resource, key_of(budget), std::move(changed));
}

void Budgets::spend(const json::value& budget) {
  const ObjectPtr now = state_.objects.find(resource, key_of(budget));
  if (now == nullptr) return;
  json::value changed = *now;
  const std::int64_t allowed = integer_at(value_at(changed, "status"), "disruptionsAllowed").value_or(0);
  make_at(changed, "status.disruptionsAllowed") = std::max<std::int64_t>(allowed - 1, 0);
  state_.objects.update(resource, key_of(budget), std::move(changed));
}

}  // namespace ferryman::sandbox
