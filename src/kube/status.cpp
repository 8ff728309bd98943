// SPDX-License-Identifier: Apache-2.0
#include "kube/status.h"

#include <fmt/format.h>

#include <algorithm>

namespace ferryman::kube {

namespace {

/// Printable ASCII on one line: foreign words must not break a log.
std::string one_line(std::string_view text, std::size_t most) {
  std::string out(text.substr(0, most));
  std::ranges::replace_if(out, [](char c) { return c < ' ' || c > '~'; }, ' ');
  if (text.size() > most) out += "…";
  return out;
}

void read_object(const json::value& object, ApiStatus& status) {
  constexpr std::size_t longest_message = 300;
  constexpr std::size_t longest_reason = 64;
  constexpr std::int64_t longest_wait_seconds = 86'400;
  status.genuine = string_at(object, "kind") == "Status";
  if (!status.genuine) return;
  status.reason = one_line(string_at(object, "reason"), longest_reason);
  status.message = one_line(string_at(object, "message"), longest_message);
  const json::value* details = find(object, "details");
  if (const json::array* causes = array_at(details, "causes")) {
    for (const json::value& cause : *causes) {
      status.causes.emplace_back(string_at(cause, "reason"));
      status.cause_messages.push_back(one_line(string_at(cause, "message"), longest_message));
    }
  }
  status.kind = one_line(string_at(details, "kind"), longest_reason);
  const auto wait = integer_at(details, "retryAfterSeconds").value_or(0);
  status.retry_after = std::chrono::seconds{std::clamp<std::int64_t>(wait, 0, longest_wait_seconds)};
}

Fault fault_of(const ApiStatus& status) {
  switch (status.code) {
    case 401:
    case 403:
      return Fault::denied;
    case 429:
      return Fault::throttled;
    case 408:
      return Fault::unexpected;
    default:
      break;
  }
  if (status.code < 400 || status.code >= 500 || !status.genuine) return Fault::unexpected;
  if (status.code == 404) return Fault::not_found;
  return status.code == 409 ? Fault::conflict : Fault::invalid;
}

}  // namespace

bool ApiStatus::has_cause(std::string_view cause) const {
  return std::ranges::find(causes, cause) != causes.end();
}

ApiStatus read_status(const net::HttpResponse& response) {
  constexpr std::size_t longest_excerpt = 100;
  ApiStatus status;
  status.code = response.status;
  const auto body = parse_json(response.body);
  if (status.code >= 200 && status.code < 300) {
    if (!body || string_at(*body, "status") != "Failure") return status;
    status.code =
        static_cast<int>(std::clamp<std::int64_t>(integer_at(&*body, "code").value_or(500), 0, 999));
  }
  if (body) read_object(*body, status);
  if (!status.genuine) status.message = one_line(response.body, longest_excerpt);
  const std::int64_t named = net::retry_after_millis(response.headers);
  if (named > 0) status.retry_after = std::chrono::milliseconds{named};
  return status;
}

ApiStatus read_status(const json::value& object) {
  ApiStatus status;
  status.code = static_cast<int>(std::clamp<std::int64_t>(integer_at(&object, "code").value_or(0), 0, 999));
  read_object(object, status);
  return status;
}

Error to_error(const ApiStatus& status) {
  Error error(fault_of(status), status.reason, fmt::format("the API server answered {}", status.code));
  if (!status.genuine) error.text += " without a Status object";
  if (!status.message.empty()) error.text += ": " + status.message;
  if (status.code == 410 && status.genuine) error.code = "Expired";
  if (status.code == 403 && error.code.empty()) error.code = "Forbidden";
  error.retry_after = status.retry_after;
  return error;
}

}  // namespace ferryman::kube
