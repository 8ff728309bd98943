// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/pod_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sandbox/kube/json_path.h"
#include "sandbox/kube/kube_status.h"
#include "sandbox/kube/object_output.h"
#include "sandbox/kube/object_reads.h"
#include "sandbox/kube/object_writes.h"
#include "sandbox/kube/pod_objects.h"

namespace ferryman::sandbox {

namespace {

/// The grace that the options ask for, else the pod's own.
std::chrono::seconds wanted_grace(const KubeCall& call, const json::value& options, const json::value& pod) {
  auto asked = integer_at(&options, "gracePeriodSeconds");
  const std::string_view parameter = call.parameter("gracePeriodSeconds");
  if (!asked && !parameter.empty() && parameter.size() < 10 &&
      parameter.find_first_not_of("0123456789") == std::string_view::npos) {
    asked = std::stoll(std::string(parameter));
  }
  if (!asked) return grace_of(pod);
  // The API server takes a negative grace for the shortest.
  return std::chrono::seconds{*asked < 0 ? 1 : *asked};
}

void describe(KubeCall& call, const json::value& options, const json::value& pod,
              std::chrono::seconds grace) {
  call.details["uid"] = uid_of(pod);
  call.details["node"] = node_of(pod);
  call.details["grace"] = std::to_string(grace.count());
  const std::string_view uid = text_at(options, "preconditions.uid");
  if (!uid.empty()) call.details["precondition"] = uid;
  if (is_dry_run(call, options)) call.details["dryRun"] = "All";
}

/// Pods that no budget protects: not started, finished, or on their way out.
bool passes_budgets(const json::value& pod) {
  return is_terminating(pod) || is_finished(pod) || text_at(pod, "status.phase") == "Pending";
}

std::int64_t status_number(const json::value& budget, std::string_view name) {
  return integer_at(value_at(budget, "status"), name).value_or(0);
}

/// False until the disruption controller has seen the budget's latest form.
bool is_counted(const json::value& budget) {
  return status_number(budget, "observedGeneration") >=
         integer_at(value_at(budget, "metadata"), "generation").value_or(1);
}

/// unhealthyPodEvictionPolicy: by default an unready pod may go while its budget is met without it.
bool passes_unready(const json::value& budget, const json::value& pod) {
  if (is_pod_ready(pod)) return false;
  if (text_at(budget, "spec.unhealthyPodEvictionPolicy") == "AlwaysAllow") return true;
  const std::int64_t desired = status_number(budget, "desiredHealthy");
  return desired > 0 && status_number(budget, "currentHealthy") >= desired;
}

/// A budget that the disruption controller has not counted yet names a time; one that is spent does not.
net::HttpResponse not_counted_yet(std::string_view name) {
  json::object cause;
  cause["reason"] = "DisruptionBudget";
  cause["message"] = fmt::format("The disruption budget {} is still being processed by the server.", name);
  json::object details;
  details["causes"] = json::array{std::move(cause)};
  details["retryAfterSeconds"] = 10;
  return failure(429, "TooManyRequests", "Cannot evict pod as it would violate the pod's disruption budget.",
                 std::move(details));
}

net::HttpResponse budget_refuses(const json::value& budget) {
  const std::string_view name = text_at(budget, "metadata.name");
  if (!is_counted(budget)) return not_counted_yet(name);
  return refused_by_budget(name, status_number(budget, "desiredHealthy"),
                           status_number(budget, "currentHealthy"));
}

/// Empty when the budgets allow it; spends one disruption unless `dry`.
std::optional<net::HttpResponse> ask_budgets(KubeWorld& world, const json::value& pod, bool dry) {
  if (passes_budgets(pod)) return std::nullopt;
  const std::vector<ObjectPtr> budgets = world.budgets().covering(pod);
  if (budgets.empty()) return std::nullopt;
  if (budgets.size() > 1) return two_budgets();
  const json::value& budget = *budgets.front();
  if (passes_unready(budget, pod)) return std::nullopt;
  if (!is_counted(budget) || status_number(budget, "disruptionsAllowed") <= 0) return budget_refuses(budget);
  if (!dry) world.budgets().spend(budget, pod);
  return std::nullopt;
}

}  // namespace

net::HttpReply evict_pod(KubeWorld& world, KubeCall& call) {
  const auto eviction = body_of(call);
  if (!eviction) return bad_request(eviction.error().text);
  const std::string_view named = text_at(*eviction, "metadata.name");
  if (named != call.key.name) return bad_request("name in URL does not match name in Eviction object");
  const ObjectPtr pod = world.state().objects.find("pods", call.key);
  if (pod == nullptr) return not_found(*call.type, call.key.name);
  const json::value* given = find(*eviction, "deleteOptions");
  const json::value options = given == nullptr ? json::value(json::object()) : *given;
  const std::chrono::seconds grace = wanted_grace(call, options, *pod);
  describe(call, options, *pod, grace);
  // To evict is to create: admission comes before all else.
  if (world.namespaces().ends(call.key.space))
    return namespace_ends(*call.type, call.key.name, call.key.space);
  ScriptedEviction scripted = world.scripts().next(call, *pod);
  if (scripted.refusal) return std::move(*scripted.refusal);
  // The budget is asked first, as the API server does.
  auto failed = failed_precondition(call, options, *pod);
  const bool dry = is_dry_run(call, options);
  if (!scripted.accepted) {
    if (auto answer = ask_budgets(world, *pod, dry || failed)) return std::move(*answer);
  }
  if (failed) return std::move(*failed);
  if (!dry) world.kubelets().delete_pod(call.key, grace);
  return success(201);
}

net::HttpReply delete_pod(KubeWorld& world, KubeCall& call) {
  const auto options = body_of(call);
  if (!options) return bad_request(options.error().text);
  ObjectPtr pod = world.state().objects.find("pods", call.key);
  if (pod == nullptr) return not_found(*call.type, call.key.name);
  const std::chrono::seconds grace = wanted_grace(call, *options, *pod);
  describe(call, *options, *pod, grace);
  if (auto answer = failed_precondition(call, *options, *pod)) return std::move(*answer);
  if (!is_dry_run(call, *options)) pod = world.kubelets().delete_pod(call.key, grace);
  return json_response(200, encode_object(OutputStyle(call, world.state().clock.wall()), *pod));
}

net::HttpReply delete_namespace(KubeWorld& world, KubeCall& call) {
  const auto pods = world.state().objects.list("pods");
  const bool empty = std::none_of(pods.begin(), pods.end(), [&](const ObjectPtr& pod) {
    return text_at(*pod, "metadata.namespace") == call.key.name;
  });
  if (empty) return delete_object(world.state(), call);
  const auto options = body_of(call);
  if (!options) return bad_request(options.error().text);
  const ObjectPtr space = world.state().objects.find("namespaces", call.key);
  if (space == nullptr) return not_found(*call.type, call.key.name);
  if (auto answer = failed_precondition(call, *options, *space)) return std::move(*answer);
  // The namespace controller needs a moment.
  if (!is_dry_run(call, *options)) world.end_namespace(call.key.name, std::chrono::seconds{1});
  const ObjectPtr going = world.state().objects.find("namespaces", call.key);
  return json_response(200, encode_object(OutputStyle(call, world.state().clock.wall()), *going));
}

net::HttpReply delete_collection(KubeWorld& world, KubeCall& call) {
  ClusterState& state = world.state();
  const std::string_view resource = call.type->resource;
  if (resource == "namespaces") return not_allowed();
  const auto options = body_of(call);
  if (!options) return bad_request(options.error().text);
  auto objects = selected_objects(state, call);
  if (!objects) return bad_request(objects.error().text);
  const bool dry = is_dry_run(call, *options);
  for (ObjectPtr& object : *objects) {
    const ObjectKey key = key_of(*object);
    if (dry) continue;
    if (resource == "pods") {
      object = world.kubelets().delete_pod(key, wanted_grace(call, *options, *object));
    } else {
      state.objects.remove(resource, key);
    }
  }
  ListMeta meta;
  meta.version = state.objects.version();
  return json_response(200, encode_list(OutputStyle(call, state.clock.wall()), *objects, meta));
}

}  // namespace ferryman::sandbox
