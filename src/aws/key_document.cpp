// SPDX-License-Identifier: Apache-2.0
#include "aws/key_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json.h"
#include "base/text.h"

namespace ferryman::aws {

namespace {

constexpr std::size_t longest_text = 200;

std::string first_of(const json::value& document, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const std::string_view value = string_at(document, key);
    if (!value.empty()) return shortened(value, longest_text);
  }
  return {};
}

/// Keys travel in headers: a line end would break into the next one.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

}  // namespace

std::string refusal_text(std::string_view body) {
  const auto document = parse_json(body);
  if (document && document->is_object()) {
    const std::string code = first_of(*document, {"Code", "code"});
    const std::string message = first_of(*document, {"Message", "message"});
    return fmt::format("{}{}{}", code, code.empty() || message.empty() ? "" : ": ", message);
  }
  return shortened(to_utf8(body.substr(0, longest_text + 1)), longest_text);
}

Result<Credentials> parse_key_document(std::string_view body, bool temporary) {
  const auto document = parse_json(body);
  if (!document) return Error(Fault::unexpected, fmt::format("the answer is {}", document.error().text));
  if (!document->is_object()) return Error(Fault::unexpected, "the answer is no JSON object");
  const std::string_view code = string_at(*document, "Code");
  if (!code.empty() && code != "Success") return Error(Fault::denied, std::string(code), refusal_text(body));
  Credentials credentials;
  credentials.access_key_id = std::string(string_at(*document, "AccessKeyId"));
  credentials.secret_access_key = Secret(std::string(string_at(*document, "SecretAccessKey")));
  credentials.session_token = Secret(std::string(string_at(*document, "Token")));
  const std::string_view expiration = string_at(*document, "Expiration");
  credentials.expires = parse_rfc3339(expiration);
  const auto lacks = [](std::string_view what) {
    return Error(Fault::unexpected, fmt::format("the answer has no {}", what));
  };
  if (credentials.access_key_id.empty()) return lacks("AccessKeyId");
  if (credentials.secret_access_key.empty()) return lacks("SecretAccessKey");
  if (temporary && credentials.session_token.empty()) return lacks("Token");
  if (!credentials.expires && (temporary || !expiration.empty())) return lacks("time Expiration");
  if (!is_plain(credentials.access_key_id) || !is_plain(credentials.session_token.reveal()))
    return Error(Fault::unexpected, "the answer's keys hold blanks or other signs that keys never have");
  return credentials;
}

}  // namespace ferryman::aws
