// SPDX-License-Identifier: Apache-2.0
// The tables of the commands that are not the daemon: their own rows are flags only, without variables and
// YAML keys.
#include <array>
#include <vector>

#include "app/settings_table.h"

namespace ferryman::app {

namespace {

using enum SettingType;

// The defaults of the group "World" are those of sandbox::Scenario; a test compares.
constexpr std::array sandbox_rows{
    SettingRow{.name = "scenario",
               .group = "World",
               .help = "YAML file that describes the world; flags win over it"},
    SettingRow{.name = "nodes",
               .type = integer,
               .default_text = "12",
               .least = 1,
               .most = 10'000,
               .group = "World",
               .help = "how many nodes the cluster has"},
    SettingRow{.name = "pods-per-node",
               .type = integer,
               .default_text = "10",
               .least = 0,
               .most = 250,
               .group = "World",
               .help = "how many pods run on each node"},
    SettingRow{.name = "min-available",
               .type = integer,
               .default_text = "80",
               .unit = "%",
               .least = 0,
               .most = 100,
               .group = "World",
               .help = "share of each deployment that its disruption budget keeps; 0: no budgets"},
    SettingRow{.name = "pod-grace",
               .type = duration,
               .default_text = "30s",
               .least = 0,
               .most = 86'400,
               .group = "World",
               .help = "grace period of the pods"},
    SettingRow{.name = "pod-end",
               .type = duration,
               .default_text = "3s",
               .least = 0,
               .most = 86'400,
               .group = "World",
               .help = "how long a pod takes to end when it is told to"},
    SettingRow{.name = "pod-ready",
               .type = duration,
               .default_text = "2s",
               .least = 0,
               .most = 3'600,
               .group = "World",
               .help = "how long a new pod takes to become ready"},
    SettingRow{.name = "heartbeat-timeout",
               .type = duration,
               .default_text = "5m",
               .least = 30,
               .most = 7'200,
               .group = "World",
               .help = "heartbeat timeout of the groups' terminating hook"},
    SettingRow{.name = "foreign-instances",
               .type = integer,
               .default_text = "0",
               .least = 0,
               .most = 10'000,
               .group = "World",
               .help = "instances of another cluster whose events come to the same queue"},
    SettingRow{.name = "target-groups",
               .type = integer,
               .default_text = "0",
               .least = 0,
               .most = 3'000,
               .group = "World",
               .help = "target groups of load balancers in which every node is registered"},
    SettingRow{.name = "classic-elbs",
               .type = integer,
               .default_text = "0",
               .least = 0,
               .most = 1'000,
               .group = "World",
               .help = "Classic Load Balancers with which every node is registered"},
    SettingRow{
        .name = "region", .default_text = "us-west-2", .group = "World", .help = "AWS region that is played"},
    SettingRow{
        .name = "aws-rights",
        .group = "World",
        .help = "what AWS' callers may do, such as \"sqs:*, autoscaling:Describe*\"; empty: everything"},
    SettingRow{
        .name = "kubernetes-rights",
        .group = "World",
        .help = "what the kubeconfig's user may do, such as \"nodes:get,list pods/eviction:create\"; empty: "
                "everything"},
    SettingRow{.name = "seed",
               .type = integer,
               .default_text = "0",
               .group = "World",
               .help = "the same seed gives the same names and keys; 0: others each time"},
    SettingRow{.name = "aws-port",
               .type = integer,
               .default_text = "0",
               .least = 0,
               .most = 65'535,
               .group = "Addresses",
               .help = "port of the AWS API on loopback; 0 takes a free one"},
    SettingRow{.name = "kubernetes-port",
               .type = integer,
               .default_text = "0",
               .least = 0,
               .most = 65'535,
               .group = "Addresses",
               .help = "port of the Kubernetes API on loopback; 0 takes a free one"},
    SettingRow{.name = "control-port",
               .type = integer,
               .default_text = "0",
               .least = 0,
               .most = 65'535,
               .group = "Addresses",
               .help = "port of the control API (faults, state) on loopback; 0 takes a free one"},
    SettingRow{.name = "tls",
               .type = boolean,
               .default_text = "false",
               .group = "Addresses",
               .help = "AWS over HTTPS too, under the sandbox's own authority"},
    SettingRow{.name = "dir",
               .group = "Files",
               .help = "folder for kubeconfig and certificates; when it is not given, a temporary one"},
    SettingRow{.name = "env-file",
               .group = "Files",
               .help = "write the shell environment that points any client at the sandbox to this file"},
};

constexpr std::array demo_rows{
    SettingRow{.name = "terminate",
               .type = integer,
               .default_text = "5",
               .least = 1,
               .most = 10'000,
               .group = "Demo",
               .help = "how many nodes end while you watch"},
    SettingRow{.name = "timeout",
               .type = duration,
               .default_text = "10m",
               .least = 1,
               .most = 86'400,
               .group = "Demo",
               .help = "give up when the work is not over by then"},
    SettingRow{.name = "report", .group = "Demo", .help = "write the counts as JSON to this file"},
    SettingRow{.name = "daemon-log", .group = "Demo", .help = "write the daemon's log to this file"},
};

constexpr std::array explain_rows{
    SettingRow{.name = "file",
               .operand = true,
               .group = "Message",
               .help = "file with the body of one message; the flag's name can be left out. Not given, or -: "
                       "standard input"},
    SettingRow{.name = "account",
               .group = "Message",
               .help = "AWS account that is ours; when it is not given, the message's"},
    SettingRow{
        .name = "live",
        .type = boolean,
        .default_text = "false",
        .group = "Message",
        .help =
            "ask Kubernetes and AWS whose the instances are, with serve's settings and rules; reads only"},
    SettingRow{
        .name = "node",
        .group = "Message",
        .help =
            "instead of a message: what a drain of this Node would do with each of its pods, and why; asks "
            "Kubernetes, reads only"},
    SettingRow{.name = "output",
               .type = choice,
               .default_text = "text",
               .choices = "text json",
               .group = "Message",
               .help = "form of the answer; json: one object per event, or pod, each on a line"},
};

constexpr std::array settings_rows{
    SettingRow{
        .name = "format",
        .type = choice,
        .default_text = "markdown",
        .choices = "markdown schema helm",
        .group = "Output",
        .help =
            "markdown: this project's docs/settings.md; schema: JSON Schema of the YAML file; helm: chart "
            "values with the defaults"},
};

constexpr std::array version_rows{
    SettingRow{.name = "output",
               .type = choice,
               .default_text = "text",
               .choices = "text json",
               .group = "Output",
               .help = "form of the answer"},
};

// In a demo nobody wants to watch for two minutes how nothing comes any more.
constexpr std::string_view short_network_service = "20s";

/// The daemon's row as a flag of the demo.
SettingRow for_the_demo(std::string_view name) {
  SettingRow row = *find_setting(serve_table(), name);
  row.environment = row.shared_environment = row.yaml = {};
  row.group = "Daemon";
  if (name == "continued-service-network") row.default_text = short_network_service;
  return row;
}

std::vector<SettingRow> all_demo_rows() {
  std::vector<SettingRow> rows(demo_rows.begin(), demo_rows.end());
  for (const std::string_view name : demo_daemon_settings()) rows.push_back(for_the_demo(name));
  rows.insert(rows.end(), sandbox_rows.begin(), sandbox_rows.end());
  return rows;
}

/// Serve's row as explain takes it. The region that a shell has for other programs says nothing about the
/// message.
SettingRow to_explain(SettingRow row) {
  if (row.name != "region") return row;
  row.shared_environment = {};
  row.help = "AWS region that is ours; when it is not given, the message's";
  return row;
}

std::vector<SettingRow> all_explain_rows() {
  std::vector<SettingRow> rows(explain_rows.begin(), explain_rows.end());
  for (const SettingRow& row : serve_table()) rows.push_back(to_explain(row));
  return rows;
}

}  // namespace

SettingsTable sandbox_table() {
  return sandbox_rows;
}
SettingsTable demo_table() {
  static const std::vector<SettingRow> rows = all_demo_rows();
  return rows;
}
std::span<const std::string_view> demo_daemon_settings() {
  static constexpr std::array<std::string_view, 5> names{"max-termination-time", "delete-phase-at",
                                                         "deadline-margin", "continued-service",
                                                         "continued-service-network"};
  return names;
}
SettingsTable explain_table() {
  static const std::vector<SettingRow> rows = all_explain_rows();
  return rows;
}
SettingsTable settings_command_table() {
  return settings_rows;
}
SettingsTable version_table() {
  return version_rows;
}

}  // namespace ferryman::app
