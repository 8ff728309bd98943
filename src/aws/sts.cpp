// SPDX-License-Identifier: Apache-2.0
#include "aws/sts.h"

#include "aws/xml.h"
#include "net/url.h"

namespace ferryman::aws {

Result<Credentials> parse_web_identity_answer(std::string_view body) {
  const auto document = XmlDocument::parse(body);
  if (!document) return document.error();
  const auto root = document->root("AssumeRoleWithWebIdentityResponse");
  if (!root) return root.error();
  const XmlElement keys = root->at("AssumeRoleWithWebIdentityResult/Credentials");
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
  auto credentials = parse_web_identity_answer(body);
  if (!credentials) co_return client_.misread(call, credentials.error());
  co_return credentials;
}

}  // namespace ferryman::aws
