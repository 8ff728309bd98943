// SPDX-License-Identifier: Apache-2.0
#include "app/drain_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "app/nearest.h"

namespace ferryman::app {

namespace {

using termination::EventKind;

/// Those whose events drain a node.
std::vector<std::string_view> draining_kinds() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < termination::event_kinds; ++i) {
    const auto kind = static_cast<EventKind>(i);
    if (kind != EventKind::asg_launch) names.push_back(name_of(kind));
  }
  return names;
}

std::optional<std::int32_t> priority(std::string_view text) {
  std::int32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

double share(std::int64_t percent) {
  return static_cast<double>(percent) / 100.0;
}

}  // namespace

DrainReading::DrainReading(const ResolvedSettings& resolved) : resolved_(resolved) {
  read_plain();
  read_grace();
  read_selectors();
  read_waits();
  read_waves();
  read_phases();
}

void DrainReading::read_plain() {
  policy.ignore_daemonsets = resolved_.boolean("ignore-daemonsets");
  policy.delete_emptydir_data = resolved_.boolean("delete-emptydir-data");
  policy.force = resolved_.boolean("force");
  policy.disable_eviction = resolved_.boolean("disable-eviction");
  policy.skip_wait_for_delete = resolved_.duration("skip-wait-for-delete-timeout");
  policy.delete_unready_after = resolved_.duration("delete-unready-after");
  policy.force_grace_zero = resolved_.boolean("force-grace-zero");
  policy.volume_wait = resolved_.duration("volume-wait");
  policy.no_execute_after = resolved_.boolean("no-execute-after-drain");
  policy.out_of_service = resolved_.boolean("out-of-service-taint");
  policy.delete_node = resolved_.boolean("delete-node");
  policy.undo_failed = resolved_.boolean("undo-failed-drain");
}

void DrainReading::read_grace() {
  const auto grace = resolved_.integer("grace-period");
  if (grace == 0 && !policy.force_grace_zero) {
    refuse("grace-period",
           "would take pods out of the API before their kubelet has ended them, so that their successors and "
           "volumes start beside them; write 1, or set --force-grace-zero too");
  } else if (grace >= 0) {
    policy.grace_period = std::chrono::seconds{grace};
  }
}

void DrainReading::read_selectors() {
  policy.pod_selector = selector("pod-selector");
  if (auto chosen = selector("delete-daemonset-pods"); !chosen.empty())
    policy.daemonset_pods = std::move(chosen);
  if (auto guarded = selector("protected-pods"); !guarded.empty()) policy.protected_pods = std::move(guarded);
}

LabelSelector DrainReading::selector(std::string_view name) {
  auto parsed = parse_label_selector(resolved_.text(name));
  if (parsed) return std::move(*parsed);
  refuse(name, fmt::format("is not a label selector: {}; write it like app=web,tier in (a,b),!canary",
                           parsed.error().text));
  return {};
}

void DrainReading::read_waits() {
  policy.heed_waits.fill(false);
  const auto kinds = draining_kinds();
  for (const std::string& name : resolved_.list("heed-waits")) {
    const auto kind = termination::parse_event_kind(name);
    if (kind && std::ranges::find(kinds, name) != kinds.end()) {
      policy.heed_waits.at(static_cast<std::size_t>(*kind)) = true;
      continue;
    }
    const std::string_view meant = nearest(name, kinds);
    refuse("heed-waits",
           fmt::format("names \"{}\", which is no kind of event that drains a node{}; write some of {}", name,
                       meant.empty() ? std::string() : fmt::format(" (did you mean {}?)", meant),
                       fmt::join(kinds, ",")));
  }
}

void DrainReading::read_waves() {
  policy.wave_label = resolved_.text("wave-label");
  policy.wave_priorities.clear();
  for (const std::string& text : resolved_.list("wave-priorities")) {
    if (const auto value = priority(text)) {
      policy.wave_priorities.push_back(*value);
    } else {
      refuse(
          "wave-priorities",
          fmt::format("has an entry that is no priority of a pod, \"{}\"; write integers from -2147483648 to "
                      "2147483647, such as 1000,2000000000",
                      text));
    }
  }
  std::ranges::sort(policy.wave_priorities);
}

void DrainReading::read_phases() {
  const auto deletes = resolved_.integer("delete-phase-at");
  const auto forces = resolved_.integer("force-phase-at");
  policy.delete_phase_at = share(deletes);
  policy.force_phase_at = share(forces);
  if (forces == 0 || forces >= deletes) return;
  refuse("force-phase-at",
         fmt::format("is before delete-phase-at ({}%), so that pods would be ended at once that were never "
                     "given their grace; write {} or more, or 0 for the last tenth",
                     deletes, deletes));
}

void DrainReading::refuse(std::string_view name, std::string_view why) {
  problems.push_back(fmt::format("{} {}", resolved_.told(name), why));
}

}  // namespace ferryman::app
