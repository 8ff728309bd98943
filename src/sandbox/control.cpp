// SPDX-License-Identifier: Apache-2.0
#include "sandbox/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/json.h"
#include "base/plain_json.h"
#include "net/url.h"
#include "sandbox/interruption_order.h"
#include "sandbox/kube/rights_text.h"
#include "sandbox/promises.h"
#include "sandbox/traffic_report.h"

namespace ferryman::sandbox {

namespace {

net::HttpResponse reply(int status, const json::value& body) {
  net::HttpResponse response(status, plain_json(body) + "\n");
  response.headers.add("Content-Type", "application/json");
  return response;
}

net::HttpResponse refuse(int status, std::string why) {
  return reply(status, json::object{{"error", std::move(why)}});
}

json::object as_json(const std::map<std::string, std::string>& map) {
  json::object object;
  for (const auto& [key, value] : map) object[key] = value;
  return object;
}

json::object as_json(const std::map<std::string, std::uint64_t>& map) {
  json::object object;
  for (const auto& [key, value] : map) object[key] = value;
  return object;
}

json::object as_json(const JournalEntry& entry, const Clock& clock) {
  return {{"at", format_rfc3339_millis(clock.wall() - (clock.now() - entry.at))},
          {"seconds", seconds(entry.at.time_since_epoch())},  // only differences mean something
          {"service", entry.service},
          {"operation", entry.operation},
          {"subject", entry.subject},
          {"outcome", entry.outcome},
          {"details", as_json(entry.details)}};
}

json::array instances_json(AwsWorld& aws) {
  json::array list;
  for (const auto& [id, instance] : aws.instances().all()) {
    json::object item{{"id", id.str()}, {"state", name_of(instance.state)}, {"zone", instance.zone}};
    if (const Group* group = aws.groups().group_of(id)) {
      item["group"] = group->spec.name;
      item["lifecycle_state"] = group->members.at(id);
    }
    json::array waits;
    for (const LifecycleWait& wait : aws.groups().actions().waits(id)) {
      waits.push_back(json::object{{"hook", wait.hook.name},
                                   {"token", wait.notice.token},
                                   {"expires_in", seconds(wait.expires - aws.clock().now())}});
    }
    if (!waits.empty()) item["waits"] = std::move(waits);
    list.push_back(std::move(item));
  }
  return list;
}

json::array queues_json(AwsWorld& aws) {
  json::array list;
  for (const auto& [name, queue] : aws.queues().all()) {
    const QueueCounts counts = queue->counts();
    list.push_back(json::object{{"name", name},
                                {"visible", counts.visible},
                                {"in_flight", counts.in_flight},
                                {"delayed", counts.delayed}});
  }
  return list;
}

json::array nodes_json(const KubeWorld& kubernetes) {
  json::array list;
  for (const NodeReport& node : kubernetes.nodes()) {
    list.push_back(json::object{{"name", node.name},
                                {"instance", node.instance_id.str()},
                                {"unschedulable", node.unschedulable},
                                {"ready", node.ready},
                                {"pods", node.pods}});
  }
  return list;
}

/// The member "instance" or the list "instances"; empty when one is no instance id.
std::vector<InstanceId> instances_named(const json::value& body) {
  std::vector<std::string_view> names;
  if (const json::array* list = array_at(&body, "instances")) {
    for (const json::value& name : *list)
      names.emplace_back(name.is_string() ? std::string_view(name.get_string()) : "");
  } else {
    names.push_back(string_at(body, "instance"));
  }
  std::vector<InstanceId> ids;
  for (const std::string_view name : names) {
    auto id = parse_instance_id(name);
    if (!id) return {};
    ids.push_back(std::move(*id));
  }
  return ids;
}

std::optional<std::uint64_t> whole(std::string_view text) {
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string query_value(const net::Url& url, std::string_view wanted, std::string_view otherwise) {
  for (const auto& [name, value] : net::parse_query(url.query)) {
    if (name == wanted) return value;
  }
  return std::string(otherwise);
}

}  // namespace

Task<net::HttpReply> ControlHandler::handle(net::HttpRequest request) {
  co_return net::HttpReply(answer(request));
}

net::HttpResponse ControlHandler::answer(const net::HttpRequest& request) {
  const auto url = net::parse_url(request.url);
  if (!url) return refuse(400, url.error().text);
  const std::string_view path = url->path;
  constexpr std::string_view one_fault = "/sandbox/faults/";
  if (path == "/sandbox/faults") return faults(request, {});
  if (path == "/sandbox/aws-rights") return aws_rights(request);
  if (path.starts_with(one_fault)) return faults(request, path.substr(one_fault.size()));
  if (request.method == "GET") {
    if (path == "/sandbox/journal") return journal(query_value(*url, "since", "0"));
    if (path == "/sandbox/promises") return promises(query_value(*url, "finished", "true"));
    if (path == "/sandbox/state") return state();
    if (path == "/sandbox/traffic")
      return reply(200, json::object{{"balancers", traffic_report(world_.aws())}});
  }
  if (path == "/sandbox/terminate" && request.method == "POST") return terminate(request.body);
  constexpr std::array<std::string_view, 4> interruptions{"/sandbox/spot-interruption", "/sandbox/rebalance",
                                                          "/sandbox/capacity-interruption",
                                                          "/sandbox/health"};
  if (std::find(interruptions.begin(), interruptions.end(), path) != interruptions.end())
    return interrupt(path.substr(path.rfind('/') + 1), request);
  if (path == "/sandbox/tokens" && request.method == "POST") return add_token(request.body);
  constexpr std::array<std::string_view, 6> known{"/sandbox/journal", "/sandbox/promises",
                                                  "/sandbox/state",   "/sandbox/terminate",
                                                  "/sandbox/tokens",  "/sandbox/traffic"};
  if (std::find(known.begin(), known.end(), path) != known.end())
    return refuse(405, "use GET for journal, promises, state and traffic, POST for terminate and tokens");
  return refuse(
      404,
      "there is /sandbox/aws-rights, /sandbox/capacity-interruption, /sandbox/faults, /sandbox/health, "
      "/sandbox/journal, /sandbox/promises, /sandbox/rebalance, /sandbox/spot-interruption, /sandbox/state, "
      "/sandbox/terminate, /sandbox/tokens and /sandbox/traffic");
}

net::HttpResponse ControlHandler::faults(const net::HttpRequest& request, std::string_view number) {
  Faults& all = world_.faults();
  if (request.method == "DELETE" && number.empty()) {
    all.clear();
    return reply(200, json::object());
  }
  if (request.method == "DELETE") {
    const auto wanted = whole(number);
    if (wanted && all.remove(*wanted)) return reply(200, json::object());
    return refuse(404, fmt::format("there is no fault {}", number));
  }
  if (request.method == "POST" && number.empty()) return add_fault(request.body);
  if (request.method != "GET" || !number.empty()) return refuse(405, "use GET, POST or DELETE");
  json::array rules;
  for (const FaultRule& rule : all.rules()) rules.push_back(fault_rule_json(rule));
  return reply(200, json::object{{"faults", std::move(rules)}});
}

net::HttpResponse ControlHandler::add_fault(std::string_view body) {
  auto rule = read_fault_rule(body);
  if (!rule) return refuse(400, rule.error().text);
  world_.faults().add(std::move(*rule));
  return reply(201, fault_rule_json(world_.faults().rules().back()));
}

net::HttpResponse ControlHandler::journal(std::string_view since) {
  const auto first = whole(since);
  if (!first) return refuse(400, fmt::format("since is \"{}\"; it must be a whole number", since));
  const auto& entries = world_.journal().entries();
  json::array list;
  for (std::size_t i = *first; i < entries.size(); ++i) list.push_back(as_json(entries[i], world_.clock()));
  return reply(200, json::object{{"entries", std::move(list)}, {"next", entries.size()}});
}

net::HttpResponse ControlHandler::promises(std::string_view finished) {
  if (finished != "true" && finished != "false") return refuse(400, "finished must be true or false");
  PromiseTerms terms;
  terms.finished = finished == "true";
  json::array broken;
  for (const std::string& text : broken_promises(world_.journal(), terms)) broken.emplace_back(text);
  return reply(200, json::object{{"broken", std::move(broken)}});
}

net::HttpResponse ControlHandler::state() {
  return reply(200, json::object{{"time", format_rfc3339_millis(world_.clock().wall())},
                                 {"instances", instances_json(world_.aws())},
                                 {"queues", queues_json(world_.aws())},
                                 {"nodes", nodes_json(world_.kubernetes())},
                                 {"aws_calls", as_json(world_.journal().aws_calls())},
                                 {"kubernetes_calls", as_json(world_.journal().kubernetes_calls())}});
}

net::HttpResponse ControlHandler::aws_rights(const net::HttpRequest& request) {
  AccessRights& current = world_.keys().rights;
  if (request.method == "DELETE") {
    current = AccessRights();
  } else if (request.method == "POST") {
    auto parsed = parse_json(request.body);
    if (!parsed) return refuse(400, parsed.error().text);
    const json::array* actions = array_at(&*parsed, "actions");
    auto wanted = actions == nullptr ? AccessRights::of_policy(*parsed) : AccessRights::of_actions(*actions);
    if (!wanted) return refuse(400, wanted.error().text);
    current = std::move(*wanted);
  } else if (request.method != "GET") {
    return refuse(405, "use GET, POST or DELETE");
  }
  const auto& allowed = current.actions();
  if (!allowed) return reply(200, json::object{{"actions", nullptr}});
  json::array list;
  for (const std::string& action : *allowed) list.emplace_back(action);
  return reply(200, json::object{{"actions", std::move(list)}});
}

net::HttpResponse ControlHandler::terminate(std::string_view body) {
  auto parsed = parse_json(body);
  if (!parsed) return refuse(400, parsed.error().text);
  const auto ids = instances_named(*parsed);
  if (ids.empty())
    return refuse(400, "name instance ids: {\"instance\":\"i-…\"} or {\"instances\":[\"i-…\",…]}");
  const json::value* decrement = find(*parsed, "decrement");
  if (decrement != nullptr && !decrement->is_bool()) return refuse(400, "decrement must be true or false");
  json::object last;
  for (const InstanceId& id : ids) {
    auto activity =
        world_.aws().groups().terminate_in_group(id, decrement == nullptr || decrement->as_bool());
    if (!activity) return refuse(404, activity.error().text);
    last = {{"group", activity->group}, {"activity", activity->id}};
  }
  return reply(200, last);
}

net::HttpResponse ControlHandler::interrupt(std::string_view how, const net::HttpRequest& request) {
  if (request.method != "POST") return refuse(405, "use POST");
  Interruptions& all = world_.aws().interruptions();
  auto order = read_interruption(how, request.body);
  if (!order) return refuse(400, order.error().text);
  if (how == "health") {
    order->health.start = order->start.value_or(world_.clock().wall());
    return reply(200, json::object{{"event_arn", all.health(std::move(order->health))}});
  }
  bool done = false;
  if (how == "spot-interruption") done = all.spot(order->instance, order->action);
  if (how == "rebalance") done = all.rebalance(order->instance);
  if (how == "capacity-interruption") done = all.capacity(order->instance);
  if (!done) return refuse(404, "EC2 has no such instance, or it is ending: " + order->instance.str());
  return reply(200, json::object{{"instance", order->instance.str()}});
}

net::HttpResponse ControlHandler::add_token(std::string_view body) {
  auto parsed = parse_json(body);
  if (!parsed) return refuse(400, parsed.error().text);
  const std::string user(string_at(*parsed, "user"));
  if (user.empty())
    return refuse(400, "user must be a name: {\"user\":\"reader\",\"rights\":\"nodes:get,list\"}");
  auto rights = read_rights(string_at(*parsed, "rights"));
  if (!rights) return refuse(400, rights.error().text);
  const Secret token = world_.add_token(user, std::move(*rights));
  return reply(201, json::object{{"user", user}, {"token", token.reveal()}});
}

}  // namespace ferryman::sandbox
