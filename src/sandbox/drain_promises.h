// SPDX-License-Identifier: Apache-2.0
// DrainPromises: what the record says of how pods were sent off: by UID, in time, not behind their budgets'
// backs, and whose Node was deleted. The checker of the promises owns it and reads each entry first.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sandbox/promise_records.h"
#include "sandbox/promises.h"

namespace ferryman::sandbox {

class DrainPromises {
 public:
  /// What the checker knows: Nodes' instances by name, and their records. All must outlive it.
  DrainPromises(const PromiseTerms& terms, const std::map<std::string, std::string>& nodes,
                const std::map<std::string, InstanceRecord>& instances, std::vector<std::string>& broken)
      : terms_(terms), nodes_(nodes), instances_(instances), broken_(broken) {}

  void read(const JournalEntry& entry);
  /// The record is over.
  void finish();

 private:
  struct PodRecord {
    std::string name;
    std::string node;
    Duration grace{0};
    SteadyTime placed{};
    bool asked = false;
  };

  void broken(int promise, const std::string& text);
  [[nodiscard]] const InstanceRecord* record_of(const std::string& node) const;
  void read_fact(const JournalEntry& entry);
  void read_pod(const JournalEntry& entry);
  void check_sent_off(const JournalEntry& entry);
  void check_taints(const JournalEntry& entry);
  void check_node_deleted(const JournalEntry& entry);
  /// When the pod had to be asked at the latest; empty: nobody said that its node ends.
  [[nodiscard]] std::optional<SteadyTime> latest(const PodRecord& pod) const;
  [[nodiscard]] bool deadline_passed(const InstanceRecord& record, SteadyTime at) const;

  const PromiseTerms& terms_;
  const std::map<std::string, std::string>& nodes_;
  const std::map<std::string, InstanceRecord>& instances_;
  std::vector<std::string>& broken_;
  std::map<std::string, PodRecord> pods_;  // those alive on a node, by UID
  std::set<std::string> running_;          // instances that EC2 has not terminated
  std::set<std::string> tainted_;          // Nodes told of already
  SteadyTime now_{};
};

}  // namespace ferryman::sandbox
