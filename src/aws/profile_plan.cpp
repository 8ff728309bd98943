// SPDX-License-Identifier: Apache-2.0
#include "aws/profile_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace ferryman::aws {

namespace {

Error wrong(std::string text) {
  return {Fault::invalid, std::move(text)};
}

/// What a person has to type or a program has to be run for.
std::string unsupported(const Profile& profile) {
  constexpr std::array keys = {"sso_session", "sso_start_url", "sso_account_id", "login_session",
                               "credential_process"};
  for (const char* key : keys) {
    if (!profile.get(key).empty()) return key;
  }
  return {};
}

Result<Role> role_of(const Profile& profile) {
  Role role;
  role.arn = profile.get("role_arn");
  role.external_id = profile.get("external_id");
  if (const std::string name = profile.get("role_session_name"); !name.empty()) role.session_name = name;
  if (!profile.get("mfa_serial").empty())
    return wrong("mfa_serial is not supported: nobody is there to type a code; name a role that needs none");
  const std::string duration = profile.get("duration_seconds");
  if (duration.empty()) return role;
  const char* end = duration.data() + duration.size();
  const auto [stop, failure] = std::from_chars(duration.data(), end, role.duration_seconds);
  constexpr int shortest = 900;
  constexpr int longest = 43'200;
  if (failure != std::errc() || stop != end || role.duration_seconds < shortest ||
      role.duration_seconds > longest) {
    return wrong(fmt::format("duration_seconds must be a number from {} to {}", shortest, longest));
  }
  return role;
}

Result<ProfilePlan::Start> start_of(const std::string& credential_source) {
  if (credential_source == "Environment") return ProfilePlan::Start::environment;
  if (credential_source == "EcsContainer") return ProfilePlan::Start::container;
  if (credential_source == "Ec2InstanceMetadata") return ProfilePlan::Start::instance_metadata;
  return wrong(
      fmt::format("credential_source = {}: it must be Environment, EcsContainer or "
                  "Ec2InstanceMetadata",
                  credential_source));
}

class Planner {
 public:
  explicit Planner(const SharedConfig& shared) : shared_(shared) {}

  Result<ProfilePlan> plan(std::string name) {
    for (next_ = std::move(name); !next_.empty();) {
      const std::string current = std::exchange(next_, {});
      const Profile* profile = shared_.find(current);
      if (profile == nullptr) return missing(current);
      // A profile may name itself: then its own keys are the source of its role.
      const bool again = std::ranges::find(seen_, current) != seen_.end();
      if (again && seen_.back() != current)
        return wrong(fmt::format("source_profile = {}: the profiles name each other in a circle", current));
      seen_.push_back(current);
      const bool has_role = !profile->get("role_arn").empty() && !again;
      const Result<void> done = has_role ? follow_role(*profile) : take_keys(*profile);
      if (!done) return done.error().within(fmt::format("profile \"{}\"", current));
    }
    std::ranges::reverse(plan_.roles);
    return std::move(plan_);
  }

 private:
  [[nodiscard]] Error missing(const std::string& name) const {
    if (seen_.empty())
      return {Fault::not_found, fmt::format("there is no profile \"{}\" in {}", name, shared_.places())};
    return wrong(
        fmt::format("profile \"{}\": source_profile = {}: there is no such profile", seen_.back(), name));
  }

  Result<void> follow_role(const Profile& profile) {
    auto role = role_of(profile);
    if (!role) return role.error();
    const std::string source = profile.get("source_profile");
    const std::string credential_source = profile.get("credential_source");
    plan_.token_file = profile.get("web_identity_token_file");
    if (!plan_.token_file.empty()) {
      plan_.start = ProfilePlan::Start::web_identity;
      plan_.web_role = std::move(*role);
      return {};
    }
    if (source.empty() == credential_source.empty()) {
      return wrong(
          fmt::format("role_arn needs one of source_profile, credential_source and "
                      "web_identity_token_file, and {} set",
                      source.empty() ? "none is" : "the first two are"));
    }
    plan_.roles.push_back(std::move(*role));
    next_ = source;
    if (!source.empty()) return {};
    const auto start = start_of(credential_source);
    if (!start) return start.error();
    plan_.start = *start;
    return {};
  }

  Result<void> take_keys(const Profile& profile) {
    const std::string id = profile.get("aws_access_key_id");
    const std::string secret = profile.get("aws_secret_access_key");
    if (id.empty() != secret.empty())
      return wrong(id.empty() ? "aws_access_key_id is missing" : "aws_secret_access_key is missing");
    if (!id.empty()) {
      plan_.keys.access_key_id = id;
      plan_.keys.secret_access_key = Secret(secret);
      plan_.keys.session_token = Secret(profile.get("aws_session_token"));
      return {};
    }
    if (const std::string key = unsupported(profile); !key.empty()) {
      return wrong(
          fmt::format("{} is not supported: a daemon cannot log in; use keys, or role_arn with "
                      "source_profile, credential_source or web_identity_token_file",
                      key));
    }
    return Error(seen_.size() == 1 ? Fault::not_found : Fault::invalid, "it has neither keys nor a role");
  }

  const SharedConfig& shared_;
  std::vector<std::string> seen_;
  std::string next_;
  ProfilePlan plan_;
};

}  // namespace

Result<ProfilePlan> plan_profile(const SharedConfig& shared, const std::string& name) {
  return Planner(shared).plan(name);
}

}  // namespace ferryman::aws
