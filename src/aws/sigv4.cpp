// SPDX-License-Identifier: Apache-2.0
#include "aws/sigv4.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <utility>

#include "net/url.h"

namespace ferryman::aws {

namespace {

constexpr std::string_view algorithm = "AWS4-HMAC-SHA256";
constexpr std::size_t digest_bytes = 32;
using Digest = std::array<unsigned char, digest_bytes>;

std::string_view as_text(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string hex(const Digest& digest) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  out.reserve(digest.size() * 2);
  for (const unsigned char byte : digest) {
    out += digits[byte >> 4U];
    out += digits[byte & 15U];
  }
  return out;
}

Digest sha256(std::string_view text) {
  Digest digest{};
  EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr);
  return digest;
}

Digest hmac(std::string_view key, std::string_view text) {
  Digest digest{};
  HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), nullptr);
  return digest;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Without blanks around, and with each run of blanks inside made one.
std::string folded(std::string_view value) {
  std::string out;
  for (const char c : value) {
    const bool blank = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (!blank) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

/// Dot segments and double slashes folded, then each segment encoded (once more).
std::string canonical_path(std::string_view path) {
  std::vector<std::string_view> kept;
  for (const std::string_view segment : split(path, '/')) {
    if (segment.empty() || segment == ".") continue;
    if (segment != "..") {
      kept.push_back(segment);
    } else if (!kept.empty()) {
      kept.pop_back();
    }
  }
  std::string out;
  for (const std::string_view segment : kept) out += "/" + net::percent_encode(segment);
  return out.empty() || path.ends_with('/') ? out + "/" : out;
}

std::string canonical_query(std::string_view query) {
  std::vector<std::pair<std::string_view, std::string_view>> parameters;
  for (const std::string_view pair : split(query, '&')) {
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    const bool has_value = equals != std::string_view::npos;
    parameters.emplace_back(pair.substr(0, equals), has_value ? pair.substr(equals + 1) : std::string_view());
  }
  std::ranges::sort(parameters);
  std::string out;
  for (const auto& [name, value] : parameters) {
    if (!out.empty()) out += '&';
    out.append(name).append("=").append(value);
  }
  return out;
}

std::string header_line(const net::HttpRequest& request, const net::Url& url, const std::string& name) {
  std::string values;
  bool any = false;
  for (const auto& [field, value] : request.headers) {
    if (lower_case(field) != name) continue;
    if (any) values += ',';
    values += folded(value);
    any = true;
  }
  if (!any && name == "host") values = url.authority();
  return name + ":" + values + "\n";
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ";") + name;
  return out;
}

}  // namespace

std::string SigningScope::str() const {
  return date + "/" + region + "/" + service + "/aws4_request";
}

std::vector<std::string> headers_to_sign(const net::HttpRequest& request) {
  constexpr std::array<std::string_view, 8> unsigned_names = {
      "accept-encoding", "authorization",     "connection", "content-length",
      "expect",          "transfer-encoding", "user-agent", "x-amzn-trace-id"};
  std::vector<std::string> names = {"host"};
  for (const auto& [field, value] : request.headers) {
    std::string name = lower_case(field);
    if (std::ranges::find(unsigned_names, name) == unsigned_names.end()) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return names;
}

Result<std::string> canonical_request(const net::HttpRequest& request,
                                      const std::vector<std::string>& signed_headers) {
  const auto url = net::parse_url(request.url);
  if (!url) return url.error().within("signing");
  std::string out =
      request.method + "\n" + canonical_path(url->path) + "\n" + canonical_query(url->query) + "\n";
  for (const std::string& name : signed_headers) out += header_line(request, *url, name);
  return out + "\n" + joined(signed_headers) + "\n" + hex(sha256(request.body));
}

std::string string_to_sign(std::string_view amz_date, const SigningScope& scope, std::string_view canonical) {
  std::string out(algorithm);
  out.append("\n").append(amz_date).append("\n");
  return out + scope.str() + "\n" + hex(sha256(canonical));
}

std::string signature_of(std::string_view to_sign, const SigningScope& scope,
                         const Secret& secret_access_key) {
  Digest key = hmac("AWS4" + secret_access_key.reveal(), scope.date);
  key = hmac(as_text(key), scope.region);
  key = hmac(as_text(key), scope.service);
  key = hmac(as_text(key), "aws4_request");
  return hex(hmac(as_text(key), to_sign));
}

Result<std::string> expected_signature(const net::HttpRequest& request,
                                       const std::vector<std::string>& signed_headers,
                                       const SigningScope& scope, const Secret& secret_access_key) {
  const auto canonical = canonical_request(request, signed_headers);
  if (!canonical) return canonical.error();
  const std::string to_sign = string_to_sign(request.headers.get("X-Amz-Date"), scope, *canonical);
  return signature_of(to_sign, scope, secret_access_key);
}

Result<void> sign(net::HttpRequest& request, const Signer& signer, WallTime now) {
  const std::string amz_date = format_basic(now);
  const SigningScope scope(amz_date.substr(0, 8), signer.region, signer.service);
  request.headers.set("X-Amz-Date", amz_date);
  if (!signer.session_token.empty()) {
    request.headers.set("X-Amz-Security-Token", signer.session_token.reveal());
  }
  const std::vector<std::string> names = headers_to_sign(request);
  auto signature = expected_signature(request, names, scope, signer.secret_access_key);
  if (!signature) return std::move(signature).error();
  std::string value(algorithm);
  value += " Credential=" + signer.access_key_id + "/" + scope.str();
  value += ", SignedHeaders=" + joined(names) + ", Signature=" + *signature;
  request.headers.set("Authorization", std::move(value));
  return {};
}

std::optional<Authorization> parse_authorization(std::string_view header) {
  if (!header.starts_with(algorithm)) return std::nullopt;
  header.remove_prefix(algorithm.size());
  Authorization out;
  for (const std::string_view part : split(header, ',')) {
    const std::string field = folded(part);
    const std::size_t equals = std::min(field.find('='), field.size());
    const std::string_view name = std::string_view(field).substr(0, equals);
    const std::string value = field.substr(std::min(equals + 1, field.size()));
    if (name == "Credential") {
      const auto parts = split(value, '/');
      if (parts.size() != 5 || parts[4] != "aws4_request") return std::nullopt;
      out.access_key_id = std::string(parts[0]);
      out.scope = SigningScope(std::string(parts[1]), std::string(parts[2]), std::string(parts[3]));
    } else if (name == "SignedHeaders") {
      for (const std::string_view each : split(value, ';')) out.signed_headers.emplace_back(each);
    } else if (name == "Signature") {
      out.signature = value;
    }
  }
  if (out.access_key_id.empty() || out.signed_headers.empty() || out.signature.empty()) return std::nullopt;
  return out;
}

}  // namespace ferryman::aws
