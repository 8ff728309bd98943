// SPDX-License-Identifier: Apache-2.0
#include "aws/environment_credentials.h"

namespace ferryman::aws {

std::string half_given_keys(const Environment& environment) {
  const std::string id = "AWS_ACCESS_KEY_ID";
  const std::string secret = "AWS_SECRET_ACCESS_KEY";
  const bool has_id = !environment.get(id).empty();
  if (has_id == !environment.get(secret).empty()) return {};
  const std::string& given = has_id ? id : secret;
  return given + " is set, but " + (has_id ? secret : id) + " is not; set both, or unset " + given +
         " to use the next source of credentials";
}

Task<Result<Credentials>> EnvironmentCredentials::fetch(Deadline /*deadline*/) {
  if (std::string half = half_given_keys(environment_); !half.empty())
    co_return Error(Fault::invalid, std::move(half));
  for (const char* variable : {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}) {
    if (environment_.get(variable).empty()) {
      co_return Error(Fault::not_found, std::string(variable) + " is not set");
    }
  }
  Credentials credentials;
  credentials.access_key_id = environment_.get("AWS_ACCESS_KEY_ID");
  credentials.secret_access_key = Secret(environment_.get("AWS_SECRET_ACCESS_KEY"));
  credentials.session_token = Secret(environment_.get("AWS_SESSION_TOKEN"));
  co_return credentials;
}

}  // namespace ferryman::aws
