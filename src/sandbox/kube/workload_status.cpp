// SPDX-License-Identifier: Apache-2.0
#include "sandbox/kube/workload_status.h"

#include <algorithm>

#include "sandbox/kube/json_path.h"

namespace ferryman::sandbox {

namespace {

/// A number that is 0 is not written.
void put(json::object& status, const char* name, std::int64_t number) {
  if (number > 0) status[name] = number;
}

std::int64_t generation_of(const json::value& workload) {
  return integer_at(value_at(workload, "metadata"), "generation").value_or(1);
}

/// The condition of that type as it was, while its status is the same; else a new one.
json::value condition(const json::value& workload, std::string_view type, bool holds, std::string_view now) {
  const std::string_view status = holds ? "True" : "False";
  if (const json::array* all = array_at(value_at(workload, "status"), "conditions"); all != nullptr) {
    for (const json::value& one : *all) {
      if (string_at(one, "type") == type && string_at(one, "status") == status) return one;
    }
  }
  json::object made;
  made["type"] = type;
  made["status"] = status;
  made["lastUpdateTime"] = now;
  made["lastTransitionTime"] = now;
  if (type == "Progressing") {
    made["reason"] = "NewReplicaSetAvailable";
    made["message"] = "ReplicaSet has successfully progressed.";
  } else {
    made["reason"] = holds ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable";
    made["message"] =
        holds ? "Deployment has minimum availability." : "Deployment does not have minimum availability.";
  }
  return made;
}

json::value with_status(const json::value& object, json::object status) {
  json::value made = object;
  make_at(made, "status") = std::move(status);
  return made;
}

}  // namespace

json::value deployment_with_status(const json::value& deployment, const WorkloadCounts& counts,
                                   std::string_view now) {
  // A rolling update may take a quarter of the pods away.
  const std::int64_t least = counts.wanted - counts.wanted / 4;
  json::object status;
  status["observedGeneration"] = generation_of(deployment);
  put(status, "replicas", counts.present);
  put(status, "updatedReplicas", counts.present);
  put(status, "readyReplicas", counts.ready);
  put(status, "availableReplicas", counts.ready);
  put(status, "unavailableReplicas", std::max<std::int64_t>(counts.wanted - counts.ready, 0));
  status["conditions"] = json::array{condition(deployment, "Available", counts.ready >= least, now),
                                     condition(deployment, "Progressing", true, now)};
  return with_status(deployment, std::move(status));
}

json::value replica_set_with_status(const json::value& replica_set, const WorkloadCounts& counts) {
  json::object status;
  status["replicas"] = counts.present;
  put(status, "fullyLabeledReplicas", counts.present);
  put(status, "readyReplicas", counts.ready);
  put(status, "availableReplicas", counts.ready);
  status["observedGeneration"] = generation_of(replica_set);
  return with_status(replica_set, std::move(status));
}

json::value daemon_set_with_status(const json::value& daemon_set, const WorkloadCounts& counts) {
  json::object status;
  status["currentNumberScheduled"] = counts.present;
  status["numberMisscheduled"] = 0;
  status["desiredNumberScheduled"] = counts.wanted;
  status["numberReady"] = counts.ready;
  status["observedGeneration"] = generation_of(daemon_set);
  put(status, "updatedNumberScheduled", counts.present);
  put(status, "numberAvailable", counts.ready);
  return with_status(daemon_set, std::move(status));
}

}  // namespace ferryman::sandbox
