// SPDX-License-Identifier: Apache-2.0
#include "app/scenario_settings.h"

#include <fmt/format.h>

#include "sandbox/kube/rights_text.h"

namespace ferryman::app {

namespace {

/// Overrides members of a scenario by the flags that were given.
class Overrides {
 public:
  explicit Overrides(const ResolvedSettings& resolved) : resolved_(resolved) {}

  void number(std::string_view name, int& member) const {
    if (resolved_.given(name)) member = static_cast<int>(resolved_.integer(name));
  }
  void duration(std::string_view name, std::chrono::seconds& member) const {
    if (resolved_.given(name)) member = std::chrono::ceil<std::chrono::seconds>(resolved_.duration(name));
  }
  void text(std::string_view name, std::string& member) const {
    if (resolved_.given(name)) member = resolved_.text(name);
  }

 private:
  const ResolvedSettings& resolved_;
};

}  // namespace

Result<sandbox::Scenario> scenario_of(const ResolvedSettings& resolved, Files& files,
                                      std::uint64_t fresh_seed) {
  sandbox::Scenario scenario;
  scenario.seed = fresh_seed;
  if (const std::string& path = resolved.text("scenario"); !path.empty()) {
    const auto text = files.read(path);
    if (!text) {
      return Error(text.error().fault, fmt::format("{} cannot be read: {}; name one that can be read",
                                                   resolved.told("scenario"), text.error().text));
    }
    auto read = sandbox::read_scenario(*text, path, scenario);
    if (!read) return read.error().within("setting scenario");
    scenario = std::move(*read);
  }
  const Overrides flags(resolved);
  flags.number("nodes", scenario.nodes);
  flags.number("pods-per-node", scenario.pods_per_node);
  flags.number("min-available", scenario.min_available);
  flags.number("foreign-instances", scenario.foreign_instances);
  flags.number("target-groups", scenario.target_groups);
  flags.number("classic-elbs", scenario.classic_elbs);
  flags.duration("pod-grace", scenario.pod_grace);
  flags.duration("pod-end", scenario.pod_end);
  flags.duration("pod-ready", scenario.pod_ready);
  flags.duration("heartbeat-timeout", scenario.heartbeat_timeout);
  flags.text("region", scenario.region);
  if (resolved.given("aws-rights")) {
    auto rights = sandbox::AccessRights::of_list(resolved.text("aws-rights"));
    if (!rights) return rights.error().within("setting aws-rights");
    scenario.aws_rights = std::move(*rights);
  }
  if (resolved.given("kubernetes-rights")) {
    const auto rights = sandbox::read_rights(resolved.text("kubernetes-rights"));
    if (!rights) return rights.error().within("setting kubernetes-rights");
    scenario.kubernetes_rights = resolved.text("kubernetes-rights");
  }
  if (const std::int64_t seed = resolved.integer("seed"); seed != 0)
    scenario.seed = static_cast<std::uint64_t>(seed);
  return scenario;
}

}  // namespace ferryman::app
