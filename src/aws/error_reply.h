// SPDX-License-Identifier: Apache-2.0
// What AWS answers when it does not do what was asked, as an Error. All forms are tried on any body: a JSON
// service sometimes answers in XML (its front door does), and load balancers answer in HTML or with nothing.
#pragma once

#include <string_view>

#include "base/error.h"
#include "net/http.h"

namespace ferryman::aws {

/// Throttling codes and HTTP 429: throttled (so is a 503 with nothing in it, in error_of). Rights, keys,
/// signatures, HTTP 401 and 403: denied. Unknown things: not_found. Any other code with a 4xx status:
/// invalid. The rest: unexpected.
Fault fault_of(std::string_view code, int status);

/// Call it for a status other than 2xx. Its text is "<code>: <message>" or "HTTP <status>", and holds what
/// the service wrote: check it for secrets before it is shown.
Error error_of(const net::HttpResponse& response);

/// Expired session credentials: fresh ones may help.
bool is_expired_token(std::string_view code);

/// Refusals that a wrong clock causes too.
bool may_be_clock_skew(std::string_view code);

}  // namespace ferryman::aws
