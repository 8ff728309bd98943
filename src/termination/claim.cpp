// SPDX-License-Identifier: Apache-2.0
#include "termination/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/serialize.hpp>

#include "base/json.h"

namespace ferryman::termination {

namespace {

constexpr int version = 1;

json::object encode_event(const Event& event) {
  json::object out{{"kind", name_of(event.kind)},
                   {"instance", event.instance_id.str()},
                   {"id", event.event_id},
                   {"time", format_rfc3339_millis(event.event_time)}};
  if (!event.what.empty()) out["what"] = event.what;
  if (event.deadline) out["deadline"] = format_rfc3339_millis(*event.deadline);
  if (event.action) {
    out["action"] = {{"group", event.action->group},
                     {"hook", event.action->hook},
                     {"token", event.action->token},
                     {"transition", event.action->transition},
                     {"destination", event.action->destination}};
  }
  if (event.change) {
    json::object change{{"plan", event.change->plan},
                        {"code", event.change->code},
                        {"starts", format_rfc3339_millis(event.change->starts)}};
    if (event.change->ends) change["ends"] = format_rfc3339_millis(*event.change->ends);
    out["change"] = std::move(change);
  }
  return out;
}

constexpr std::array<std::string_view, 5> type_names = {"application", "network", "gateway", "classic",
                                                        "unknown"};

json::array encode_deregistrations(const std::vector<Deregistration>& deregistered) {
  json::array out;
  for (const Deregistration& one : deregistered) {
    const std::string_view type = type_names.at(static_cast<std::size_t>(one.type));
    json::object entry{{"type", type}, {"pool", one.pool}, {"port", one.port}};
    if (!one.address.empty()) entry["address"] = one.address;
    out.push_back(std::move(entry));
  }
  return out;
}

std::vector<Deregistration> decode_deregistrations(const json::array* texts) {
  std::vector<Deregistration> deregistered;
  if (texts == nullptr) return deregistered;
  for (const json::value& text : *texts) {
    const auto type = std::find(type_names.begin(), type_names.end(), string_at(text, "type"));
    const auto index =
        std::min<std::size_t>(static_cast<std::size_t>(type - type_names.begin()), type_names.size() - 1);
    const std::int64_t port = integer_at(&text, "port").value_or(0);
    if (port < 0 || port > 65'535) continue;
    deregistered.emplace_back(static_cast<BalancerType>(index), std::string(string_at(text, "pool")),
                              static_cast<std::uint16_t>(port));
    deregistered.back().address = string_at(text, "address");
  }
  return deregistered;
}

Result<WallTime> time_at(const json::value& parent, std::string_view key) {
  const auto time = parse_rfc3339(string_at(parent, key));
  if (!time) return Error(Fault::invalid, fmt::format("\"{}\" is no time", key));
  return *time;
}

/// Only what is told apart or waited for matters here: a plan without its start cannot be kept.
Result<ScheduledChange> decode_change(const json::value& text) {
  ScheduledChange change;
  change.plan = string_at(text, "plan");
  change.code = string_at(text, "code");
  auto starts = time_at(text, "starts");
  if (!starts) return std::move(starts).error();
  change.starts = *starts;
  if (find(text, "ends") != nullptr) change.ends = parse_rfc3339(string_at(text, "ends"));
  return change;
}

LifecycleAction decode_action(const json::value& text, const InstanceId& instance_id) {
  LifecycleAction action;
  action.group = string_at(text, "group");
  action.hook = string_at(text, "hook");
  action.token = string_at(text, "token");
  action.transition = string_at(text, "transition");
  action.destination = string_at(text, "destination");
  action.instance_id = instance_id;
  return action;
}

Result<Event> decode_event(const json::value& text) {
  Event event;
  const auto kind = parse_event_kind(string_at(text, "kind"));
  if (!kind) return Error(Fault::invalid, fmt::format("unknown kind \"{}\"", string_at(text, "kind")));
  const auto instance_id = parse_instance_id(string_at(text, "instance"));
  if (!instance_id) return Error(Fault::invalid, "\"instance\" is no instance id");
  auto time = time_at(text, "time");
  if (!time) return std::move(time).error();
  event.kind = *kind;
  event.instance_id = *instance_id;
  event.event_id = string_at(text, "id");
  event.event_time = *time;
  event.what = string_at(text, "what");
  if (find(text, "deadline") != nullptr) event.deadline = parse_rfc3339(string_at(text, "deadline"));
  if (const json::value* action = find(text, "action")) event.action = decode_action(*action, *instance_id);
  if (const json::value* change = find(text, "change")) {
    auto decoded = decode_change(*change);
    if (!decoded) return decoded.error().within("\"change\"");
    event.change = std::move(*decoded);
  }
  return event;
}

}  // namespace

void add_marks(Claim& claim, const Claim& other) {
  claim.cordoned = claim.cordoned || other.cordoned;
  claim.tainted = claim.tainted || other.tainted;
  claim.excluded = claim.excluded || other.excluded;
  claim.no_execute = claim.no_execute || other.no_execute;
  claim.out_of_service = claim.out_of_service || other.out_of_service;
}

std::size_t Claim::add(Event event) {
  const std::string key = event.key();
  const auto same = std::find_if(events.begin(), events.end(), [&](const Event& known) {
    return known.key() == key || (known.change && event.change && known.change->plan == event.change->plan);
  });
  const auto index = static_cast<std::size_t>(same - events.begin());
  if (same == events.end()) {
    events.push_back(std::move(event));
  } else if (same->key() != key && event.event_time >= same->event_time) {
    *same = std::move(event);
  }
  return index;
}

bool Claim::holds(const std::string& event_key) const {
  return std::any_of(events.begin(), events.end(),
                     [&](const Event& event) { return event.key() == event_key; });
}

bool Claim::voluntary() const {
  return std::all_of(events.begin(), events.end(), [](const Event& event) { return event.voluntary(); });
}

bool Claim::by_auto_scaling() const {
  return std::any_of(events.begin(), events.end(),
                     [](const Event& event) { return event.action.has_value(); });
}

bool has_started_anew(const Node& node, const Claim& claim) {
  return !claim.boot_id.empty() && !node.boot_id.empty() && claim.boot_id != node.boot_id;
}

bool Claim::note_step(const std::string& step) {
  if (std::find(steps.begin(), steps.end(), step) != steps.end()) return false;
  steps.push_back(step);
  return true;
}

bool Claim::note_deregistration(const Deregistration& deregistration) {
  if (std::find(deregistered.begin(), deregistered.end(), deregistration) != deregistered.end()) return false;
  deregistered.push_back(deregistration);
  return true;
}

std::string encode(const Claim& claim) {
  json::array events;
  for (const Event& event : claim.events) events.push_back(encode_event(event));
  json::array steps;
  for (const std::string& step : claim.steps) steps.emplace_back(step);
  json::object out{{"version", version},
                   {"events", std::move(events)},
                   {"action", name_of(claim.action)},
                   {"started", format_rfc3339_millis(claim.started)},
                   {"deadline", format_rfc3339_millis(claim.deadline)},
                   {"cordoned", claim.cordoned},
                   {"tainted", claim.tainted},
                   {"excluded", claim.excluded},
                   {"steps", std::move(steps)}};
  if (!claim.boot_id.empty()) out["bootId"] = claim.boot_id;
  if (claim.completed) out["completed"] = true;
  if (claim.no_execute) out["noExecute"] = true;
  if (claim.out_of_service) out["outOfService"] = true;
  if (!claim.deregistered.empty()) out["deregistered"] = encode_deregistrations(claim.deregistered);
  if (claim.left_at) out["leftAt"] = format_rfc3339_millis(*claim.left_at);
  if (claim.closed) out["closed"] = format_rfc3339_millis(*claim.closed);
  return json::serialize(out);
}

Result<Claim> decode_claim(std::string_view text) {
  auto parsed = parse_json(text);
  if (!parsed) return parsed.error().within("reading a claim");
  Claim claim;
  const json::array* events = array_at(&*parsed, "events");
  if (events == nullptr || events->empty())
    return Error(Fault::invalid, "reading a claim: it holds no \"events\"");
  for (const json::value& text_of_event : *events) {
    auto event = decode_event(text_of_event);
    if (!event) return event.error().within("reading a claim");
    claim.events.push_back(std::move(*event));
  }
  auto started = time_at(*parsed, "started");
  auto deadline = time_at(*parsed, "deadline");
  if (!started) return started.error().within("reading a claim");
  if (!deadline) return deadline.error().within("reading a claim");
  claim.started = *started;
  claim.deadline = *deadline;
  claim.action = parse_action(string_at(*parsed, "action")).value_or(Action::drain);
  claim.boot_id = string_at(*parsed, "bootId");
  claim.completed = bool_at(&*parsed, "completed");
  claim.cordoned = bool_at(&*parsed, "cordoned");
  claim.tainted = bool_at(&*parsed, "tainted");
  claim.excluded = bool_at(&*parsed, "excluded");
  claim.no_execute = bool_at(&*parsed, "noExecute");
  claim.out_of_service = bool_at(&*parsed, "outOfService");
  claim.deregistered = decode_deregistrations(array_at(&*parsed, "deregistered"));
  if (find(*parsed, "leftAt") != nullptr) claim.left_at = parse_rfc3339(string_at(*parsed, "leftAt"));
  if (const json::array* steps = array_at(&*parsed, "steps")) {
    for (const json::value& step : *steps) {
      if (step.is_string()) claim.steps.emplace_back(step.get_string());
    }
  }
  if (find(*parsed, "closed") != nullptr) {
    claim.closed = parse_rfc3339(string_at(*parsed, "closed")).value_or(claim.started);
  }
  return claim;
}

}  // namespace ferryman::termination
