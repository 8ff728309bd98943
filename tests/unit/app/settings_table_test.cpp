// SPDX-License-Identifier: Apache-2.0
#include "app/settings_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "app/setting_value.h"
#include "app/settings.h"
#include "app/settings_file.h"
#include "app/settings_print.h"
#include "base/json.h"

namespace ferryman::app {
namespace {

const auto tables = {serve_table(), explain_table(),          sandbox_table(),
                     demo_table(),  settings_command_table(), version_table()};

TEST(SettingsTable, NamesVariablesAndPathsAreUnique) {
  for (const SettingsTable table : tables) {
    std::set<std::string_view> names;
    std::set<std::string_view> variables;
    std::set<std::string_view> paths;
    for (const SettingRow& row : table) {
      EXPECT_TRUE(names.insert(row.name).second) << row.name;
      if (!row.environment.empty()) EXPECT_TRUE(variables.insert(row.environment).second) << row.environment;
      for (const std::string_view name : words(row.shared_environment)) {
        EXPECT_TRUE(variables.insert(name).second) << name;
      }
      if (!row.yaml.empty()) EXPECT_TRUE(paths.insert(row.yaml).second) << row.yaml;
    }
  }
}

TEST(SettingsTable, VariablesFollowTheFlagAndAvoidThoseThatKubernetesSets) {
  for (const SettingRow& row : serve_table()) {
    std::string expected = "FERRYMAN_";
    for (const char c : row.name) expected += c == '-' ? '_' : static_cast<char>(std::toupper(c));
    EXPECT_EQ(row.environment, expected);
    EXPECT_FALSE(row.environment.starts_with("FERRYMAN_PORT"));
    EXPECT_FALSE(row.environment.starts_with("FERRYMAN_SERVICE"));
  }
}

TEST(SettingsTable, EveryRowHasHelpAndGroupAndADefaultThatParses) {
  for (const SettingsTable table : tables) {
    for (const SettingRow& row : table) {
      EXPECT_FALSE(row.help.empty()) << row.name;
      EXPECT_FALSE(row.group.empty()) << row.name;
      EXPECT_TRUE(parse_setting(row, row.default_text)) << row.name;
    }
  }
}

TEST(SettingsTable, GroupsStandTogether) {
  for (const SettingsTable table : tables) {
    std::set<std::string_view> closed;
    std::string_view group;
    for (const SettingRow& row : table) {
      if (row.group == group) continue;
      EXPECT_TRUE(closed.insert(row.group).second) << row.name;
      group = row.group;
    }
  }
}

TEST(SettingsTable, ASectionOfTheFileIsNoSettingItself) {
  for (const SettingRow& a : serve_table()) {
    for (const SettingRow& b : serve_table()) {
      EXPECT_FALSE(!a.yaml.empty() && b.yaml.starts_with(std::string(a.yaml) + "."))
          << a.yaml << " " << b.yaml;
    }
  }
}

TEST(SettingsTable, DefaultsOfThePolicyAreTheProductsOwn) {
  const termination::Policy own;
  const termination::Policy ours = Settings().policy;
  EXPECT_EQ(ours.max_termination_time, own.max_termination_time);
  EXPECT_EQ(ours.margin, own.margin);
  EXPECT_EQ(ours.receives_at_once, own.receives_at_once);
  EXPECT_EQ(ours.call_timeout, own.call_timeout);
  EXPECT_EQ(ours.deregister, own.deregister);
  EXPECT_EQ(ours.continued_service, own.continued_service);
  EXPECT_EQ(ours.continued_service_network, own.continued_service_network);
  EXPECT_EQ(ours.visibility, own.visibility);
  EXPECT_EQ(ours.unparsable_after, own.unparsable_after);
  EXPECT_EQ(ours.unparsable, own.unparsable);
  EXPECT_EQ(ours.allow_redrive, own.allow_redrive);
}

TEST(SettingsTable, DefaultsForEventsAreTheProductsOwn) {
  const termination::Policy own;
  const termination::Policy ours = Settings().policy;
  EXPECT_EQ(ours.actions_by_kind, own.actions_by_kind);
  EXPECT_EQ(ours.complete_launches, own.complete_launches);
  EXPECT_EQ(ours.launch_at_limit, own.launch_at_limit);
  EXPECT_EQ(ours.missing_node_limit, own.missing_node_limit);
  EXPECT_EQ(ours.missing_node_at_limit, own.missing_node_at_limit);
  EXPECT_EQ(ours.voluntary_share, own.voluntary_share);
  EXPECT_EQ(ours.voluntary_min_age, own.voluntary_min_age);
  EXPECT_EQ(ours.voluntary_undo_after, own.voluntary_undo_after);
  EXPECT_EQ(ours.instance_status_period, own.instance_status_period);
  EXPECT_EQ(ours.shadow, own.shadow);
  EXPECT_EQ(ours.pause_name, own.pause_name);
  EXPECT_EQ(Settings().problems, std::vector<std::string>{});
}

TEST(SettingsTable, DefaultsForDrainsAreTheProductsOwn) {
  const termination::DrainPolicy own;
  const termination::DrainPolicy ours = Settings().policy.drain;
  EXPECT_EQ(ours.ignore_daemonsets, own.ignore_daemonsets);
  EXPECT_EQ(ours.delete_emptydir_data, own.delete_emptydir_data);
  EXPECT_EQ(ours.force, own.force);
  EXPECT_EQ(ours.pod_selector, own.pod_selector);
  EXPECT_EQ(ours.daemonset_pods, own.daemonset_pods);
  EXPECT_EQ(ours.protected_pods, own.protected_pods);
  EXPECT_EQ(ours.heed_waits, own.heed_waits);
  EXPECT_EQ(ours.skip_wait_for_delete, own.skip_wait_for_delete);
  EXPECT_EQ(ours.grace_period, own.grace_period);
  EXPECT_EQ(ours.disable_eviction, own.disable_eviction);
  EXPECT_EQ(ours.delete_unready_after, own.delete_unready_after);
  EXPECT_EQ(ours.wave_label, own.wave_label);
  EXPECT_EQ(ours.wave_priorities, own.wave_priorities);
  EXPECT_DOUBLE_EQ(ours.delete_phase_at, own.delete_phase_at);
  EXPECT_DOUBLE_EQ(ours.force_phase_at, own.force_phase_at);
  EXPECT_EQ(ours.force_grace_zero, own.force_grace_zero);
  EXPECT_EQ(ours.volume_wait, own.volume_wait);
  EXPECT_EQ(ours.no_execute_after, own.no_execute_after);
  EXPECT_EQ(ours.out_of_service, own.out_of_service);
  EXPECT_EQ(ours.delete_node, own.delete_node);
  EXPECT_EQ(ours.undo_failed, own.undo_failed);
}

TEST(SettingsDocs, MatchTheTable) {
  std::ifstream file(FERRYMAN_SOURCE_DIR "/docs/settings.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str(), settings_markdown()) << "run: ferryman settings > docs/settings.md";
}

TEST(SettingsSchema, IsJsonAndHasEveryKey) {
  const auto schema = parse_json(settings_schema());
  ASSERT_TRUE(schema);
  for (const SettingRow& row : serve_table()) {
    if (row.yaml.empty()) continue;
    const auto dot = row.yaml.find('.');
    const json::value* section = find(find(*schema, "properties"), row.yaml.substr(0, dot));
    EXPECT_FALSE(
        string_at(find(find(section, "properties"), row.yaml.substr(dot + 1)), "description").empty());
  }
}

TEST(SettingsChartValues, AreAFileThatSetsEveryDefault) {
  const SettingsFile file = parse_settings_file(serve_table(), "values.yaml", settings_chart_values());
  EXPECT_EQ(file.problems, std::vector<std::string>{});
  for (const FileSetting& setting : file.settings) EXPECT_EQ(setting.text, setting.row->default_text);
  const auto in_file = std::count_if(serve_table().begin(), serve_table().end(),
                                     [](const SettingRow& row) { return !row.yaml.empty(); });
  EXPECT_EQ(file.settings.size(), static_cast<std::size_t>(in_file));
}

}  // namespace
}  // namespace ferryman::app
