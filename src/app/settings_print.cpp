// SPDX-License-Identifier: Apache-2.0
#include "app/settings_print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "app/pretty_json.h"
#include "app/setting_value.h"
#include "base/json.h"

namespace ferryman::app {

namespace {

constexpr std::size_t help_width = 96;
constexpr std::string_view help_indent = "        ";

std::string wrapped(std::string_view text) {
  std::string out;
  std::size_t column = 0;
  for (const std::string_view word : words(text)) {
    if (column == 0 || column + 1 + word.size() > help_width) {
      out += out.empty() ? "" : "\n";
      out += help_indent;
      column = help_indent.size();
    } else {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out + "\n";
}

std::string environment_of(const SettingRow& row) {
  std::string out(row.environment);
  for (const std::string_view name : words(row.shared_environment)) out += fmt::format(", {}", name);
  return out;
}

// "|" ends a cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '*') out += '\\';
    out += c;
  }
  return out;
}

std::string code(std::string_view text) {
  return text.empty() ? std::string() : fmt::format("`{}`", text);
}

std::string markdown_rows(SettingsTable table) {
  const bool full = !table.front().environment.empty();
  std::string out;
  std::string_view group;
  for (const SettingRow& row : table) {
    if (row.group != group) {
      group = row.group;
      out +=
          full ? fmt::format(
                     "\n### {}\n\n| flag | variable | YAML key | value | default | meaning |\n"
                     "| --- | --- | --- | --- | --- | --- |\n",
                     group)
               : fmt::format("\n### {}\n\n| flag | value | default | meaning |\n| --- | --- | --- | --- |\n",
                             group);
    }
    const std::string from =
        full ? fmt::format(" {} | {} |",
                           fmt::join(
                               [&] {
                                 std::vector<std::string> names{code(row.environment)};
                                 for (const std::string_view name : words(row.shared_environment))
                                   names.push_back(code(name));
                                 return names;
                               }(),
                               ", "),
                           code(row.yaml))
             : std::string();
    out += fmt::format("| `--{}` |{} {} | {} | {} |\n", row.name, from, cell(type_text(row)),
                       code(row.default_text), cell(row.help));
  }
  return out;
}

json::value schema_default(const SettingRow& row) {
  if (row.type == SettingType::integer) return std::get<std::int64_t>(*parse_setting(row, row.default_text));
  if (row.type == SettingType::boolean) return row.default_text == "true";
  return json::value(row.default_text);
}

json::value schema_type(const SettingRow& row) {
  switch (row.type) {
    case SettingType::boolean:
      return "boolean";
    case SettingType::integer:
      return "integer";
    case SettingType::duration:
      return json::array{"string", "number"};
    case SettingType::list:
      return json::array{"string", "array"};
    case SettingType::address:
    case SettingType::text:
    case SettingType::choice:
      return "string";
  }
  return "string";
}

json::object schema_of(const SettingRow& row) {
  json::object out{{"description", row.help}, {"type", schema_type(row)}};
  if (!row.default_text.empty()) out["default"] = schema_default(row);
  if (row.type == SettingType::choice) {
    json::array choices;
    for (const std::string_view choice : words(row.choices)) choices.emplace_back(choice);
    out["enum"] = std::move(choices);
  }
  if (row.type == SettingType::integer && row.least != row.most) {
    out["minimum"] = row.least;
    out["maximum"] = row.most;
  }
  if (row.type == SettingType::list) out["items"] = json::object{{"type", "string"}};
  return out;
}

std::string yaml_scalar(const SettingRow& row) {
  const bool plain = row.type == SettingType::integer || row.type == SettingType::boolean;
  return plain ? std::string(row.default_text) : fmt::format("\"{}\"", row.default_text);
}

// Rows of one section, in the order of their first appearance.
std::vector<std::pair<std::string_view, std::vector<const SettingRow*>>> sections(SettingsTable table) {
  std::vector<std::pair<std::string_view, std::vector<const SettingRow*>>> out;
  for (const SettingRow& row : table) {
    if (row.yaml.empty()) continue;
    const std::string_view name = row.yaml.substr(0, row.yaml.find('.'));
    auto section = std::find_if(out.begin(), out.end(), [&](const auto& s) { return s.first == name; });
    if (section == out.end()) section = out.insert(out.end(), {name, {}});
    section->second.push_back(&row);
  }
  return out;
}

std::string_view key_of(const SettingRow& row) {
  return row.yaml.substr(row.yaml.find('.') + 1);
}

}  // namespace

std::string type_text(const SettingRow& row) {
  const bool bounded = row.least != row.most;
  switch (row.type) {
    case SettingType::choice:
      return fmt::format("one of {}", fmt::join(words(row.choices), ", "));
    case SettingType::integer:
      return bounded ? fmt::format("integer, {} to {}{}", row.least, row.most, row.unit) : "integer";
    case SettingType::duration:
      return bounded ? fmt::format("duration, {} to {}", format_duration(std::chrono::seconds{row.least}),
                                   format_duration(std::chrono::seconds{row.most}))
                     : "duration";
    case SettingType::list:
      return row.nothing.empty() ? "list" : fmt::format("list, or {}", row.nothing);
    default:
      return std::string(name_of(row.type));
  }
}

std::string help_of(SettingsTable table) {
  std::string out;
  std::string_view group;
  for (const SettingRow& row : table) {
    if (row.group != group) {
      group = row.group;
      out += fmt::format("\n{}:\n", group);
    }
    out += fmt::format("  --{} ({}{})\n{}", row.name, type_text(row),
                       row.default_text.empty() ? "" : fmt::format("; default {}", row.default_text),
                       wrapped(row.help));
    if (!row.environment.empty()) out += fmt::format("{}[{}]\n", help_indent, environment_of(row));
  }
  return out;
}

std::string settings_markdown() {
  return fmt::format(
      "<!-- Printed by \"ferryman settings\"; a test compares. Edit src/app/settings_rows instead. -->\n"
      "# Settings\n\n"
      "A flag wins over a variable, a variable over the YAML file (`--config`), and that over the default. "
      "`-flag=value`,\n"
      "`--flag=value` and `--flag value` mean the same; a bare boolean flag is `true`. When a flag is given "
      "again, the last\n"
      "one wins; a list that is given again grows. Durations are written like `90s`, `1h30m` or as plain "
      "seconds, lists with\n"
      "commas (in YAML also as a list). An empty variable counts as not set.\n\n"
      "Settings that cannot work stop the start with exit status 2; all problems are named at once.\n\n"
      "AWS credentials are found as the AWS SDKs find them; the first source that is set up is used, and "
      "named "
      "in the log:\n\n"
      "1. the environment: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`\n"
      "2. web identity (IRSA): `AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN`\n"
      "3. the profile `AWS_PROFILE` (else `default`) in `~/.aws/credentials` and `~/.aws/config`: keys, or a "
      "role with\n"
      "   `source_profile`, `credential_source` or `web_identity_token_file`; not single sign-on, not "
      "`credential_process`\n"
      "4. the container's agent (EKS Pod Identity, ECS): `AWS_CONTAINER_CREDENTIALS_FULL_URI`,\n"
      "   `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI`\n"
      "5. the instance's metadata, unless `AWS_EC2_METADATA_DISABLED` is `true`\n\n"
      "Endpoints follow from the region, in every partition; `AWS_ENDPOINT_URL` and, for one service,\n"
      "`AWS_ENDPOINT_URL_SQS` and its like name others.\n\n"
      "Calls to AWS go through the proxy that `HTTPS_PROXY` names (`http_proxy`, in small letters only, for "
      "plain\n"
      "endpoints; `ALL_PROXY` for both), but for the hosts in `NO_PROXY`. The API server, the instance's "
      "metadata and\n"
      "the container's agent are reached directly.\n\n"
      "## ferryman serve\n{}\n## ferryman explain\n\nAll settings of serve, so that a daemon's can be given "
      "as they "
      "stand (those that say nothing about messages\nare not used; `AWS_REGION` is not read), and:\n{}\n## "
      "ferryman sandbox\n{}\n## ferryman demo\n\nAll flags of the sandbox, "
      "and:\n{}",
      markdown_rows(serve_table()),
      markdown_rows(explain_table().first(explain_table().size() - serve_table().size())),
      markdown_rows(sandbox_table()),
      markdown_rows(demo_table().first(demo_table().size() - sandbox_table().size())));
}

std::string settings_schema() {
  json::object properties;
  for (const auto& [name, rows] : sections(serve_table())) {
    json::object members;
    for (const SettingRow* row : rows) members[key_of(*row)] = schema_of(*row);
    properties[name] = json::object{{"type", json::array{"object", "null"}},
                                    {"additionalProperties", false},
                                    {"properties", std::move(members)}};
  }
  return pretty_json(json::object{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                                  {"title", "Ferryman settings"},
                                  {"type", "object"},
                                  {"additionalProperties", false},
                                  {"properties", std::move(properties)}});
}

std::string settings_chart_values() {
  std::string out =
      "# Printed by \"ferryman settings --format=helm\": every setting of the YAML file with its default.\n";
  for (const auto& [name, rows] : sections(serve_table())) {
    out += fmt::format("{}:\n", name);
    for (const SettingRow* row : rows) {
      out +=
          fmt::format("  # {} ({})\n  {}: {}\n", row->help, type_text(*row), key_of(*row), yaml_scalar(*row));
    }
  }
  return out;
}

}  // namespace ferryman::app
