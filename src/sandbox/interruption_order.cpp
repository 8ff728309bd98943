// SPDX-License-Identifier: Apache-2.0
#include "sandbox/interruption_order.h"

#include "base/json.h"

namespace ferryman::sandbox {

namespace {

Error wrong(std::string text) {
  return Error(Fault::invalid, std::move(text));
}

/// Error when the member is there and no RFC 3339 time.
Result<std::optional<WallTime>> time_at(const json::value& body, const char* name) {
  if (find(body, name) == nullptr) return std::optional<WallTime>();
  const auto time = parse_rfc3339(string_at(body, name));
  if (!time) return wrong(std::string(name) + " must be a time such as 2026-03-01T13:00:00Z");
  return std::optional<WallTime>(*time);
}

void take_text(const json::value& body, const char* name, std::string& into) {
  const std::string_view text = string_at(body, name);
  if (!text.empty()) into = text;
}

Result<InterruptionOrder> read_health(const json::value& body) {
  InterruptionOrder order;
  const json::array* instances = array_at(&body, "instances");
  if (instances == nullptr || instances->empty())
    return wrong("instances must be a list: {\"instances\":[\"i-…\"]}");
  for (const json::value& one : *instances) {
    if (!one.is_string()) return wrong("instances must hold texts");
    order.health.entities.emplace_back(one.get_string());
  }
  take_text(body, "code", order.health.code);
  take_text(body, "status", order.health.status);
  take_text(body, "event_arn", order.health.event_arn);
  const std::string& status = order.health.status;
  if (status != "upcoming" && status != "open" && status != "closed")
    return wrong("status is \"" + status + "\"; it must be upcoming, open or closed");
  const auto start = time_at(body, "start");
  if (!start) return start.error();
  const auto end = time_at(body, "end");
  if (!end) return end.error();
  order.start = *start;
  order.health.end = *end;
  return order;
}

}  // namespace

Result<InterruptionOrder> read_interruption(std::string_view how, std::string_view body) {
  const auto parsed = parse_json(body);
  if (!parsed) return parsed.error();
  if (how == "health") return read_health(*parsed);
  InterruptionOrder order;
  const auto id = parse_instance_id(string_at(*parsed, "instance"));
  if (!id) return wrong("instance must be an instance id: {\"instance\":\"i-…\"}");
  order.instance = *id;
  take_text(*parsed, "action", order.action);
  if (order.action != "terminate" && order.action != "stop" && order.action != "hibernate")
    return wrong("action is \"" + order.action + "\"; it must be terminate, stop or hibernate");
  return order;
}

}  // namespace ferryman::sandbox
