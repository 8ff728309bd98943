// SPDX-License-Identifier: Apache-2.0
#include "termination/parse/health_event.h"

#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "termination/parse/instance_event.h"

namespace ferryman::termination::parse {

namespace {

constexpr std::size_t longest_plan = 1600;  // of an eventArn, says the Health API
constexpr std::size_t longest_code = 100;
constexpr std::size_t longest_shown = 64;

/// AWS writes "Mon, 12 Jan 2026 00:00:00 GMT" here.
std::optional<WallTime> date_at(const json::value& detail, std::string_view field) {
  const std::string_view text = string_at(detail, field);
  const auto time = parse_rfc1123(text);
  return time ? time : parse_rfc3339(text);
}

struct Entity {
  InstanceId instance_id;
  bool resolved = false;  // for this one the change will not come, or is over
};

/// By id alone or as the end of an ARN.
std::optional<InstanceId> instance_of(std::string_view entity) {
  return parse_instance_id(entity.substr(entity.rfind('/') + 1));
}

std::vector<Entity> entities_of(const Envelope& envelope) {
  std::vector<Entity> entities;
  std::set<InstanceId> seen;
  const auto add = [&](std::string_view name, bool resolved) {
    const auto id = instance_of(name);
    if (id && seen.insert(*id).second) entities.push_back(Entity{*id, resolved});
  };
  if (const json::array* affected = array_at(&envelope.detail, "affectedEntities")) {
    for (const json::value& entity : *affected)
      add(string_at(entity, "entityValue"), string_at(entity, "status") == "RESOLVED");
  }
  if (!entities.empty()) return entities;
  for (const std::string& resource : envelope.resources) add(resource, false);
  return entities;
}

Result<ScheduledChange> read_change(const Envelope& envelope, WallTime told_at) {
  const json::value& detail = envelope.detail;
  ScheduledChange change;
  const std::string_view plan = string_at(detail, "eventArn");
  if (plan.size() > longest_plan) {
    return Error(Fault::invalid,
                 fmt::format("detail.eventArn has {} bytes, more than {}", plan.size(), longest_plan));
  }
  change.plan = plan.empty() ? envelope.id : std::string(plan);
  if (change.plan.empty()) {
    return Error(Fault::invalid, "neither detail.eventArn nor id: it could not be told from others");
  }
  change.code = shortened(string_at(detail, "eventTypeCode"), longest_code);
  change.cancelled = string_at(detail, "statusCode") == "closed";
  change.ends = date_at(detail, "endTime");
  const std::string_view start = string_at(detail, "startTime");
  const auto starts = date_at(detail, "startTime");
  if (!starts && !start.empty() && !change.cancelled) {
    return Error(Fault::invalid,
                 fmt::format("detail.startTime is no time: \"{}\"", shortened(start, longest_shown)));
  }
  change.starts = starts.value_or(told_at);
  return change;
}

bool is_backup_copy(const json::value& detail) {
  return string_at(detail, "backupEvent") == "true" || bool_at(&detail, "backupEvent");
}

/// Empty: it is a scheduled change of EC2's.
std::string why_other(const json::value& detail) {
  const std::string service = word_at(detail, "service");
  if (service != "EC2") return fmt::format("AWS Health tells of service \"{}\", not of EC2", service);
  const std::string category = word_at(detail, "eventTypeCategory");
  if (category == "scheduledChange") return {};
  return fmt::format("an AWS Health event of category \"{}\", not a scheduledChange", category);
}

Result<Reading> read_scheduled_change(const Envelope& envelope) {
  const std::vector<Entity> entities = entities_of(envelope);
  if (entities.empty()) {
    return Reading(Content::other, "a scheduled change of EC2's that names no instance");
  }
  auto time = time_of(envelope);
  if (!time) return std::move(time).error();
  auto change = read_change(envelope, *time);
  if (!change) return std::move(change).error();
  std::vector<Event> events;
  for (const Entity& entity : entities) {
    Event& event = events.emplace_back();
    event.kind = EventKind::scheduled_change;
    event.instance_id = entity.instance_id;
    event.event_id = envelope.id;
    event.event_time = *time;
    event.what = change->code;
    event.change = *change;
    if (entity.resolved) event.change->cancelled = true;
  }
  return Reading(std::move(events));
}

}  // namespace

Result<Reading> read_health_event(const Envelope& envelope) {
  const std::string region = word_at(envelope.detail, "eventRegion");
  std::string why = why_other(envelope.detail);
  Result<Reading> reading = Reading(Content::other, std::move(why));
  if (is_backup_copy(envelope.detail)) {
    reading =
        Reading(Content::nobodys, fmt::format("a copy for the backup region {}: {} gets the event itself",
                                              shortened(envelope.region, longest_shown), region));
  } else if (reading->because.empty()) {
    reading = read_scheduled_change(envelope);
  }
  if (reading) reading->region = region;
  return reading;
}

}  // namespace ferryman::termination::parse
