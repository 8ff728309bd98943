// SPDX-License-Identifier: Apache-2.0
// The JSON form of a FaultRule: one table of members.
#include <fmt/format.h>

#include <array>
#include <boost/json/serialize.hpp>

#include "base/json.h"
#include "sandbox/control.h"

namespace ferryman::sandbox {

namespace {

/// Sets one member; an Error's text says what is allowed.
class Member {
 public:
  std::string_view name;
  Result<void> (*set)(FaultRule& rule, const json::value& value);
};

Error allowed(std::string what) {
  return Error(Fault::invalid, std::move(what));
}

template <auto Target>
Result<void> text(FaultRule& rule, const json::value& value) {
  if (!value.is_string() || value.as_string().empty()) return allowed("a text");
  rule.*Target = std::string(value.as_string());
  return {};
}

Result<std::int64_t> whole(const json::value& value, std::int64_t least, std::int64_t most) {
  const auto* number = value.if_int64();
  if (number != nullptr && *number >= least && *number <= most) return *number;
  return allowed(fmt::format("a whole number from {} to {}", least, most));
}

template <auto Target, std::int64_t Least, std::int64_t Most>
Result<void> number(FaultRule& rule, const json::value& value) {
  auto given = whole(value, Least, Most);
  if (!given) return std::move(given).error();
  rule.*Target = *given;
  return {};
}

Result<void> kind(FaultRule& rule, const json::value& value) {
  const auto known = value.is_string() ? fault_kind(value.as_string()) : std::nullopt;
  if (!known) return allowed("error, throttle, hang, delay, cut-off or reset");
  rule.kind = *known;
  return {};
}

Result<void> delay(FaultRule& rule, const json::value& value) {
  auto millis = whole(value, 0, 86'400'000);
  if (!millis) return std::move(millis).error();
  rule.delay = std::chrono::milliseconds{*millis};
  return {};
}

Result<void> nth(FaultRule& rule, const json::value& value) {
  auto given = whole(value, 1, 1'000'000'000);
  if (!given) return std::move(given).error();
  rule.skip = static_cast<std::uint64_t>(*given - 1);
  rule.count = 1;
  return {};
}

Result<void> takes_effect(FaultRule& rule, const json::value& value) {
  if (!value.is_bool()) return allowed("true or false");
  rule.takes_effect = value.as_bool();
  return {};
}

constexpr std::array<Member, 10> members{{
    {"service", text<&FaultRule::service>},
    {"operation", text<&FaultRule::operation>},
    {"kind", kind},
    {"status", number<&FaultRule::status, 400, 599>},
    {"code", text<&FaultRule::code>},
    {"delay_ms", delay},
    {"skip", number<&FaultRule::skip, 0, 1'000'000'000>},
    {"count", number<&FaultRule::count, 1, 1'000'000'000>},
    {"nth", nth},  // short for skip n − 1, count 1
    {"takes_effect", takes_effect},
}};

Result<void> apply(FaultRule& rule, std::string_view name, const json::value& value) {
  std::string known;
  for (const Member& member : members) {
    if (member.name != name) {
      known += (known.empty() ? "" : ", ") + std::string(member.name);
      continue;
    }
    if (auto done = member.set(rule, value); !done) {
      return Error(Fault::invalid,
                   fmt::format("{} is {}; it must be {}", name, json::serialize(value), done.error().text));
    }
    return {};
  }
  return Error(Fault::invalid, fmt::format("\"{}\" is no member of a fault; they are {}", name, known));
}

}  // namespace

Result<FaultRule> read_fault_rule(std::string_view body) {
  auto parsed = parse_json(body);
  if (!parsed) return parsed.error().within("reading the fault");
  if (!parsed->is_object()) return Error(Fault::invalid, "a fault is a JSON object");
  if (find(*parsed, "kind") == nullptr) {
    return Error(Fault::invalid,
                 "kind is missing; it must be error, throttle, hang, delay, cut-off or reset");
  }
  FaultRule rule;
  for (const auto& [name, value] : parsed->as_object()) {
    if (auto done = apply(rule, name, value); !done) return std::move(done).error();
  }
  return rule;
}

json::value fault_rule_json(const FaultRule& rule) {
  json::object out{{"number", rule.number},       {"service", rule.service},
                   {"operation", rule.operation}, {"kind", name_of(rule.kind)},
                   {"skip", rule.skip},           {"takes_effect", rule.takes_effect},
                   {"seen", rule.seen},           {"struck", rule.struck}};
  if (rule.count) out["count"] = *rule.count;
  if (rule.status != 0) out["status"] = rule.status;
  if (!rule.code.empty()) out["code"] = rule.code;
  if (rule.kind == FaultKind::delay) {
    out["delay_ms"] = std::chrono::duration_cast<std::chrono::milliseconds>(rule.delay).count();
  }
  return out;
}

}  // namespace ferryman::sandbox
