// SPDX-License-Identifier: Apache-2.0
#include "aws/instance_credentials.h"

#include "aws/key_document.h"
#include "net/url.h"

namespace ferryman::aws {

Task<Result<Credentials>> InstanceCredentials::fetch(Deadline deadline) {
  const std::string folder = "iam/security-credentials/";
  auto roles = co_await metadata_.get(folder, deadline);
  const Error none(Fault::not_found, "the instance has no role (no instance profile)");
  if (!roles) {
    const bool asked = roles.error().code == "HTTP 404";
    co_return asked ? none : roles.error();
  }
  const std::string role = roles->substr(0, roles->find_first_of("\r\n"));
  if (role.empty()) co_return none;
  auto document = co_await metadata_.get(folder + net::percent_encode(role), deadline);
  if (!document) co_return document.error();
  auto credentials = parse_key_document(*document, true);
  if (!credentials)
    co_return credentials.error().within("reading the keys of the role " + role.substr(0, 64));
  co_return credentials;
}

}  // namespace ferryman::aws
