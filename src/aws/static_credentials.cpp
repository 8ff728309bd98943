// SPDX-License-Identifier: Apache-2.0
#include "aws/static_credentials.h"

namespace ferryman::aws {

Task<Result<Credentials>> StaticCredentials::fetch(Deadline /*deadline*/) {
  if (credentials_.access_key_id.empty()) co_return Error(Fault::not_found, "no access key is set");
  if (credentials_.secret_access_key.empty())
    co_return Error(Fault::not_found, "no secret access key is set");
  co_return credentials_;
}

}  // namespace ferryman::aws
