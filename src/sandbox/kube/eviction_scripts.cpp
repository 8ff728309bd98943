// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/eviction_scripts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/kube_status.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

namespace {

std::vector<std::string_view> parts_of(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(between), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string_view annotation(const json::value& pod, std::string_view key) {
  return string_at(value_at(pod, "metadata.annotations"), key);
}

std::int64_t number(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  constexpr std::int64_t most = 1'000'000;
  return std::clamp<std::int64_t>(value, 0, most);
}

/// Empty: the script is over, or there is none.
std::string_view step_at(std::string_view script, std::size_t call) {
  std::vector<std::string_view> steps = parts_of(script, ',');
  if (steps.empty()) return {};
  const bool repeats = steps.back().ends_with('*');
  if (repeats) steps.back().remove_suffix(1);
  if (call < steps.size()) return steps[call];
  return repeats ? steps.back() : std::string_view();
}

net::HttpResponse too_many(std::int64_t seconds) {
  json::object details;
  if (seconds > 0) details["retryAfterSeconds"] = seconds;
  return failure(429, "TooManyRequests",
                 "the server has received too many requests and has asked us to try again later",
                 std::move(details));
}

net::HttpResponse no_eviction_right(const KubeCall& call) {
  return failure(
      403, "Forbidden",
      fmt::format("pods \"{}\" is forbidden: User \"{}\" cannot create resource \"pods/eviction\" in API "
                  "group \"\" in the namespace \"{}\"",
                  call.key.name, call.user.name, call.key.space),
      details_of(*call.type, call.key.name));
}

}  // namespace

ScriptedEviction EvictionScripts::next(const KubeCall& call, const json::value& pod) {
  ScriptedEviction made;
  const std::string_view script = annotation(pod, evictions_annotation);
  const std::size_t n = calls_[std::string(uid_of(pod))]++;
  if (n == 0) begin(call.key, pod);
  const std::string_view step = step_at(script, n);
  if (step.empty()) return made;
  made.accepted = step == "201";
  if (!made.accepted) made.refusal = refusal(call, pod, step);
  if (step == "404") kubelets_.drop(call.key, "kubelet");
  return made;
}

net::HttpResponse EvictionScripts::refusal(const KubeCall& call, const json::value& pod,
                                           std::string_view step) const {
  const std::string_view code = step.substr(0, step.find('/'));
  const std::string_view variant = step.substr(std::min(code.size() + 1, step.size()));
  if (code == "429") return variant.empty() ? refused_by_budget("scripted", 1, 1) : too_many(number(variant));
  if (code == "403" && variant == "rights") return no_eviction_right(call);
  if (code == "403" && variant == "budget") {
    return failure(
        403, "Forbidden",
        "poddisruptionbudgets.policy \"scripted\" is forbidden: pdb disruptions allowed is negative",
        {{"name", "scripted"}, {"group", "policy"}, {"kind", "poddisruptionbudgets"}});
  }
  if (code == "403") return namespace_ends(*call.type, call.key.name, call.key.space);
  if (code == "404") return not_found(*call.type, call.key.name);
  if (code == "409") {
    return conflict(
        *call.type, call.key.name,
        fmt::format("the UID in the precondition does not match the UID in record ({})", uid_of(pod)));
  }
  if (variant == "error")
    return failure(500, "InternalError", "Internal error occurred: etcdserver: timeout");
  return two_budgets();
}

void EvictionScripts::begin(const ObjectKey& key, const json::value& pod) {
  const auto parts = parts_of(annotation(pod, after_eviction_annotation), '/');
  if (parts.size() < 2) return;
  const std::string node(parts.size() > 2 ? parts[2] : std::string_view());
  state_.timeline.after(std::chrono::seconds{number(parts[1])},
                        [this, key, uid = std::string(uid_of(pod)), node] { leave(key, uid, node); });
}

void EvictionScripts::leave(const ObjectKey& key, const std::string& uid, const std::string& to_node) {
  const ObjectPtr now = state_.objects.find("pods", key);
  if (now == nullptr || uid_of(*now) != uid) return;
  json::value again = *now;
  kubelets_.drop(key, "kubelet");
  if (to_node.empty()) return;
  make_at(again, "spec.nodeName") = to_node;
  erase_at(again, "metadata.deletionTimestamp");
  erase_at(again, "metadata.deletionGracePeriodSeconds");
  json::value& annotations = make_at(again, "metadata.annotations");
  for (const std::string_view script : {evictions_annotation, after_eviction_annotation}) {
    if (annotations.is_object()) annotations.get_object().erase(script);
  }
  state_.objects.create("pods", std::move(again));
}

}  // namespace ferryman::sandbox
