// SPDX-License-Identifier: Apache-2.0
// ApiStatus: the Status object in which the API server says what went wrong, and the Error that it means.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "net/http.h"

namespace ferryman::kube {

class ApiStatus {
 public:
  ApiStatus() = default;

  [[nodiscard]] bool has_cause(std::string_view cause) const;

  int code = 0;                     // the HTTP status; that of the body when a failure comes under 2xx
  bool genuine = false;             // the body was a Status object; a proxy's error page is not
  std::string reason;               // "NotFound", "Conflict", "Expired", …
  std::string message;              // for people, one line, at most 300 bytes
  std::string kind;                 // details.kind: of what the server speaks, such as "pods"
  std::vector<std::string> causes;  // the reasons in details.causes
  std::vector<std::string> cause_messages;  // and what they say for people, one line each
  std::chrono::milliseconds retry_after{0};
};

/// Of any answer. Under 200–299 only a Status that says "Failure" is read.
ApiStatus read_status(const net::HttpResponse& response);

/// Of a Status object inside a watch.
ApiStatus read_status(const json::value& object);

/// 404 not_found, 409 conflict, 410 invalid with code "Expired", 429 throttled, 401 and 403 denied, other 4xx
/// invalid, 5xx unexpected. 404, 409 and 410 count only in a genuine Status: anybody's proxy can say 404.
Error to_error(const ApiStatus& status);

}  // namespace ferryman::kube
