// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/message_facts.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <iomanip>
#include <optional>
#include <sstream>

#include "base/json.h"

namespace ferryman::sandbox {

namespace {

using Facts = std::map<std::string, std::string>;

constexpr const char* nobodys = "nobodys";

struct Kind {
  std::string_view detail_type;
  const char* name;
  Duration life;  // after the event's time
};

constexpr std::array<Kind, 6> kinds{{
    {"EC2 Instance-terminate Lifecycle Action", "asg-terminate", std::chrono::hours{48}},
    {"EC2 Instance-launch Lifecycle Action", "asg-launch", std::chrono::hours{48}},
    {"EC2 Spot Instance Interruption Warning", "spot-interruption", std::chrono::minutes{5}},
    {"EC2 Instance Rebalance Recommendation", "rebalance-recommendation", std::chrono::minutes{30}},
    {"EC2 Instance State-change Notification", "state-change", std::chrono::minutes{10}},
    {"EC2 Capacity Reservation Instance Interruption Warning", "capacity-reservation-interruption",
     std::chrono::minutes{5}},
}};

/// "Sun, 1 Mar 2026 13:00:00 GMT".
std::optional<WallTime> parse_http_date(std::string_view text) {
  std::tm parts{};
  std::istringstream in{std::string(text)};
  in >> std::get_time(&parts, "%a, %d %b %Y %H:%M:%S GMT");
  if (in.fail()) return std::nullopt;
  return WallTime(std::chrono::seconds{timegm(&parts)});
}

void add_life(Facts& facts, Duration left) {
  facts["useful_for"] = std::to_string(std::chrono::duration_cast<std::chrono::seconds>(left).count());
}

void add_action(Facts& facts, const json::value* from) {
  facts["instance"] = string_at(from, "EC2InstanceId");
  facts["hook"] = string_at(from, "LifecycleHookName");
  facts["token"] = string_at(from, "LifecycleActionToken");
}

Facts health_facts(const json::value& body, WallTime now) {
  const json::value* detail = find(body, "detail");
  const bool plan = string_at(detail, "service") == "EC2" &&
                    string_at(detail, "eventTypeCategory") == "scheduledChange" &&
                    string_at(detail, "statusCode") != "closed" && string_at(detail, "backupEvent") != "true";
  Facts facts{{"kind", plan ? "scheduled-change" : nobodys}};
  std::string ids;
  if (const json::array* entities = array_at(detail, "affectedEntities")) {
    for (const json::value& entity : *entities)
      ids += (ids.empty() ? "" : ",") + std::string(string_at(entity, "entityValue"));
  }
  facts["instances"] = ids;
  // A closed plan's message may undo what was done for it, or be of no use: either is right.
  const auto end = parse_http_date(string_at(detail, "endTime"));
  if (end) add_life(facts, *end - now);
  return facts;
}

bool ends(std::string_view state) {
  constexpr std::array<std::string_view, 4> ending{"stopping", "stopped", "shutting-down", "terminated"};
  return std::find(ending.begin(), ending.end(), state) != ending.end();
}

/// How long after the event AWS takes the instance, where the kind says so.
std::optional<std::chrono::seconds> warning_time(std::string_view type, const json::value* detail) {
  if (type == "EC2 Instance State-change Notification") return std::chrono::seconds{0};
  if (type.find("Interruption Warning") == std::string_view::npos) return std::nullopt;
  return std::chrono::seconds{string_at(detail, "instance-action") == "hibernate" ? 0 : 120};
}

Facts event_facts(const json::value& body, WallTime now) {
  const std::string_view type = string_at(body, "detail-type");
  if (type == "AWS Health Event") return health_facts(body, now);
  const auto* const kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const Kind& one) { return one.detail_type == type; });
  if (kind == kinds.end()) return {{"kind", nobodys}};
  const json::value* detail = find(body, "detail");
  Facts facts;
  if (type.find("Lifecycle") == std::string_view::npos) {
    facts["instance"] = string_at(detail, "instance-id");
  } else {
    add_action(facts, detail);
  }
  const bool idle = type == "EC2 Instance State-change Notification" && !ends(string_at(detail, "state"));
  facts["kind"] = idle ? nobodys : kind->name;
  if (const auto left = warning_time(type, detail); left && !idle)
    facts["ends_in"] = std::to_string(left->count());
  if (const auto time = parse_rfc3339(string_at(body, "time"))) add_life(facts, *time + kind->life - now);
  return facts;
}

Facts flat_facts(const json::value& body) {
  const std::string_view transition = string_at(body, "LifecycleTransition");
  const bool test = string_at(body, "Event") == "autoscaling:TEST_NOTIFICATION" ||
                    transition == "autoscaling:TEST_NOTIFICATION";
  if (test) return {{"kind", nobodys}};
  if (transition.empty()) return {};
  Facts facts{{"kind", transition == "autoscaling:EC2_INSTANCE_LAUNCHING" ? "asg-launch" : "asg-terminate"}};
  add_action(facts, &body);
  return facts;
}

}  // namespace

std::map<std::string, std::string> message_facts(std::string_view body, WallTime now) {
  auto parsed = parse_json(body);
  if (parsed && string_at(*parsed, "Type") == "Notification") {
    parsed = parse_json(std::string(string_at(*parsed, "Message")));
  }
  if (!parsed || !parsed->is_object()) return {};
  return find(*parsed, "detail-type") != nullptr ? event_facts(*parsed, now) : flat_facts(*parsed);
}

}  // namespace ferryman::sandbox
