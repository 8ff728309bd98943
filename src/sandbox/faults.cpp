// SPDX-License-Identifier: Apache-2.0
#include "sandbox/faults.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ferryman::sandbox {

namespace {

constexpr Duration longer_than_any_client = std::chrono::hours{24 * 365};
constexpr std::array<std::pair<FaultKind, std::string_view>, 6> kinds{{{FaultKind::error, "error"},
                                                                       {FaultKind::throttle, "throttle"},
                                                                       {FaultKind::hang, "hang"},
                                                                       {FaultKind::delay, "delay"},
                                                                       {FaultKind::cut_off, "cut-off"},
                                                                       {FaultKind::reset, "reset"}}};

bool matches(const FaultRule& rule, const CallName& call) {
  return (rule.service == "*" || rule.service == call.service) &&
         (rule.operation == "*" || rule.operation == call.operation);
}

/// Nothing at all is sent: the carrier drops the connection.
net::HttpReply dropped() {
  net::HttpReply reply;
  reply.cut_off = true;
  return reply;
}

}  // namespace

std::string_view name_of(FaultKind kind) {
  for (const auto& [value, name] : kinds) {
    if (value == kind) return name;
  }
  return "";
}

std::optional<FaultKind> fault_kind(std::string_view name) {
  for (const auto& [value, known] : kinds) {
    if (known == name) return value;
  }
  return std::nullopt;
}

std::uint64_t Faults::add(FaultRule rule) {
  rule.number = ++last_;
  rules_.push_back(std::move(rule));
  return last_;
}

bool Faults::remove(std::uint64_t number) {
  return std::erase_if(rules_, [&](const FaultRule& rule) { return rule.number == number; }) > 0;
}

std::optional<FaultRule> Faults::strike(const CallName& call) {
  std::optional<FaultRule> strikes;
  for (FaultRule& rule : rules_) {
    if (!matches(rule, call)) continue;
    const bool passes = rule.seen++ < rule.skip || (rule.count && rule.struck >= *rule.count);
    if (passes || strikes) continue;
    ++rule.struck;
    strikes = rule;
  }
  return strikes;
}

Task<net::HttpReply> FaultyHandler::handle(net::HttpRequest request) {
  const CallName call = form_.name(request);
  auto rule = faults_.strike(call);
  if (!rule) co_return co_await inner_.handle(std::move(request));
  journal_.fact("fault.struck", call.service + "." + call.operation,
                {{"kind", std::string(name_of(rule->kind))}, {"rule", std::to_string(rule->number)}});
  co_return co_await strike(std::move(*rule), std::move(request));
}

Task<net::HttpReply> FaultyHandler::strike(FaultRule rule, net::HttpRequest request) {
  if (rule.kind == FaultKind::delay) co_await clock_.sleep_for(rule.delay);
  if (rule.kind == FaultKind::delay || rule.kind == FaultKind::cut_off) {
    net::HttpReply reply = co_await inner_.handle(std::move(request));
    reply.cut_off = reply.cut_off || rule.kind == FaultKind::cut_off;
    co_return reply;
  }
  if (rule.takes_effect) (void)co_await inner_.handle(request);
  if (rule.kind == FaultKind::hang) co_await clock_.sleep_for(longer_than_any_client);
  if (rule.kind == FaultKind::hang || rule.kind == FaultKind::reset) co_return dropped();
  Refusal refusal;
  refusal.throttled = rule.kind == FaultKind::throttle;
  refusal.status = rule.status;
  refusal.code = rule.code;
  co_return net::HttpReply(form_.refusal(request, refusal));
}

}  // namespace ferryman::sandbox
