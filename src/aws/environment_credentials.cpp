// SPDX-License-Identifier: Apache-2.0
#include "aws/environment_credentials.h"

namespace ferryman::aws {

Task<Result<Credentials>> EnvironmentCredentials::fetch(Deadline /*deadline*/) {
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
