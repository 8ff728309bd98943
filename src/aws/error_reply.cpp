// SPDX-License-Identifier: Apache-2.0
#include "aws/error_reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "aws/xml.h"
#include "base/json.h"

namespace ferryman::aws {

namespace {

constexpr std::array<std::string_view, 13> throttling_codes = {
    "Throttling",        "ThrottlingException",       "ThrottledException",       "RequestLimitExceeded",
    "RequestThrottled",  "RequestThrottledException", "TooManyRequestsException", "TooManyRequests",
    "SlowDown",          "PriorRequestNotComplete",   "EC2ThrottledException",    "KmsThrottled",
    "DependencyThrottle"};

constexpr std::array<std::string_view, 30> denied_codes = {"AccessDenied",
                                                           "AccessDeniedException",
                                                           "AuthFailure",
                                                           "AuthorizationError",
                                                           "Blocked",
                                                           "ExpiredToken",
                                                           "ExpiredTokenException",
                                                           "IDPRejectedClaim",
                                                           "IncompleteSignature",
                                                           "IncompleteSignatureException",
                                                           "InvalidAccessKeyId",
                                                           "InvalidClientTokenId",
                                                           "InvalidIdentityToken",
                                                           "InvalidSecurity",
                                                           "InvalidSecurityToken",
                                                           "InvalidSignatureException",
                                                           "KmsAccessDenied",
                                                           "KmsOptInRequired",
                                                           "MissingAuthenticationToken",
                                                           "MissingAuthenticationTokenException",
                                                           "NotAuthorized",
                                                           "OptInRequired",
                                                           "PendingVerification",
                                                           "RequestExpired",
                                                           "RequestInTheFuture",
                                                           "RequestTimeTooSkewed",
                                                           "SignatureDoesNotMatch",
                                                           "TokenRefreshRequired",
                                                           "UnauthorizedOperation",
                                                           "UnrecognizedClientException"};

constexpr std::array<std::string_view, 7> clock_codes = {
    "AuthFailure",          "InvalidSignatureException", "RequestExpired",  "RequestInTheFuture",
    "RequestTimeTooSkewed", "SignatureDoesNotMatch",     "SignatureExpired"};

constexpr std::array<std::string_view, 5> missing_endings = {
    "NotFound", "NotFoundException", "NonExistentQueue", "DoesNotExist", "NoSuchEntity"};

bool is_in(std::span<const std::string_view> codes, std::string_view code) {
  return std::ranges::find(codes, code) != codes.end();
}

/// SQS puts a name in front of its own codes, and some proxies in front of all: "AWS.SimpleQueueService.".
std::string_view bare(std::string_view code) {
  constexpr std::string_view prefix = "AWS.SimpleQueueService.";
  return code.starts_with(prefix) ? code.substr(prefix.size()) : code;
}

bool names_something_missing(std::string_view code) {
  return std::ranges::any_of(missing_endings,
                             [&](std::string_view ending) { return code.ends_with(ending); });
}

struct Words {
  std::string code;
  std::string message;
};

Words words_of_xml(std::string_view body) {
  const auto document = XmlDocument::parse(body);
  if (!document) return {};
  const XmlElement root = document->root();
  // <ErrorResponse><Error>, EC2's <Response><Errors><Error>, and a bare <Error>.
  for (const XmlElement& error : {root.at("Error"), root.at("Errors/Error")}) {
    if (error.exists()) return {error.text("Code"), error.text("Message")};
  }
  if (root.name() == "Error") return {root.text("Code"), root.text("Message")};
  return {};
}

Words words_of_json(std::string_view body) {
  const auto document = parse_json(body);
  if (!document) return {};
  std::string_view type = string_at(*document, "__type");
  type.remove_prefix(type.find('#') == std::string_view::npos ? 0 : type.find('#') + 1);
  std::string_view message = string_at(*document, "message");
  if (message.empty()) message = string_at(*document, "Message");
  return {std::string(type), std::string(message)};
}

Words words_of(const net::HttpResponse& response) {
  const std::string_view body = response.body;
  const std::size_t start = std::min(body.find_first_not_of(" \t\r\n"), body.size());
  Words words;
  if (body.substr(start).starts_with('<')) words = words_of_xml(body);
  if (body.substr(start).starts_with('{')) words = words_of_json(body);
  // "AWS.SimpleQueueService.NonExistentQueue;Sender": the code that clients of the query protocol know.
  std::string_view query_error = response.headers.get("x-amzn-query-error");
  query_error = query_error.substr(0, query_error.find(';'));
  if (!query_error.empty()) words.code = std::string(query_error);
  if (words.code.empty()) {
    const std::string_view type = response.headers.get("x-amzn-errortype");
    words.code = std::string(type.substr(0, type.find(':')));
  }
  return words;
}

}  // namespace

Fault fault_of(std::string_view code, int status) {
  code = bare(code);
  if (is_in(throttling_codes, code) || status == 429) return Fault::throttled;
  if (is_in(denied_codes, code) || status == 401 || status == 403) return Fault::denied;
  // The identity provider did not answer STS; asking again may help although the status is 400.
  if (code == "IDPCommunicationError") return Fault::unexpected;
  if (status < 400 || status >= 500 || code.empty()) return Fault::unexpected;
  return names_something_missing(code) ? Fault::not_found : Fault::invalid;
}

Error error_of(const net::HttpResponse& response) {
  Words words = words_of(response);
  std::string text = words.code.empty() ? fmt::format("HTTP {}", response.status) : words.code;
  if (!words.message.empty()) text += ": " + words.message;
  if (words.code.empty() && words.message.empty()) text += " without an error that we understand";
  const bool overloaded = response.status == 503 && words.code.empty() && response.body.empty();
  const Fault fault = overloaded ? Fault::throttled : fault_of(words.code, response.status);
  Error error(fault, std::string(bare(words.code)), std::move(text));
  error.retry_after = std::chrono::milliseconds{net::retry_after_millis(response.headers)};
  return error;
}

bool is_expired_token(std::string_view code) {
  return code == "ExpiredToken" || code == "ExpiredTokenException" || code == "TokenRefreshRequired";
}

bool may_be_clock_skew(std::string_view code) {
  return is_in(clock_codes, code);
}

}  // namespace ferryman::aws
