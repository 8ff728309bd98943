// SPDX-License-Identifier: Apache-2.0
// Journal: what happened in the sandbox, in order. Each call that took effect or was refused, and each fact
// of the world (a pod gone, a hook timed out). The checker of the promises reads nothing else; reports count
// from it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace ferryman::sandbox {

class JournalEntry {
 public:
  JournalEntry() = default;

  SteadyTime at;
  std::string service;    // "sqs", "autoscaling", "elbv2", "elb", …, "kubernetes"; "world" for a fact
  std::string operation;  // "ReceiveMessage"; Kubernetes: "nodes.patch", "pods.evict"; facts: "pod.gone"
  std::string subject;    // the instance id, message id, node name or "namespace/name" that it is about
  std::string outcome;    // "ok", or the error code that was answered ("ValidationError", "429")
  std::map<std::string, std::string> details;  // such as {"uid": "…"}, {"hook": "…"}, {"node": "…"}
};

class Journal {
 public:
  explicit Journal(const Clock& clock) : clock_(clock), whole_(*this) {}
  /// Writes into `whole`, with these details in each entry: one cluster of several, say. It keeps nothing
  /// itself.
  Journal(Journal& whole, std::map<std::string, std::string> details)
      : clock_(whole.clock_), whole_(whole), details_(std::move(details)) {}
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  void call(std::string service, std::string operation, std::string subject, std::string outcome,
            std::map<std::string, std::string> details = {});
  void fact(std::string operation, std::string subject, std::map<std::string, std::string> details = {});

  /// The first million; later ones are only counted.
  [[nodiscard]] const std::vector<JournalEntry>& entries() const { return whole_.entries_; }
  /// "sqs.ReceiveMessage" or "nodes.patch" (Kubernetes without its prefix) → number of calls, refused ones
  /// included.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& aws_calls() const { return whole_.aws_calls_; }
  [[nodiscard]] const std::map<std::string, std::uint64_t>& kubernetes_calls() const {
    return whole_.kubernetes_calls_;
  }

 private:
  void add(JournalEntry entry);

  const Clock& clock_;
  Journal& whole_;
  std::map<std::string, std::string> details_;
  std::vector<JournalEntry> entries_;
  std::map<std::string, std::uint64_t> aws_calls_;
  std::map<std::string, std::uint64_t> kubernetes_calls_;
};

}  // namespace ferryman::sandbox
