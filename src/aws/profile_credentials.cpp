// SPDX-License-Identifier: Apache-2.0
#include "aws/profile_credentials.h"

#include <fmt/format.h>

namespace ferryman::aws {

namespace {

/// The profile says that these keys are to be used: that they are not there is a failure, no absence.
Task<Result<Credentials>> demanded(CredentialSource& source, Deadline deadline) {
  auto credentials = co_await source.fetch(deadline);
  if (credentials || credentials.error().fault != Fault::not_found) co_return credentials;
  Error error = credentials.error().within(fmt::format("credential_source names {}", source.name()));
  error.fault = Fault::invalid;
  co_return error;
}

}  // namespace

ProfileCredentials::ProfileCredentials(Environment environment, Files& files, Sts& sts, OtherSources others)
    : environment_(std::move(environment)),
      files_(files),
      sts_(sts),
      others_(others),
      profile_(profile_name(environment_)),
      name_(fmt::format("profile \"{}\"", profile_)) {}

Result<ProfilePlan> ProfileCredentials::plan() const {
  const auto shared = SharedConfig::load(environment_, files_);
  if (!shared) return Error(Fault::invalid, shared.error().text);
  auto plan = plan_profile(*shared, profile_);
  if (!plan && plan.error().fault == Fault::not_found && is_profile_chosen(environment_))
    return Error(Fault::invalid, plan.error().text + ", but AWS_PROFILE names it");
  return plan;
}

Task<Result<Credentials>> ProfileCredentials::web_identity(const ProfilePlan& plan, Deadline deadline) {
  auto token = files_.read(plan.token_file);
  if (!token) {
    co_return Error(Fault::invalid, fmt::format("reading web_identity_token_file {}: {}", plan.token_file,
                                                token.error().text));
  }
  token->erase(token->find_last_not_of(" \t\r\n") + 1);
  Sts::WebIdentity who;
  who.role_arn = plan.web_role.arn;
  who.session_name = plan.web_role.session_name;
  who.token = Secret(std::move(*token));
  co_return co_await sts_.assume_role_with_web_identity(std::move(who), deadline);
}

Task<Result<Credentials>> ProfileCredentials::first_keys(const ProfilePlan& plan, Deadline deadline) {
  switch (plan.start) {
    case ProfilePlan::Start::keys:
      co_return plan.keys;
    case ProfilePlan::Start::web_identity:
      co_return co_await web_identity(plan, deadline);
    case ProfilePlan::Start::environment:
      co_return co_await demanded(others_.environment, deadline);
    case ProfilePlan::Start::container:
      co_return co_await demanded(others_.container, deadline);
    case ProfilePlan::Start::instance_metadata:
      co_return co_await demanded(others_.instance_metadata, deadline);
  }
  co_return Error(Fault::unexpected, "no such start");
}

Task<Result<Credentials>> ProfileCredentials::fetch(Deadline deadline) {
  FERRYMAN_TRY(way, plan());
  auto credentials = co_await first_keys(way, deadline);
  for (const Role& role : way.roles) {
    if (!credentials) break;
    credentials = co_await sts_.assume_role(role, *credentials, deadline);
  }
  co_return credentials;
}

}  // namespace ferryman::aws
