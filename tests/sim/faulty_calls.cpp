// SPDX-License-Identifier: Apache-2.0
#include "sim/faulty_calls.h"

#include "net/url.h"

namespace ferryman::sim {

using net::CallFate;
using Kind = net::CallFate::Kind;

namespace {

CallFate answered(Kind kind, int status, std::string body) {
  CallFate fate(kind);
  fate.status = status;
  fate.body = std::move(body);
  return fate;
}

}  // namespace

std::string name_of_call(const net::HttpRequest& request) {
  const std::string_view target = request.headers.get("X-Amz-Target");
  if (!target.empty()) return request.method + " " + std::string(target);
  std::string action;
  std::string version;
  for (const auto& [name, value] : net::parse_query(request.body)) {
    if (name == "Action") action = value;
    if (name == "Version") version = value;
  }
  // Several services have actions of the same name.
  if (!action.empty()) return request.method + " " + action + " " + version;
  const auto url = net::parse_url(request.url);
  return request.method + " " +
         (url ? url->path + (url->query.empty() ? "" : "?" + url->query) : request.url);
}

std::vector<NamedFate> failures_and_hangs() {
  return {{"reset before", CallFate(Kind::fail_before)},
          {"reset after", CallFate(Kind::fail_after)},
          {"hung before", CallFate(Kind::hang_before)},
          {"hung after", CallFate(Kind::hang_after)},
          {"HTML 500 before", answered(Kind::fail_before, 500, "<html><body>oops</body></html>")},
          {"HTML 500 after", answered(Kind::fail_after, 500, "<html><body>oops</body></html>")},
          {"503 without a body", answered(Kind::fail_before, 503, "")},
          {"rubbish 200 after", answered(Kind::fail_after, 200, "{\"kind\":[1,2")},
          {"another type 200 before", answered(Kind::fail_before, 200, "[true]")}};
}

std::vector<NamedFate> crashes() {
  return {{"crash before", CallFate(Kind::cut_before)}, {"crash after", CallFate(Kind::cut_after)}};
}

CallFate NthCall::on_call(const net::HttpRequest& request) {
  calls_.push_back(name_of_call(request));
  return calls_.size() == n_ + 1 ? fate_ : CallFate();
}

RandomCalls::RandomCalls(std::uint64_t seed, double share, bool may_crash)
    : random_(seed), share_(share), fates_(failures_and_hangs()) {
  if (!may_crash) return;
  for (NamedFate& fate : crashes()) fates_.push_back(std::move(fate));
}

CallFate RandomCalls::on_call(const net::HttpRequest& /*request*/) {
  CallFate fate;
  const bool spoiled = !healed_ && random_.unit() < share_;
  if (spoiled) fate = fates_.at(random_.below(fates_.size())).fate;
  constexpr std::uint64_t most_milliseconds = 400;
  fate.latency = std::chrono::milliseconds{random_.below(most_milliseconds)};
  return fate;
}

}  // namespace ferryman::sim
