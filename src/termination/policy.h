// SPDX-License-Identifier: Apache-2.0
// Policy: what the settings say to the product. Plain values; the settings table in `app` fills them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "termination/drain_policy.h"
#include "termination/event.h"

namespace ferryman::termination {

enum class QueueMode : std::uint8_t {
  shared,     // other consumers read this queue: what is not ours goes back to it
  exclusive,  // we are alone: what is not ours is deleted
};

/// What is done about an event; each includes what stands before it.
enum class Action : std::uint8_t {
  ignore,  // counted and told, nothing else
  taint,   // taint and claim
  cordon,  // unschedulable too
  drain,   // leave load balancers, evict
};
inline constexpr std::size_t action_levels = 4;
/// "ignore", "taint", "cordon", "drain".
std::string_view name_of(Action action);
std::optional<Action> parse_action(std::string_view name);

/// What becomes of a hook of ours when its time is over and what it waited for did not come.
enum class AtLimit : std::uint8_t {
  proceed,  // complete it with CONTINUE
  abandon,  // complete it with ABANDON
  leave,    // Auto Scaling does what the hook's own default result says
};

enum class Unparsable : std::uint8_t {
  redrive,  // the queue's redrive policy, or its retention, takes it away
  remove,   // deleted
};

/// "key" or "key=value" of a tag or label.
class KeyValue {
 public:
  KeyValue() = default;
  KeyValue(std::string key_in, std::optional<std::string> value_in)
      : key(std::move(key_in)), value(std::move(value_in)) {}
  friend bool operator==(const KeyValue&, const KeyValue&) = default;

  [[nodiscard]] bool matches(std::string_view other_key, std::string_view other_value) const {
    return other_key == key && (!value || other_value == *value);
  }

  std::string key;
  std::optional<std::string> value;  // empty: any
};

/// How long before a scheduled change its node is emptied, by the change's code.
class LeadTime {
 public:
  LeadTime() = default;
  LeadTime(std::string code_in, std::optional<Duration> lead_in) : code(std::move(code_in)), lead(lead_in) {}
  friend bool operator==(const LeadTime&, const LeadTime&) = default;

  std::string code;              // a glob
  std::optional<Duration> lead;  // Duration::max(): as soon as it is known; empty: not acted on
};

class Policy {
 public:
  Policy() = default;

  std::string account;  // of our queue; empty: envelopes are not compared
  std::string region;   // ours; empty: envelopes are not compared
  QueueMode queue_mode = QueueMode::shared;
  std::chrono::seconds visibility{20};  // of a received message; extended while it is held
  int receives_at_once = 4;             // long polls that run side by side when the queue is full
  int unparsable_after = 3;             // receives of a message that does not parse, before it is disposed of
  Unparsable unparsable = Unparsable::redrive;
  bool allow_redrive = false;  // a shared queue whose redrive policy may take messages that were given back

  std::string cluster_name;             // the value of kubernetes.io/cluster/<…> and eks:cluster-name
  std::optional<KeyValue> managed_tag;  // with a value: on an instance or its group, it makes it ours
  std::optional<KeyValue> require_tag;  // only instances that carry it, themselves or by their group
  std::vector<KeyValue> skip_labels;    // Nodes with one of these are another system's to drain

  std::array<Action, event_kinds> actions_by_kind = {
      Action::drain, Action::ignore, Action::drain, Action::ignore,
      Action::drain, Action::drain,  Action::drain, Action::ignore};  // asg-launch: see below
  bool actions_from_group_tags = false;  // an Auto Scaling group's tags may name actions too: it costs calls
  bool look_for_waiting_hooks = true;    // of which no message told
  bool complete_launches = true;         // asg-launch: complete the hook once the Node is Ready
  AtLimit launch_at_limit = AtLimit::leave;
  std::vector<LeadTime> lead_times;  // the first that matches decides

  std::vector<std::string> hooks = {"*"};  // globs of the hooks that are ours; one with ! before it excludes
  Duration max_termination_time = std::chrono::hours{1};
  Duration margin = std::chrono::seconds{15};  // kept before a deadline for the completion itself
  DrainPolicy drain;
  Duration missing_node_limit = std::chrono::minutes{15};  // how long a Node is waited for
  AtLimit missing_node_at_limit = AtLimit::proceed;

  int voluntary_share = 10;  // % of a group's Nodes, of a zone's, and of the cluster's
  Duration voluntary_min_age = std::chrono::minutes{10};     // of a Node
  Duration voluntary_undo_after = std::chrono::minutes{30};  // our marks are taken back when nothing followed
  std::vector<std::string> group_labels;  // Node labels that name its group; the first that is there counts

  bool deregister = true;  // take nodes out of load balancers, by label and by calls
  bool leave_target_groups = true;
  bool leave_classic_balancers = true;
  std::vector<std::string> target_group_types = {"instance", "ip"};  // that are looked at
  std::vector<std::string> target_group_vpcs;                        // their ids; empty: of any VPC
  bool target_group_bindings = false;       // only groups that a TargetGroupBinding or a tag says are ours
  std::vector<KeyValue> target_group_tags;  // one of them does; empty: groups are not told by tags
  bool deregister_ip_targets = false;       // addresses in groups that no TargetGroupBinding keeps
  int min_healthy_targets = 1;              // that an end which may come to nothing leaves in each pool
  Duration continued_service = std::chrono::seconds{20};  // after a deregistration: application and classic
  Duration continued_service_network = std::chrono::seconds{130};  // and network and gateway

  Duration instance_status_period{0};  // between polls of DescribeInstanceStatus; 0: none
  bool shadow = false;                 // decides and tells, writes nothing
  std::string pause_namespace;         // of the ConfigMap whose key "paused" stops new work
  std::string pause_name;              // empty: no such switch
  Duration call_timeout = std::chrono::seconds{10};
  std::string own_namespace;  // our own pod goes last
  std::string own_pod;
};

bool is_our_hook(const Policy& policy, std::string_view hook);

}  // namespace ferryman::termination
