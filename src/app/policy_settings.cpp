// SPDX-License-Identifier: Apache-2.0
#include "app/policy_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "app/balancer_settings.h"
#include "app/drain_settings.h"

namespace ferryman::app {

namespace {

using termination::Action;
using termination::AtLimit;
using termination::EventKind;
using termination::KeyValue;
using termination::LeadTime;
using termination::Policy;

std::chrono::seconds whole_seconds(Duration duration) {
  return std::chrono::ceil<std::chrono::seconds>(duration);
}

AtLimit at_limit(const std::string& name) {
  if (name == "continue") return AtLimit::proceed;
  return name == "abandon" ? AtLimit::abandon : AtLimit::leave;
}

/// "key" or "key=value"; the key is empty when the text has none.
KeyValue key_value(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos) return {std::string(text), std::nullopt};
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

/// Empty: the text is no lead time.
std::optional<LeadTime> lead_time(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string_view::npos) return std::nullopt;
  std::string code(text.substr(0, equals));
  const std::string_view lead = text.substr(equals + 1);
  if (lead == "ignore") return LeadTime(std::move(code), std::nullopt);
  if (lead == "now") return LeadTime(std::move(code), Duration::max());
  const auto duration = parse_duration(lead);
  if (!duration) return std::nullopt;
  return LeadTime(std::move(code), *duration);
}

/// Reads those settings that more than their type decides.
class Reader {
 public:
  Reader(const ResolvedSettings& resolved, Policy& policy, std::vector<std::string>& problems)
      : resolved_(resolved), policy_(policy), problems_(problems) {}

  void actions() {
    for (std::size_t i = 0; i < termination::event_kinds; ++i) {
      const auto kind = static_cast<EventKind>(i);
      if (kind == EventKind::asg_launch) continue;
      const std::string& action = resolved_.text(fmt::format("on-{}", name_of(kind)));
      policy_.actions_by_kind.at(i) = termination::parse_action(action).value_or(Action::ignore);
    }
    policy_.complete_launches = resolved_.text("on-asg-launch") == "complete";
    policy_.look_for_waiting_hooks = resolved_.boolean("look-for-waiting-hooks");
    policy_.actions_from_group_tags = resolved_.boolean("actions-from-group-tags");
  }

  void hooks() {
    const auto& hooks = resolved_.list("hook");
    const bool some =
        std::ranges::any_of(hooks, [](const std::string& glob) { return !glob.starts_with('!'); });
    if (some) {
      policy_.hooks = hooks;
    } else {
      refuse("hook",
             "excludes hooks and names none, so that no hook would be ours; write \"*,!…\" for all others");
    }
  }

  void tags() {
    if (const std::string& text = resolved_.text("managed-tag"); !text.empty()) managed_tag(key_value(text));
    if (const std::string& text = resolved_.text("require-tag"); !text.empty()) {
      policy_.require_tag = key_value(text);
      if (policy_.require_tag->key.empty())
        refuse("require-tag", "has no key; write it like key or key=value");
    }
  }

  void skip_labels() {
    policy_.skip_labels.clear();
    for (const std::string& text : resolved_.list("skip-label")) {
      KeyValue label = key_value(text);
      if (label.key.empty())
        refuse("skip-label", "has an entry without a key; write entries like key or key=value");
      policy_.skip_labels.push_back(std::move(label));
    }
  }

  void lead_times() {
    for (const std::string& text : resolved_.list("lead-time")) {
      auto lead = lead_time(text);
      if (lead) {
        policy_.lead_times.push_back(std::move(*lead));
      } else {
        refuse("lead-time", fmt::format("has an entry that cannot be read, \"{}\"; write entries like "
                                        "AWS_EC2_INSTANCE_REBOOT_*=10m, CODE=now or CODE=ignore",
                                        text));
      }
    }
  }

  void status_period() {
    constexpr Duration least = std::chrono::seconds{30};
    policy_.instance_status_period = resolved_.duration("poll-instance-status");
    if (policy_.instance_status_period.count() == 0 || policy_.instance_status_period >= least) return;
    refuse("poll-instance-status",
           "is too often for EC2's rates, which the whole account shares; write 0, or 30s and more");
  }

  void pause_switch() {
    const std::string& text = resolved_.text("pause-config-map");
    if (text.empty()) return;
    const auto slash = text.find('/');
    const bool whole = slash != std::string::npos;
    policy_.pause_namespace = whole ? text.substr(0, slash) : resolved_.text("pod-namespace");
    policy_.pause_name = whole ? text.substr(slash + 1) : text;
    if (!whole && policy_.pause_namespace.empty()) {
      refuse("pause-config-map",
             "names no namespace, and pod-namespace, which would, is not given; write it like "
             "NAMESPACE/NAME, or set --pod-namespace");
    } else if (policy_.pause_namespace.empty() || policy_.pause_name.empty() ||
               policy_.pause_name.find('/') != std::string::npos) {
      refuse("pause-config-map", "is not the name of a ConfigMap; write it like NAMESPACE/NAME");
    }
  }

 private:
  void refuse(std::string_view name, std::string_view why) {
    problems_.push_back(fmt::format("{} {}", resolved_.told(name), why));
  }

  /// A bare key is what clusters of one account have in common, so it says nothing about whose one is.
  void managed_tag(KeyValue tag) {
    if (tag.key.empty()) {
      refuse("managed-tag", "has no key; write it like key=value");
    } else if (tag.value.value_or("").empty()) {
      refuse(
          "managed-tag",
          "has no value: other clusters' instances may carry the same key, so the key alone cannot make one "
          "ours; write key=value with a value that only this cluster has, or use --require-tag, which "
          "narrows what is managed");
    } else {
      policy_.managed_tag = std::move(tag);
    }
  }

  const ResolvedSettings& resolved_;
  Policy& policy_;
  std::vector<std::string>& problems_;
};

void read_queue(const ResolvedSettings& resolved, Policy& policy) {
  policy.queue_mode = resolved.text("queue-mode") == "exclusive" ? termination::QueueMode::exclusive
                                                                 : termination::QueueMode::shared;
  policy.visibility = whole_seconds(resolved.duration("message-visibility"));
  policy.receives_at_once = static_cast<int>(resolved.integer("receives-at-once"));
  policy.unparsable_after = static_cast<int>(resolved.integer("unparsable-after"));
  policy.unparsable = resolved.text("unparsable") == "delete" ? termination::Unparsable::remove
                                                              : termination::Unparsable::redrive;
  policy.allow_redrive = resolved.boolean("allow-redrive");
}

void read_events(const ResolvedSettings& resolved, Policy& policy) {
  policy.launch_at_limit = at_limit(resolved.text("launch-at-limit"));
  policy.missing_node_limit = resolved.duration("missing-node-limit");
  policy.missing_node_at_limit = at_limit(resolved.text("missing-node-at-limit"));
  policy.voluntary_share = static_cast<int>(resolved.integer("voluntary-share"));
  policy.voluntary_min_age = resolved.duration("voluntary-min-age");
  policy.voluntary_undo_after = resolved.duration("voluntary-undo-after");
  policy.group_labels = resolved.list("group-label");
}

void read_termination(const ResolvedSettings& resolved, Policy& policy) {
  policy.max_termination_time = resolved.duration("max-termination-time");
  policy.margin = resolved.duration("deadline-margin");
  policy.shadow = resolved.boolean("shadow");
  policy.call_timeout = resolved.duration("call-timeout");
  policy.cluster_name = resolved.text("cluster-name");
  policy.own_namespace = resolved.text("pod-namespace");
  policy.own_pod = resolved.text("pod-name");
}

}  // namespace

PolicyReading::PolicyReading(const ResolvedSettings& resolved) {
  read_queue(resolved, policy);
  read_events(resolved, policy);
  read_termination(resolved, policy);
  DrainReading drain(resolved);
  policy.drain = std::move(drain.policy);
  problems = std::move(drain.problems);
  BalancerReading(resolved).read_into(policy, problems);
  Reader reader(resolved, policy, problems);
  reader.actions();
  reader.hooks();
  reader.tags();
  reader.skip_labels();
  reader.lead_times();
  reader.status_period();
  reader.pause_switch();
}

}  // namespace ferryman::app
