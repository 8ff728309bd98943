// SPDX-License-Identifier: Apache-2.0
#include "kube/eviction.h"

#include "kube/status.h"

namespace ferryman::kube {

using termination::Eviction;
using termination::EvictionAnswer;

namespace {

Eviction answer(EvictionAnswer answer, const ApiStatus& status) {
  Eviction eviction(answer, status.message);
  eviction.retry_after = status.retry_after;
  for (const std::string& detail : status.cause_messages) {
    if (!detail.empty()) eviction.reason += " " + detail;
  }
  return eviction;
}

/// Told as a Status with code 500 and without a reason.
bool is_doubly_blocked(const ApiStatus& status) {
  return status.code == 500 && status.message.find("more than one PodDisruptionBudget") != std::string::npos;
}

}  // namespace

Result<Eviction> read_eviction(const net::HttpResponse& response) {
  const ApiStatus status = read_status(response);
  if (status.code >= 200 && status.code < 300) return Eviction();
  if (is_doubly_blocked(status)) return answer(EvictionAnswer::doubly_blocked, status);
  if (status.code == 429 && status.has_cause("DisruptionBudget")) {
    return answer(EvictionAnswer::blocked, status);
  }
  if (status.code == 403 && status.has_cause("NamespaceTerminating")) {
    return answer(EvictionAnswer::leaving, status);
  }
  // A budget whose numbers are out of bounds: its controller counts anew. Older servers name no cause.
  const bool names_a_budget =
      status.has_cause("DisruptionBudget") || status.kind.starts_with("poddisruptionbudget");
  if (status.code == 403 && names_a_budget) return answer(EvictionAnswer::blocked, status);
  Error error = to_error(status);
  if (error.fault == Fault::not_found) return answer(EvictionAnswer::gone, status);
  return error;
}

}  // namespace ferryman::kube
