// SPDX-License-Identifier: Apache-2.0
// SharedConfig: the files ~/.aws/credentials and ~/.aws/config that all AWS tools share (format: "Shared
// config and credentials files" in the AWS SDKs and Tools Reference Guide). Where both name a setting,
// credentials wins.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "aws/region.h"
#include "base/environment.h"
#include "base/files.h"

namespace ferryman::aws {

/// One file as it stands: section, key (in small letters), value.
using IniSections = std::map<std::string, std::map<std::string, std::string>, std::less<>>;

/// Nested settings (indented below a key) are passed over: none of them is ours. Error: invalid, with the
/// line that is neither a section nor "key = value".
Result<IniSections> parse_ini(std::string_view text);

class Profile {
 public:
  Profile() = default;

  /// Empty when it is not there.
  [[nodiscard]] std::string get(std::string_view key) const;

  std::map<std::string, std::string, std::less<>> settings;
};

class SharedConfig {
 public:
  SharedConfig() = default;

  /// Paths from AWS_SHARED_CREDENTIALS_FILE and AWS_CONFIG_FILE, else below $HOME/.aws. A missing file is
  /// empty; so is one at its usual place that we may not read (another user's home). Errors: invalid, denied.
  static Result<SharedConfig> load(const Environment& environment, Files& files);

  /// Null when neither file has it.
  [[nodiscard]] const Profile* find(std::string_view name) const;
  /// "/home/a/.aws/credentials and /home/a/.aws/config", for texts.
  [[nodiscard]] std::string places() const;

  std::string credentials_path;  // empty: no variable names one, and there is no HOME
  std::string config_path;

 private:
  Result<void> read(const std::string& path, bool chosen, bool is_config, Files& files);

  std::map<std::string, Profile, std::less<>> profiles_;
};

/// AWS_PROFILE, else AWS_DEFAULT_PROFILE, else "default".
std::string profile_name(const Environment& environment);

/// True when a variable names the profile: then it must be there.
bool is_profile_chosen(const Environment& environment);

/// The profile's region; without a name when it has none, or the files cannot be read (the credentials tell).
Region profile_region(const Environment& environment, Files& files);

}  // namespace ferryman::aws
