// SPDX-License-Identifier: Apache-2.0
#include "aws/shared_config.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferryman::aws {

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

/// A comment behind a value starts with a blank, so that "#" may stand in a value.
std::string_view without_comment(std::string_view value) {
  for (std::size_t i = 1; i < value.size(); ++i) {
    const bool starts = value[i] == '#' || value[i] == ';';
    if (starts && blanks.find(value[i - 1]) != blanks.npos) return trimmed(value.substr(0, i));
  }
  return value;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// Takes line by line; false: the line is no part of such a file.
class IniReader {
 public:
  bool take(std::string_view line) {
    const std::string_view text = trimmed(line);
    if (text.empty() || text.front() == '#' || text.front() == ';') return true;
    if (text.front() == '[') return open_section(text);
    const std::size_t indent = line.find_first_not_of(" \t");
    if (key_seen_ && indent > indent_) return true;  // continues or nests below the last key
    const std::size_t equals = text.find('=');
    if (section_ == nullptr || equals == 0 || equals == text.npos) return false;
    key_seen_ = true;
    indent_ = indent;
    (*section_)[lower(trimmed(text.substr(0, equals)))] =
        std::string(without_comment(trimmed(text.substr(equals + 1))));
    return true;
  }

  IniSections sections;

 private:
  bool open_section(std::string_view text) {
    const std::size_t end = text.find(']');
    if (end == text.npos) return false;
    section_ = &sections[std::string(trimmed(text.substr(1, end - 1)))];
    key_seen_ = false;
    return true;
  }

  std::map<std::string, std::string>* section_ = nullptr;
  bool key_seen_ = false;
  std::size_t indent_ = 0;
};

/// The profile that a section of the config file describes; empty: another kind of section.
std::string profile_of_section(std::string_view section) {
  if (section == "default") return "default";
  constexpr std::string_view word = "profile";
  if (!section.starts_with(word) || section.size() == word.size()) return {};
  if (blanks.find(section[word.size()]) == blanks.npos) return {};
  std::string_view name = trimmed(section.substr(word.size()));
  const bool quoted = name.size() > 1 && name.front() == '"' && name.back() == '"';
  return std::string(quoted ? name.substr(1, name.size() - 2) : name);
}

struct Place {
  std::string path;
  bool chosen = false;
};

Place place_of(const Environment& environment, std::string_view variable, std::string_view file) {
  const std::string home = environment.get("HOME");
  std::string path = environment.get(variable);
  if (path.starts_with("~/") && !home.empty()) path = home + path.substr(1);
  if (!path.empty()) return {std::move(path), true};
  if (home.empty()) return {};
  return {fmt::format("{}/.aws/{}", home, file), false};
}

}  // namespace

Result<IniSections> parse_ini(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  IniReader reader;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!reader.take(text.substr(0, end))) {
      // Not the line itself: it may hold a key.
      return Error(Fault::invalid,
                   fmt::format("line {} is neither a [section] nor a \"key = value\" in one", number));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::move(reader.sections);
}

std::string Profile::get(std::string_view key) const {
  const auto found = settings.find(key);
  return found == settings.end() ? std::string() : found->second;
}

Result<void> SharedConfig::read(const std::string& path, bool chosen, bool is_config, Files& files) {
  if (path.empty()) return {};
  const auto text = files.read(path);
  if (!text) {
    const bool absent = text.error().fault == Fault::not_found;
    if (absent || (text.error().fault == Fault::denied && !chosen)) return {};
    return text.error();
  }
  const auto sections = parse_ini(*text);
  if (!sections) return sections.error().within(fmt::format("reading {}", path));
  for (const auto& [section, settings] : *sections) {
    const std::string name = is_config ? profile_of_section(section) : section;
    if (name.empty()) continue;
    for (const auto& [key, value] : settings) profiles_[name].settings[key] = value;
    profiles_[name];
  }
  return {};
}

Result<SharedConfig> SharedConfig::load(const Environment& environment, Files& files) {
  const Place credentials = place_of(environment, "AWS_SHARED_CREDENTIALS_FILE", "credentials");
  const Place config = place_of(environment, "AWS_CONFIG_FILE", "config");
  SharedConfig shared;
  shared.credentials_path = credentials.path;
  shared.config_path = config.path;
  // The later one wins.
  auto done = shared.read(config.path, config.chosen, true, files);
  if (done) done = shared.read(credentials.path, credentials.chosen, false, files);
  if (!done) return done.error();
  return shared;
}

const Profile* SharedConfig::find(std::string_view name) const {
  const auto found = profiles_.find(name);
  return found == profiles_.end() ? nullptr : &found->second;
}

std::string SharedConfig::places() const {
  if (credentials_path.empty() && config_path.empty()) return "no files (HOME is not set)";
  if (credentials_path.empty() || config_path.empty()) return credentials_path + config_path;
  return fmt::format("{} and {}", credentials_path, config_path);
}

std::string profile_name(const Environment& environment) {
  std::string name = environment.get("AWS_PROFILE");
  if (name.empty()) name = environment.get("AWS_DEFAULT_PROFILE");
  return name.empty() ? "default" : name;
}

bool is_profile_chosen(const Environment& environment) {
  return !environment.get("AWS_PROFILE").empty() || !environment.get("AWS_DEFAULT_PROFILE").empty();
}

Region profile_region(const Environment& environment, Files& files) {
  const auto shared = SharedConfig::load(environment, files);
  const std::string name = profile_name(environment);
  const Profile* profile = shared ? shared->find(name) : nullptr;
  if (profile == nullptr) return {};
  return {profile->get("region"), fmt::format("the profile \"{}\"", name)};
}

}  // namespace ferryman::aws
