// SPDX-License-Identifier: Apache-2.0
// HTTP as values, the same for clients and handlers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/secret.h"

namespace ferryman::net {

/// In the order of arrival; names compare without case.
class Headers {
 public:
  Headers() = default;

  void add(std::string name, std::string value) { fields_.emplace_back(std::move(name), std::move(value)); }
  /// Replaces all fields of that name.
  void set(std::string_view name, std::string value);
  /// The first field of that name; empty when there is none.
  [[nodiscard]] std::string_view get(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] auto begin() const { return fields_.begin(); }
  [[nodiscard]] auto end() const { return fields_.end(); }
  [[nodiscard]] std::size_t size() const { return fields_.size(); }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

/// How to reach a host that wants more than the system's CA bundle. Shared by all requests to that host:
/// carriers pool connections per profile.
struct ConnectionProfile {
  std::string ca_pem;           // trust exactly these authorities; empty: the system's bundle
  std::string client_cert_pem;  // with client_key_pem: mutual TLS
  Secret client_key_pem;
  std::string server_name;  // the name expected in the certificate when it is not the URL's host
  bool direct = false;      // never through a proxy (instance metadata, the API server)
};

class HttpRequest {
 public:
  HttpRequest() = default;
  HttpRequest(std::string method_in, std::string url_in)
      : method(std::move(method_in)), url(std::move(url_in)) {}

  std::string method = "GET";
  std::string url;  // absolute: "https://host:port/path?query"
  Headers headers;
  std::string body;
  std::size_t max_response_bytes = std::size_t{16} << 20U;  // a longer body is Error{unexpected, "TooLarge"}
  std::shared_ptr<const ConnectionProfile> profile;  // null: the system's trust, proxies by environment
};

class HttpResponse {
 public:
  HttpResponse() = default;
  HttpResponse(int status_in, std::string body_in) : status(status_in), body(std::move(body_in)) {}

  int status = 0;
  Headers headers;
  std::string body;
};

/// The seconds form of Retry-After (RFC 9110, section 10.2.3) in milliseconds; 0 when absent or of another
/// form.
std::int64_t retry_after_millis(const Headers& headers);

}  // namespace ferryman::net
