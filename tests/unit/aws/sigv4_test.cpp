// SPDX-License-Identifier: Apache-2.0
#include "aws/sigv4.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/json.h"

namespace ferryman::aws {
namespace {

/// Thirty requests signed by another signer: what each step must give.
const json::array& vectors() {
  static const json::value all = [] {
    std::stringstream text;
    text << std::ifstream(FERRYMAN_SIGV4_VECTORS).rdbuf();
    auto parsed = parse_json(text.str());
    return parsed ? *parsed : json::value(json::array());
  }();
  return all.get_array();
}

net::HttpRequest request_of(const json::value& vector) {
  net::HttpRequest request(std::string(string_at(vector, "method")), std::string(string_at(vector, "url")));
  request.body = string_at(vector, "body");
  for (const json::value& header : *array_at(&vector, "headers")) {
    const json::array& pair = header.get_array();
    request.headers.add(pair[0].get_string().c_str(), pair[1].get_string().c_str());
  }
  return request;
}

SigningScope scope_of(const json::value& vector) {
  return {"20260101", std::string(string_at(vector, "region")), std::string(string_at(vector, "service"))};
}

TEST(SigV4, ThereAreThirtyVectors) {
  EXPECT_EQ(vectors().size(), 30U);
}

TEST(SigV4, EveryStepOfEveryVectorMatches) {
  for (const json::value& vector : vectors()) {
    SCOPED_TRACE(string_at(vector, "name"));
    const net::HttpRequest request = request_of(vector);
    const auto names = headers_to_sign(request);
    const auto canonical = canonical_request(request, names);
    ASSERT_TRUE(canonical.ok()) << canonical.error().text;
    EXPECT_EQ(*canonical, string_at(vector, "canonical_request"));
    const std::string to_sign = string_to_sign("20260101T000000Z", scope_of(vector), *canonical);
    EXPECT_EQ(to_sign, string_at(vector, "string_to_sign"));
    const Secret secret{std::string(string_at(vector, "secret_key"))};
    EXPECT_EQ(signature_of(to_sign, scope_of(vector), secret), string_at(vector, "signature"));
    const auto expected = expected_signature(request, names, scope_of(vector), secret);
    ASSERT_TRUE(expected.ok());
    EXPECT_EQ(*expected, string_at(vector, "signature"));
  }
}

TEST(SigV4, SignWritesWhatTheVectorsSay) {
  for (const json::value& vector : vectors()) {
    SCOPED_TRACE(string_at(vector, "name"));
    net::HttpRequest request = request_of(vector);
    Signer signer;
    signer.access_key_id = string_at(vector, "access_key");
    signer.secret_access_key = Secret{std::string(string_at(vector, "secret_key"))};
    signer.session_token = Secret{std::string(string_at(vector, "token"))};
    signer.region = string_at(vector, "region");
    signer.service = string_at(vector, "service");
    ASSERT_TRUE(sign(request, signer, *parse_rfc3339("2026-01-01T00:00:00Z")).ok());
    const std::string wanted = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/" + scope_of(vector).str() +
                               ", SignedHeaders=" + std::string(string_at(vector, "signed_headers")) +
                               ", Signature=" + std::string(string_at(vector, "signature"));
    EXPECT_EQ(request.headers.get("Authorization"), wanted);
  }
}

Signer some_signer() {
  Signer signer;
  signer.access_key_id = "AKID";
  signer.secret_access_key = Secret("secret");
  signer.region = "eu-west-1";
  signer.service = "sqs";
  return signer;
}

TEST(SigV4, ASignedRequestVerifiesFromItsOwnHeader) {
  net::HttpRequest request("POST", "http://127.0.0.1:4566/");
  request.headers.add("Content-Type", "application/x-amz-json-1.0");
  request.body = "{}";
  ASSERT_TRUE(sign(request, some_signer(), *parse_rfc3339("2026-03-01T12:00:00Z")).ok());
  // A carrier adds headers of its own and writes Host itself.
  request.headers.add("Host", "127.0.0.1:4566");
  request.headers.add("User-Agent", "someone");
  const auto seen = parse_authorization(request.headers.get("Authorization"));
  ASSERT_TRUE(seen.has_value());
  EXPECT_EQ(seen->access_key_id, "AKID");
  EXPECT_EQ(seen->scope.str(), "20260301/eu-west-1/sqs/aws4_request");
  EXPECT_EQ(*expected_signature(request, seen->signed_headers, seen->scope, Secret("secret")),
            seen->signature);
  EXPECT_NE(*expected_signature(request, seen->signed_headers, seen->scope, Secret("Secret")),
            seen->signature);
  request.body = "{ }";
  EXPECT_NE(*expected_signature(request, seen->signed_headers, seen->scope, Secret("secret")),
            seen->signature);
}

TEST(SigV4, SigningAgainReplacesTheFirstSignature) {
  net::HttpRequest twice("POST", "https://sqs.eu-west-1.amazonaws.com/");
  net::HttpRequest once = twice;
  ASSERT_TRUE(sign(twice, some_signer(), *parse_rfc3339("2026-03-01T12:00:00Z")).ok());
  ASSERT_TRUE(sign(twice, some_signer(), *parse_rfc3339("2026-03-01T12:05:00Z")).ok());
  ASSERT_TRUE(sign(once, some_signer(), *parse_rfc3339("2026-03-01T12:05:00Z")).ok());
  EXPECT_EQ(twice.headers.get("Authorization"), once.headers.get("Authorization"));
  EXPECT_EQ(twice.headers.size(), once.headers.size());
}

TEST(SigV4, GarbageInTheAuthorizationHeaderIsRefused) {
  for (const std::string_view header :
       {"", "Bearer abc", "AWS4-HMAC-SHA256",
        "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=0",
        "AWS4-HMAC-SHA256 Credential=A/20260301/r/s/aws4_request, SignedHeaders=host",
        "AWS4-HMAC-SHA256 Credential=A/20260301/r/s/aws5_request, SignedHeaders=host, Signature=0",
        "AWS4-HMAC-SHA256 =,=,=", "AWS4-HMAC-SHA256 ,,,Credential"}) {
    EXPECT_FALSE(parse_authorization(header).has_value()) << header;
  }
}

TEST(SigV4, AUrlThatIsNoneIsAnError) {
  net::HttpRequest request("POST", "sqs.eu-west-1");
  const auto signed_request = sign(request, some_signer(), *parse_rfc3339("2026-03-01T12:00:00Z"));
  ASSERT_FALSE(signed_request.ok());
  EXPECT_EQ(signed_request.error().fault, Fault::invalid);
}

}  // namespace
}  // namespace ferryman::aws
