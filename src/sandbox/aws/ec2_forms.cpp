// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/ec2_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/glob.h"
#include "sandbox/aws/xml_reply.h"

namespace ferryman::sandbox {

namespace {

constexpr std::size_t most_filter_values = 200;

}  // namespace

bool passes(const std::vector<Filter>& filters,
            const std::function<FilterValues(const std::string& name)>& values_of) {
  return std::all_of(filters.begin(), filters.end(), [&](const Filter& filter) {
    const FilterValues values = values_of(filter.name);
    return std::any_of(values->begin(), values->end(), [&](const std::string& value) {
      return std::any_of(filter.values.begin(), filter.values.end(),
                         [&](const std::string& pattern) { return matches_glob(pattern, value); });
    });
  });
}

Result<std::vector<Filter>> read_filters(const AwsCall& call,
                                         const std::function<bool(const std::string& name)>& known) {
  std::vector<Filter> filters;
  std::size_t values = 0;
  for (;;) {
    const std::string prefix = fmt::format("Filter.{}", filters.size() + 1);
    if (!call.has(prefix + ".Name")) break;
    Filter filter{call.parameter(prefix + ".Name"), call.list(prefix + ".Value")};
    if (!known(filter.name)) {
      return Error(Fault::invalid, "InvalidParameterValue", "The filter '" + filter.name + "' is invalid");
    }
    values += filter.values.size();
    filters.push_back(std::move(filter));
  }
  if (values > most_filter_values) {
    return Error(Fault::invalid, "FilterLimitExceeded",
                 "The maximum number of filter values specified on a single call is 200");
  }
  return filters;
}

Result<PageRequest> read_page(const AwsCall& call) {
  PageRequest page;
  if (call.has("MaxResults")) {
    const std::string text = call.parameter("MaxResults");
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), page.size);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || page.size < 5 ||
        page.size > 1000) {
      return Error(Fault::invalid, "InvalidParameterValue",
                   "Value ( " + text +
                       " ) for parameter maxResults is invalid. Expecting a value between 5 and 1000.");
    }
    if (call.has("InstanceId.1")) {
      return Error(Fault::invalid, "InvalidParameterCombination",
                   "The parameter instancesSet cannot be used with the parameter maxResults");
    }
  }
  if (!call.has("NextToken")) return page;
  auto after = key_in_token(call.parameter("NextToken"), "InvalidNextToken");
  if (!after) return std::move(after).error();
  page.after = *after;
  return page;
}

FilterValues status_values_of(const Ec2Instance& instance, const std::string& name,
                              const InstancePlans& plans) {
  if (name == "availability-zone") return std::vector{instance.zone};
  if (name == "instance-state-name") return std::vector{std::string(name_of(instance.state))};
  if (name == "instance-state-code") return std::vector{std::to_string(code_of(instance.state))};
  const bool code = name == "event.code";
  if (!code && name != "event.instance-event-id") return std::nullopt;
  std::vector<std::string> values;
  for (const PlannedEvent& event : plans.of(instance.id)) values.push_back(code ? event.code : event.id);
  return values;
}

void write_state(pugi::xml_node node, InstanceState state) {
  add_text(node, "code", code_of(state));
  add_text(node, "name", std::string(name_of(state)));
}

namespace {

void write_check(pugi::xml_node node, bool runs) {
  add_text(node, "status", runs ? "ok" : "not-applicable");
  if (!runs) return;
  pugi::xml_node detail = node.append_child("details").append_child("item");
  add_text(detail, "name", "reachability");
  add_text(detail, "status", "passed");
}

}  // namespace

void write_instance_status(pugi::xml_node item, const Ec2Instance& instance,
                           const std::vector<PlannedEvent>& events) {
  add_text(item, "instanceId", instance.id.str());
  add_text(item, "availabilityZone", instance.zone);
  if (!events.empty()) {
    pugi::xml_node list = item.append_child("eventsSet");
    for (const PlannedEvent& event : events) {
      pugi::xml_node one = list.append_child("item");
      add_text(one, "instanceEventId", event.id);
      add_text(one, "code", event.code);
      add_text(one, "description", event.description);
      add_text(one, "notBefore", format_rfc3339_millis(event.not_before));
      if (event.not_after) add_text(one, "notAfter", format_rfc3339_millis(*event.not_after));
    }
  }
  write_state(item.append_child("instanceState"), instance.state);
  const bool runs = instance.state == InstanceState::running;
  write_check(item.append_child("systemStatus"), runs);
  write_check(item.append_child("instanceStatus"), runs);
}

}  // namespace ferryman::sandbox
