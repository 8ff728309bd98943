// SPDX-License-Identifier: Apache-2.0
#include "aws/sts.h"

#include <fmt/format.h>

#include "aws/xml.h"
#include "net/url.h"

namespace ferryman::aws {

namespace {

/// For the client of one call.
class GivenCredentials final : public CredentialProvider {
 public:
  explicit GivenCredentials(Credentials credentials) : credentials_(std::move(credentials)) {}

  Task<Result<Credentials>> get(Deadline /*deadline*/) override { co_return credentials_; }
  void expired(const Credentials& /*used*/) override {}

 private:
  Credentials credentials_;
};

}  // namespace

Result<Credentials> parse_role_answer(std::string_view operation, std::string_view body) {
  const auto document = XmlDocument::parse(body);
  if (!document) return document.error();
  const auto root = document->root(fmt::format("{}Response", operation));
  if (!root) return root.error();
  const XmlElement keys = root->at(fmt::format("{}Result/Credentials", operation));
  if (!keys.exists()) return Error(Fault::unexpected, "the answer has no Credentials");
  const auto id = keys.required("AccessKeyId");
  if (!id) return id.error();
  const auto secret = keys.required("SecretAccessKey");
  if (!secret) return secret.error();
  const auto token = keys.required("SessionToken");
  if (!token) return token.error();
  Credentials credentials;
  credentials.access_key_id = *id;
  credentials.secret_access_key = Secret(*secret);
  credentials.session_token = Secret(*token);
  credentials.expires = parse_rfc3339(keys.text("Expiration"));
  if (!credentials.expires)
    return Error(Fault::unexpected, "the answer's <Credentials> has no time Expiration");
  return credentials;
}

Task<Result<Credentials>> Sts::assume_role_with_web_identity(WebIdentity who, Deadline deadline) {
  const net::QueryParameters parameters = {{"RoleArn", who.role_arn},
                                           {"RoleSessionName", who.session_name},
                                           {"WebIdentityToken", who.token.reveal()}};
  Call call;
  call.operation = "AssumeRoleWithWebIdentity";
  call.body = net::format_query(parameters);
  call.secret = who.token;
  FERRYMAN_TRY(body, co_await client_.send(call, deadline));
  auto credentials = parse_role_answer(call.operation, body);
  if (!credentials) co_return client_.misread(call, credentials.error());
  co_return credentials;
}

Task<Result<Credentials>> Sts::assume_role(Role role, Credentials with, Deadline deadline) {
  net::QueryParameters parameters = {{"RoleArn", role.arn}, {"RoleSessionName", role.session_name}};
  if (role.duration_seconds != 0)
    parameters.emplace_back("DurationSeconds", std::to_string(role.duration_seconds));
  if (!role.external_id.empty()) parameters.emplace_back("ExternalId", role.external_id);
  Call call;
  call.operation = "AssumeRole";
  call.body = net::format_query(parameters);
  GivenCredentials given(std::move(with));
  ServiceClient client(client_.context(), client_.endpoint(), &given);
  FERRYMAN_TRY(body, co_await client.send(call, deadline));
  auto credentials = parse_role_answer(call.operation, body);
  if (!credentials) co_return client_.misread(call, credentials.error());
  co_return credentials;
}

}  // namespace ferryman::aws
