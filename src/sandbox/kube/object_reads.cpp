// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/object_reads.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/kube_status.h"
#include "sandbox/kube/object_filter.h"
#include "sandbox/kube/object_output.h"
#include "sandbox/kube/watch_stream.h"

namespace ferryman::sandbox {

namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Result<ObjectFilter> filter_of(KubeCall& call) {
  auto filter = ObjectFilter::parse(call.type->resource, call.parameter("labelSelector"),
                                    call.parameter("fieldSelector"));
  if (filter) {
    filter->space = call.key.space;
    filter->name = call.key.name;
  }
  for (const char* name : {"labelSelector", "fieldSelector", "resourceVersion", "limit", "continue"}) {
    if (!call.parameter(name).empty()) call.details[name] = call.parameter(name);
  }
  return filter;
}

/// Where a list in pages goes on: "<resourceVersion of the first page>:<namespace>/<name> that was last".
struct PageStart {
  std::uint64_t version = 0;
  ObjectKey last;
};

std::optional<PageStart> parse_continue(std::string_view token) {
  const std::size_t colon = token.find(':');
  const std::size_t slash = token.find('/', colon == std::string_view::npos ? 0 : colon);
  const auto version = number(token.substr(0, colon));
  if (colon == std::string_view::npos || slash == std::string_view::npos || !version) return std::nullopt;
  PageStart start;
  start.version = *version;
  start.last = ObjectKey(std::string(token.substr(colon + 1, slash - colon - 1)),
                         std::string(token.substr(slash + 1)));
  return start;
}

net::HttpResponse too_large_version(std::uint64_t asked, std::uint64_t current) {
  json::object details;
  details["causes"] = json::array{
      json::object{{"reason", "ResourceVersionTooLarge"}, {"message", "Too large resource version"}}};
  details["retryAfterSeconds"] = 1;
  return failure(504, "Timeout",
                 fmt::format("Timeout: Too large resource version: {}, current: {}", asked, current),
                 std::move(details));
}

/// Who does not mind an inconsistent list can go on with the token in this answer.
net::HttpResponse expired_page(std::uint64_t current, const PageStart& start) {
  json::object status = failure_status(
      410, "Expired",
      "The provided continue parameter is too old to display a consistent list result. You can start a new "
      "list without "
      "the continue parameter, or use the continue token in this response to retrieve the remainder of the "
      "results. "
      "Continuing with the provided token results in an inconsistent list - objects that were created, "
      "modified, or "
      "deleted between the time the first chunk was returned and now may show up in the list.");
  status["metadata"] = json::object{
      {"continue", json::string(fmt::format("{}:{}/{}", current, start.last.space, start.last.name))}};
  return status_response(status);
}

net::HttpResponse page_response(ClusterState& state, const KubeCall& call, std::vector<ObjectPtr> objects,
                                ListMeta meta, bool selects) {
  const std::size_t limit = number(call.parameter("limit")).value_or(0);
  if (limit > 0 && objects.size() > limit) {
    if (!selects) meta.remaining = objects.size() - limit;
    objects.resize(limit);
    const ObjectKey last = key_of(*objects.back());
    meta.continue_token = fmt::format("{}:{}/{}", meta.version, last.space, last.name);
  }
  return json_response(200, encode_list(OutputStyle(call, state.clock.wall()), objects, meta));
}

/// All that the filter can let pass; one node's pods are found without looking at the others.
std::vector<ObjectPtr> candidates(const ClusterState& state, std::string_view resource,
                                  const ObjectFilter& filter) {
  const std::string_view node = resource == "pods" ? filter.wanted_field("spec.nodeName") : "";
  if (node.empty()) return state.objects.list(resource);
  std::vector<ObjectPtr> pods;
  for (const auto& [key, pod] : state.pods.on_node(node)) pods.push_back(pod);
  return pods;
}

}  // namespace

net::HttpReply get_object(ClusterState& state, KubeCall& call) {
  const ObjectPtr object = state.objects.find(call.type->resource, call.key);
  if (object == nullptr) return not_found(*call.type, call.key.name);
  return json_response(200, encode_object(OutputStyle(call, state.clock.wall()), *object));
}

net::HttpReply list_objects(ClusterState& state, KubeCall& call) {
  const auto filter = filter_of(call);
  if (!filter) return bad_request(filter.error().text);
  ListMeta meta;
  meta.version = state.objects.version();
  const auto asked = number(call.parameter("resourceVersion"));
  if (asked && *asked > meta.version) return too_large_version(*asked, meta.version);
  std::vector<ObjectPtr> objects;
  const std::string_view token = call.parameter("continue");
  if (token.empty()) {
    objects = candidates(state, call.type->resource, *filter);
  } else {
    const auto start = parse_continue(token);
    if (!start || start->version > meta.version) return bad_request("continue key is not valid");
    auto then = state.objects.list_at(call.type->resource, start->version);
    if (!then) return expired_page(meta.version, *start);
    meta.version = start->version;
    objects = std::move(*then);
    std::erase_if(objects, [&](const ObjectPtr& object) { return key_of(*object) <= start->last; });
  }
  std::erase_if(objects, [&](const ObjectPtr& object) { return !filter->matches(*object); });
  return page_response(state, call, std::move(objects), meta, filter->has_selector());
}

Result<std::vector<ObjectPtr>> selected_objects(ClusterState& state, KubeCall& call) {
  const auto filter = filter_of(call);
  if (!filter) return filter.error();
  std::vector<ObjectPtr> objects = state.objects.list(call.type->resource);
  std::erase_if(objects, [&](const ObjectPtr& object) { return !filter->matches(*object); });
  return objects;
}

net::HttpReply watch_objects(ClusterState& state, KubeCall& call) {
  auto filter = filter_of(call);
  if (!filter) return bad_request(filter.error().text);
  WatchPlan plan;
  plan.style = OutputStyle(call, state.clock.wall());
  plan.filter = std::move(*filter);
  plan.bookmarks = call.flag("allowWatchBookmarks");
  const auto asked = number(call.parameter("resourceVersion"));
  plan.after = asked.value_or(0);
  if (plan.after > state.objects.version()) return too_large_version(plan.after, state.objects.version());
  plan.initial_end = call.flag("sendInitialEvents");
  // Without a version, or with 0, a watch begins with what is there.
  plan.initial = plan.after == 0 || plan.initial_end;
  // Unless told, the API server ends a watch after 30 to 60 minutes.
  const auto seconds_asked = number(call.parameter("timeoutSeconds"));
  const std::uint64_t length = seconds_asked && *seconds_asked > 0
                                   ? std::min<std::uint64_t>(*seconds_asked, 86'400)
                                   : 1800 + state.random.below(1800);
  plan.length = std::chrono::seconds{length};
  net::HttpResponse head = json_response(200, {});
  return {std::move(head), std::make_unique<WatchStream>(state, std::move(plan))};
}

}  // namespace ferryman::sandbox
