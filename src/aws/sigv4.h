// SPDX-License-Identifier: Apache-2.0
// SigV4: how AWS knows who sent a request (AWS, "Signature Version 4 signing process"), over OpenSSL's
// HMAC-SHA256. Pure functions: the signer and whoever checks a signature share them. Paths are encoded twice,
// as all services but S3 want it; the query is signed as sent, so senders must percent-encode it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"
#include "net/http.h"

namespace ferryman::aws {

/// Where a signature is valid: one day, one region, one service.
class SigningScope {
 public:
  SigningScope() = default;
  SigningScope(std::string date_in, std::string region_in, std::string service_in)
      : date(std::move(date_in)), region(std::move(region_in)), service(std::move(service_in)) {}

  /// "20260301/us-west-2/sqs/aws4_request".
  [[nodiscard]] std::string str() const;

  std::string date;     // "20260301"
  std::string region;   // "us-west-2"
  std::string service;  // the signing name: "sqs", "ec2", "autoscaling", "sts"
};

/// The lower-case names of all headers that are signed, sorted: "host" and every header of the request but
/// those that carriers and proxies may change (User-Agent, Connection, Content-Length and their like).
std::vector<std::string> headers_to_sign(const net::HttpRequest& request);

/// The request in the one form that both sides hash. `signed_headers`: lower case and sorted. Without a Host
/// header the URL's authority stands for it. Error: invalid, when the URL is none.
Result<std::string> canonical_request(const net::HttpRequest& request,
                                      const std::vector<std::string>& signed_headers);

/// `amz_date` is the X-Amz-Date header: "20260301T120000Z".
std::string string_to_sign(std::string_view amz_date, const SigningScope& scope, std::string_view canonical);

/// 64 hexadecimal digits.
std::string signature_of(std::string_view to_sign, const SigningScope& scope,
                         const Secret& secret_access_key);

/// The signature that a request should carry: all of the above, with the date of its X-Amz-Date header.
Result<std::string> expected_signature(const net::HttpRequest& request,
                                       const std::vector<std::string>& signed_headers,
                                       const SigningScope& scope, const Secret& secret_access_key);

/// Who signs: credentials and the place they are for.
class Signer {
 public:
  Signer() = default;

  std::string access_key_id;
  Secret secret_access_key;
  Secret session_token;  // empty for long-lived keys
  std::string region;
  std::string service;
};

/// Sets X-Amz-Date, X-Amz-Security-Token and Authorization; call it last, and anew for each attempt.
Result<void> sign(net::HttpRequest& request, const Signer& signer, WallTime now);

/// An Authorization header taken apart.
class Authorization {
 public:
  Authorization() = default;

  std::string access_key_id;
  SigningScope scope;
  std::vector<std::string> signed_headers;
  std::string signature;
};

/// Empty when `header` is not of the form "AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…".
std::optional<Authorization> parse_authorization(std::string_view header);

}  // namespace ferryman::aws
