// SPDX-License-Identifier: Apache-2.0
// EvictionScripts: what evictions of one pod are answered, whatever its budgets say, for stories that need it
// exactly. Two annotations of the pod:
// sandbox.ferryman.dev/evictions, "429,429/8,201": an answer per call, "*" behind the last one repeats it;
// sandbox.ferryman.dev/after-eviction, "gone/20" or "moved/20/node-b": so many seconds after the first call.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "net/http.h"
#include "sandbox/kube/cluster_state.h"
#include "sandbox/kube/kube_call.h"
#include "sandbox/kube/kubelets.h"

namespace ferryman::sandbox {

inline constexpr std::string_view evictions_annotation = "sandbox.ferryman.dev/evictions";
inline constexpr std::string_view after_eviction_annotation = "sandbox.ferryman.dev/after-eviction";

/// What a script says of one call.
class ScriptedEviction {
 public:
  ScriptedEviction() = default;

  bool accepted = false;                       // past budgets; else:
  std::optional<net::HttpResponse> refusal{};  // empty: nothing is said, as for any pod
};

class EvictionScripts {
 public:
  EvictionScripts(ClusterState& state, Kubelets& kubelets) : state_(state), kubelets_(kubelets) {}

  /// Takes the next step of the pod's script. Steps: 201; 429 (a budget refuses), 429/N (no budget,
  /// Retry-After N); 403 (its namespace terminates), 403/budget, 403/rights; 404 (and it is gone); 409;
  /// 500 (two budgets), 500/error.
  ScriptedEviction next(const KubeCall& call, const json::value& pod);

 private:
  void begin(const ObjectKey& key, const json::value& pod);
  void leave(const ObjectKey& key, const std::string& uid, const std::string& to_node);
  [[nodiscard]] net::HttpResponse refusal(const KubeCall& call, const json::value& pod,
                                          std::string_view step) const;

  ClusterState& state_;
  Kubelets& kubelets_;
  std::map<std::string, std::size_t> calls_;  // by UID
};

}  // namespace ferryman::sandbox
