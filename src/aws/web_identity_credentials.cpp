// SPDX-License-Identifier: Apache-2.0
#include "aws/web_identity_credentials.h"

#include <fmt/format.h>

namespace ferryman::aws {

WebIdentityCredentials::WebIdentityCredentials(Environment environment, Files& files, Sts& sts)
    : environment_(std::move(environment)),
      files_(files),
      sts_(sts),
      name_(fmt::format("web identity ({})", sts.endpoint().url)) {}

Task<Result<Credentials>> WebIdentityCredentials::fetch(Deadline deadline) {
  const std::string path = environment_.get("AWS_WEB_IDENTITY_TOKEN_FILE");
  if (path.empty()) co_return Error(Fault::not_found, "AWS_WEB_IDENTITY_TOKEN_FILE is not set");
  if (environment_.get("AWS_ROLE_ARN").empty()) {  // the other way round it is some program's own business
    co_return Error(
        Fault::invalid,
        "AWS_WEB_IDENTITY_TOKEN_FILE is set, but AWS_ROLE_ARN is not; set both, or unset the file "
        "to use the next source of credentials");
  }
  auto token = files_.read(path);
  if (!token) {
    // Not not_found: who sets these variables means this source, and no other shall take its place.
    co_return Error(Fault::invalid,
                    fmt::format("reading AWS_WEB_IDENTITY_TOKEN_FILE {}: {}", path, token.error().text));
  }
  token->erase(token->find_last_not_of(" \t\r\n") + 1);
  if (token->empty())
    co_return Error(Fault::invalid, fmt::format("AWS_WEB_IDENTITY_TOKEN_FILE {} is empty", path));
  Sts::WebIdentity who;
  who.role_arn = environment_.get("AWS_ROLE_ARN");
  who.session_name = environment_.get("AWS_ROLE_SESSION_NAME");
  if (who.session_name.empty()) who.session_name = "ferryman";
  who.token = Secret(std::move(*token));
  co_return co_await sts_.assume_role_with_web_identity(std::move(who), deadline);
}

}  // namespace ferryman::aws
