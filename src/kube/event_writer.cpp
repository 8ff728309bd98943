// SPDX-License-Identifier: Apache-2.0
#include "kube/event_writer.h"

#include <boost/json/serialize.hpp>

#include "kube/status.h"
#include "net/url.h"

namespace ferryman::kube {

using termination::ClusterEvent;
using termination::EventObject;

namespace {

constexpr std::string_view controller = "ferryman.dev/ferryman";
constexpr std::string_view component = "ferryman";  // kubectl describe shows it under "From"

/// The API server insists on it: an event lives with its object, and without a namespace in "default".
std::string namespace_of(const EventObject& object) {
  return object.object_namespace.empty() ? "default" : object.object_namespace;
}

std::string events_path(const ClusterEvent& event) {
  return "/api/v1/namespaces/" + net::percent_encode(namespace_of(event.about)) + "/events";
}

json::object reference(const EventObject& object) {
  json::object out{{"apiVersion", "v1"}, {"kind", object.kind}, {"name", object.name}};
  if (!object.object_namespace.empty()) out["namespace"] = object.object_namespace;
  if (!object.uid.empty()) out["uid"] = object.uid.str();
  return out;
}

json::object metadata_of(const ClusterEvent& event) {
  json::object out{{"name", event.name}, {"namespace", namespace_of(event.about)}};
  if (event.annotations.empty()) return out;
  json::object annotations;
  for (const auto& [key, value] : event.annotations) annotations[key] = value;
  out["annotations"] = std::move(annotations);
  return out;
}

std::string doing(std::string_view what, const EventObject& about) {
  std::string text = std::string(what) + " an event in namespace " + namespace_of(about);
  return text + " about " + about.kind + " " + about.name;
}

}  // namespace

KubeEventWriter::KubeEventWriter(Context context, std::string instance)
    : context_(std::move(context)), instance_(std::move(instance)) {}

Task<Result<void>> KubeEventWriter::write(Call call, Deadline deadline) {
  const auto response = co_await context_.client.exchange(std::move(call), deadline);
  if (!response) co_return response.error();
  if (response->status >= 200 && response->status < 300) co_return Result<void>();
  const ApiStatus status = read_status(*response);
  if (status.code == 409 && status.reason == "AlreadyExists") co_return Result<void>();
  Error error = to_error(status);
  if (status.code == 403 && status.has_cause("NamespaceTerminating")) {
    error.fault = Fault::conflict;
    error.code = "NamespaceTerminating";
  }
  context_.metrics.failures[error.fault].add();
  co_return error;
}

Task<Result<void>> KubeEventWriter::create(ClusterEvent event, Deadline deadline) {
  json::object body{{"apiVersion", "v1"},
                    {"kind", "Event"},
                    {"metadata", metadata_of(event)},
                    {"involvedObject", reference(event.about)},
                    {"type", event.warning ? "Warning" : "Normal"},
                    {"reason", event.reason},
                    {"message", event.text},
                    {"source", json::object{{"component", component}}},
                    {"reportingComponent", controller},
                    {"reportingInstance", instance_},
                    {"firstTimestamp", format_rfc3339(event.first)},
                    {"lastTimestamp", format_rfc3339(event.last)},
                    {"count", event.count}};
  if (!event.related.name.empty()) body["related"] = reference(event.related);
  Call call("POST", events_path(event));
  call.body = json::serialize(body);
  const auto written = co_await write(std::move(call), deadline);
  if (!written) co_return written.error().within(doing("creating", event.about));
  co_return Result<void>();
}

Task<Result<void>> KubeEventWriter::repeat(ClusterEvent event, Deadline deadline) {
  const json::object body{
      {"count", event.count}, {"lastTimestamp", format_rfc3339(event.last)}, {"message", event.text}};
  Call call("PATCH", events_path(event) + "/" + net::percent_encode(event.name));
  call.content_type = "application/merge-patch+json";
  call.body = json::serialize(body);
  const auto written = co_await write(std::move(call), deadline);
  if (!written) co_return written.error().within(doing("patching", event.about));
  co_return Result<void>();
}

}  // namespace ferryman::kube
