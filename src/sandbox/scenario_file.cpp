// SPDX-License-Identifier: Apache-2.0
// The YAML form of a Scenario: one table of keys.
#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "sandbox/kube/rights_text.h"
#include "sandbox/scenario.h"

namespace ferryman::sandbox {

namespace {

using Seconds = Scenario::Seconds;

/// Sets one member from its text; an Error's text says what is allowed.
class Key {
 public:
  std::string_view name;
  Result<void> (*set)(Scenario& scenario, std::string_view text);
};

Error allowed(std::string what) {
  return Error(Fault::invalid, std::move(what));
}

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != text.data() + text.size())
    return std::nullopt;
  return number;
}

template <auto Member, std::int64_t Least, std::int64_t Most>
Result<void> number(Scenario& scenario, std::string_view text) {
  const auto value = whole(text);
  if (!value || *value < Least || *value > Most) {
    return allowed(fmt::format("a whole number from {} to {}", Least, Most));
  }
  scenario.*Member = static_cast<std::remove_reference_t<decltype(scenario.*Member)>>(*value);
  return {};
}

/// "90", "90s", "5m", "2h".
std::optional<std::int64_t> duration_seconds(std::string_view text) {
  std::int64_t unit = 1;
  if (text.ends_with('m')) unit = 60;
  if (text.ends_with('h')) unit = 3600;
  if (text.ends_with('s') || unit > 1) text.remove_suffix(1);
  const auto value = whole(text);
  constexpr std::int64_t most = 1'000'000;
  if (!value || *value > most) return std::nullopt;
  return *value * unit;
}

template <auto Member, std::int64_t Least, std::int64_t Most>
Result<void> duration(Scenario& scenario, std::string_view text) {
  const auto value = duration_seconds(text);
  if (!value || *value < Least || *value > Most) {
    return allowed(fmt::format("a duration from {} to {} seconds, such as 90s, 5m or 1h", Least, Most));
  }
  scenario.*Member = Seconds{*value};
  return {};
}

template <auto Member>
Result<void> percent(Scenario& scenario, std::string_view text) {
  if (text.ends_with('%')) text.remove_suffix(1);
  return number<Member, 0, 100>(scenario, text) ? Result<void>() : allowed("a share from 0% to 100%");
}

template <auto Member>
Result<void> flag(Scenario& scenario, std::string_view text) {
  if (text != "true" && text != "false") return allowed("true or false");
  scenario.*Member = text == "true";
  return {};
}

/// Letters, digits, dots, dashes and underscores: good for a queue's, hook's or cluster's name.
template <auto Member>
Result<void> name(Scenario& scenario, std::string_view text) {
  const auto good = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
           c == '_' || c == '.';
  };
  if (text.empty() || text.size() > 80 || !std::all_of(text.begin(), text.end(), good)) {
    return allowed("1 to 80 letters, digits, dots, dashes and underscores");
  }
  scenario.*Member = text;
  return {};
}

Result<void> account(Scenario& scenario, std::string_view text) {
  if (text.size() != 12 || text.find_first_not_of("0123456789") != std::string_view::npos)
    return allowed("12 digits");
  scenario.account = text;
  return {};
}

Result<void> default_result(Scenario& scenario, std::string_view text) {
  if (text != "CONTINUE" && text != "ABANDON") return allowed("CONTINUE or ABANDON");
  scenario.default_result = text;
  return {};
}

Result<void> rights(Scenario& scenario, std::string_view text) {
  const auto read = read_rights(text);
  if (!read || read->empty())
    return allowed(read ? "at least one right, such as nodes:get,list"
                        : "a list of rights; " + read.error().text);
  scenario.kubernetes_rights = text;
  return {};
}

Result<void> aws_rights(Scenario& scenario, std::string_view text) {
  auto read = AccessRights::of_list(text);
  if (!read) return allowed("a list of actions, such as sqs:*, autoscaling:Describe*");
  scenario.aws_rights = std::move(*read);
  return {};
}

constexpr std::array<Key, 43> keys{{
    {"cluster", name<&Scenario::cluster>},
    {"nodes", number<&Scenario::nodes, 0, 10'000>},
    {"nodesPerGroup", number<&Scenario::nodes_per_group, 1, 10'000>},
    {"podsPerNode", number<&Scenario::pods_per_node, 0, 250>},
    {"deployments", number<&Scenario::deployments, 1, 1'000>},
    {"minAvailable", percent<&Scenario::min_available>},
    {"podGrace", duration<&Scenario::pod_grace, 0, 86'400>},
    {"podEnd", duration<&Scenario::pod_end, 0, 86'400>},
    {"podReady", duration<&Scenario::pod_ready, 0, 3'600>},
    {"daemonSet", flag<&Scenario::daemon_set>},
    {"region", name<&Scenario::region>},
    {"account", account},
    {"queue", name<&Scenario::queue>},
    {"visibilityTimeout", duration<&Scenario::visibility_timeout, 0, 43'200>},
    {"hook", name<&Scenario::hook>},
    {"hooks", flag<&Scenario::hooks>},
    {"heartbeatTimeout", duration<&Scenario::heartbeat_timeout, 30, 7'200>},
    {"defaultResult", default_result},
    {"notifications", flag<&Scenario::notifications>},
    {"stateChanges", flag<&Scenario::state_changes>},
    {"replacementDelay", duration<&Scenario::replacement_delay, 0, 86'400>},
    {"boot", duration<&Scenario::boot, 0, 3'600>},
    {"join", duration<&Scenario::join, 0, 3'600>},
    {"nodeReady", duration<&Scenario::node_ready, 0, 3'600>},
    {"shutdown", duration<&Scenario::shutdown, 0, 3'600>},
    {"foreignInstances", number<&Scenario::foreign_instances, 0, 10'000>},
    {"targetGroups", number<&Scenario::target_groups, 0, 3'000>},
    {"classicElbs", number<&Scenario::classic_elbs, 0, 1'000>},
    {"podTargetGroups", number<&Scenario::pod_target_groups, 0, 1'000>},
    {"secondPorts", flag<&Scenario::second_ports>},
    {"targetGroupsPerNode", number<&Scenario::target_groups_per_node, 0, 3'000>},
    {"classicElbsPerNode", number<&Scenario::classic_elbs_per_node, 0, 1'000>},
    {"targetRegistration", duration<&Scenario::target_registration, 0, 3'600>},
    {"continuedService", duration<&Scenario::continued_service, 0, 3'600>},
    {"continuedServiceNetwork", duration<&Scenario::continued_service_network, 0, 3'600>},
    {"throttling", flag<&Scenario::throttling>},
    {"neighbour", percent<&Scenario::neighbour>},
    {"deregistrationDelay", duration<&Scenario::deregistration_delay, 0, 3'600>},
    {"awsRights", aws_rights},
    {"checkSignatures", flag<&Scenario::check_signatures>},
    {"checkTokens", flag<&Scenario::check_tokens>},
    {"kubernetesRights", rights},
    {"seed", number<&Scenario::seed, 0, INT64_MAX>},
}};

std::string known_keys() {
  std::string list;
  for (const Key& key : keys) list += (list.empty() ? "" : ", ") + std::string(key.name);
  return list;
}

Result<void> apply(Scenario& scenario, const YAML::Node& name_node, const YAML::Node& value) {
  const std::string name = name_node.IsScalar() ? name_node.Scalar() : std::string();
  for (const Key& key : keys) {
    if (key.name != name) continue;
    const std::string text = value.IsScalar() ? value.Scalar() : std::string();
    if (auto done = key.set(scenario, text); !done) {
      const std::string given = value.IsScalar() ? "\"" + text + "\"" : "no single value";
      return Error(Fault::invalid, fmt::format("{} is {}; it must be {}", name, given, done.error().text));
    }
    return {};
  }
  return Error(Fault::invalid, fmt::format("\"{}\" is no key; the keys are {}", name, known_keys()));
}

}  // namespace

Result<Scenario> read_scenario(std::string_view yaml, const std::string& file, Scenario scenario) {
  try {
    const YAML::Node root = YAML::Load(std::string(yaml));
    if (root.IsNull()) return scenario;
    if (!root.IsMap())
      return Error(Fault::invalid, file + ": it must be a map of keys; they are " + known_keys());
    for (const auto& entry : root) {
      if (auto done = apply(scenario, entry.first, entry.second); !done) {
        return Error(Fault::invalid,
                     fmt::format("{}:{}: {}", file, entry.first.Mark().line + 1, done.error().text));
      }
    }
    return scenario;
  } catch (const YAML::Exception& error) {
    return Error(Fault::invalid, fmt::format("{}:{}: not YAML: {}", file, error.mark.line + 1, error.msg));
  }
}

}  // namespace ferryman::sandbox
