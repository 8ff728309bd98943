// SPDX-License-Identifier: Apache-2.0
// Pod objects, and the questions that models ask of a Pod. How a pod's containers behave stands in
// annotations of the pod itself (sandbox.ferryman.dev/…, times in milliseconds), so that any client can make
// such a pod.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/time.h"
#include "sandbox/kube/kube_specs.h"

namespace ferryman::sandbox {

/// The controller that a pod belongs to; empty kind: none.
class PodOwner {
 public:
  PodOwner() = default;
  PodOwner(std::string kind_in, std::string name_in, std::string uid_in)
      : kind(std::move(kind_in)), name(std::move(name_in)), uid(std::move(uid_in)) {}

  std::string kind;  // "ReplicaSet", "DaemonSet", "Node" (a mirror pod)
  std::string name;
  std::string uid;
};

json::value pod_object(const PodSpec& spec, const PodOwner& owner);

/// metadata.ownerReferences with the one controller.
json::array owner_references(const PodOwner& owner);

/// Running, with all containers started; `ready` or not.
void set_running(json::value& pod, bool ready, std::string_view now, std::string_view pod_ip);
/// status.hostIP, from the addresses of the pod's node; a null node has none.
void set_host_ip(json::value& pod, const json::value* node);
void set_ready(json::value& pod, bool ready, std::string_view now);

bool is_pod_ready(const json::value& pod);
bool is_terminating(const json::value& pod);
/// Succeeded or Failed.
bool is_finished(const json::value& pod);
bool is_mirror(const json::value& pod);
std::string_view node_of(const json::value& pod);
std::string_view uid_of(const json::value& object);
/// The UID and kind of the controlling owner; empty when there is none.
std::string_view owner_uid(const json::value& pod);
std::string_view owner_kind(const json::value& pod);
std::string_view owner_name(const json::value& pod);
std::chrono::seconds grace_of(const json::value& pod);
Duration end_time_of(const json::value& pod);
Duration ready_after_of(const json::value& pod);
/// Its containers never end, whatever is sent to them: only a forced deletion removes it.
bool is_stuck(const json::value& pod);
/// It stays Pending on its node, as with an image that cannot be pulled.
bool never_starts(const json::value& pod);
/// Its container fails soon after each start: it is never Ready.
bool is_crash_looping(const json::value& pod);
/// Names of the PersistentVolumeClaims that its volumes come from.
std::vector<std::string> claims_of(const json::value& pod);

/// Whether a budget's or controller's selector (matchLabels and matchExpressions) takes the labels of
/// `object`. An empty selector takes all.
bool matches_selector(const json::value& selector, const json::value& object);

}  // namespace ferryman::sandbox
