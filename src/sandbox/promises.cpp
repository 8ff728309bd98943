// SPDX-License-Identifier: Apache-2.0
#include "sandbox/promises.h"

#include <fmt/format.h>

#include <algorithm>

#include "sandbox/drain_promises.h"
#include "sandbox/promise_records.h"

namespace ferryman::sandbox {

namespace {

class Checker {
 public:
  explicit Checker(const PromiseTerms& terms) : terms_(terms) {}

  void read(const JournalEntry& entry) {
    if (!in_our_cluster(entry)) return;
    if (entry.service == "world") {
      read_fact(entry);
    } else if (entry.outcome == "ok") {
      read_call(entry);
    }
    drain_.read(entry);
  }

  void finish() {
    drain_.finish();
    if (!terms_.finished) return;
    for (const auto& [id, record] : instances_) {
      if (record.waits > record.ended_waits) broken(6, fmt::format("the hook of {} was never completed", id));
    }
    for (const auto& [id, message] : messages_) {
      for (const std::string& instance : message.instances) {
        if (instances_.contains(instance))
          broken(3, fmt::format("message {} about {} is left", id, instance));
      }
    }
  }

  std::vector<std::string> result() && { return std::move(broken_); }

 private:
  void broken(int promise, const std::string& text) {
    broken_.push_back(fmt::format("promise {}: {}", promise, text));
  }

  /// Of AWS there is one for all.
  [[nodiscard]] bool in_our_cluster(const JournalEntry& entry) const {
    const bool of_a_cluster = entry.service == "kubernetes" || entry.operation.starts_with("node.") ||
                              entry.operation.starts_with("pod.");
    return !of_a_cluster || detail(entry, "cluster") == terms_.cluster;
  }
  [[nodiscard]] bool by_us(const JournalEntry& entry) const {
    return terms_.caller.empty() || detail(entry, "caller") == terms_.caller;
  }
  [[nodiscard]] bool our_hook(const JournalEntry& entry) const {
    return terms_.hooks.empty() || terms_.hooks.contains(detail(entry, "hook"));
  }
  [[nodiscard]] bool tagged_as_ours(const std::string& tags) const { return has_any(tags, terms_.own_tags); }

  InstanceRecord* by_node(const std::string& node) {
    const auto id = nodes_.find(node);
    return id == nodes_.end() ? nullptr : &instances_[id->second];
  }

  void read_fact(const JournalEntry& entry) {
    const std::string& what = entry.operation;
    if (what == "node.added") {
      nodes_[entry.subject] = detail(entry, "instance");
      instances_[detail(entry, "instance")].node = entry.subject;
    } else if (what == "node.removed") {
      if (InstanceRecord* record = by_node(entry.subject)) record->over = record->gone = true;
    } else if (what == "node.unknown" || what == "node.started") {
      if (InstanceRecord* record = by_node(entry.subject)) record->unknown = what == "node.unknown";
    } else if (what == "message.sent") {
      const MessageRecord& message = messages_[entry.subject] = MessageRecord(entry, terms_.deadlines);
      if (message.speaks_of_an_end()) {
        for (const std::string& instance : message.instances) tell(instance, entry.at, message.ends);
      }
    } else if (what == "message.expired") {
      messages_.erase(entry.subject);
    } else if (what == "message.deleted") {
      check_delete(entry);
    } else if (what.starts_with("instance.")) {
      read_instance(entry);
    } else if (what.starts_with("hook.")) {
      read_hook(entry);
    } else if (what.starts_with("pod.")) {
      read_pod(entry);
    } else if (what.starts_with("target.")) {
      targets_.read(entry);
    }
  }

  void read_instance(const JournalEntry& entry) {
    const std::string what = entry.operation.substr(entry.operation.find('.') + 1);
    if (what == "launched" || what == "running") alive_.insert(entry.subject);
    if (what == "terminated") alive_.erase(entry.subject);
    if (what == "launched" && tagged_as_ours(detail(entry, "tags"))) instances_[entry.subject];
    const auto found = instances_.find(entry.subject);
    if (found == instances_.end()) return;
    InstanceRecord& record = found->second;
    if (what == "stopped" || what == "terminated") {
      record.gone = true;
    } else if ((what == "running" && record.gone) || what == "rebooted") {
      evicting_.erase(record.node);
      record.come_back();
    } else if (what != "launched" && what != "running" && what != "pending") {
      tell(entry.subject, entry.at);
    }
  }

  void tell(const std::string& instance, SteadyTime at, std::optional<SteadyTime> ends = {}) {
    const auto found = instances_.find(instance);
    if (found == instances_.end()) return;
    InstanceRecord& record = found->second;
    if (!record.told) record.told = at;
    if (ends) record.ends = std::min(*ends, record.ends.value_or(*ends));
  }

  void read_hook(const JournalEntry& entry) {
    if (entry.operation == "hook.completed" && by_us(entry)) check_whose(entry, "completed");
    const auto found = instances_.find(entry.subject);
    if (found == instances_.end()) return;
    const bool launch = detail(entry, "transition") == "autoscaling:EC2_INSTANCE_LAUNCHING";
    InstanceRecord& record = found->second;
    if (entry.operation == "hook.waiting" && !launch) tell(entry.subject, entry.at);
    if (launch || !our_hook(entry)) return;
    if (entry.operation == "hook.waiting") {
      ++record.waits;
      return;
    }
    ++record.ended_waits;
    record.over = record.over || record.ended_waits >= record.waits;
    if (entry.operation == "hook.timed_out" && !terms_.hooks_may_time_out) {
      broken(5, fmt::format("hook {} of {} timed out", detail(entry, "hook"), entry.subject));
    }
    if (entry.operation == "hook.completed" && by_us(entry)) check_completion(entry, record);
  }

  void check_whose(const JournalEntry& entry, const char* what) {
    if (!our_hook(entry))
      broken(4, fmt::format("hook {} of {}, another's, was {}", detail(entry, "hook"), entry.subject, what));
    if (!terms_.own_tags.empty() && !instances_.contains(entry.subject))
      broken(2, fmt::format("the hook of foreign {} was {}", entry.subject, what));
    if (entry.operation != "hook.completed") return;
    const std::string key = entry.subject + "|" + detail(entry, "hook") + "|" + detail(entry, "token");
    if (!completions_.insert(key).second)
      broken(4, fmt::format("the hook of {} was completed twice", entry.subject));
  }

  void check_completion(const JournalEntry& entry, const InstanceRecord& record) {
    const bool final_deadline = record.told && entry.at - *record.told >= terms_.final_deadline;
    const bool taken = record.ends && entry.at >= *record.ends - terms_.margin;
    if (final_deadline || taken || record.gone) return;
    check_left(entry.subject);
    if (record.unknown) return;
    for (const auto& [uid, pod] : pods_) {
      if (pod.node == record.node) {
        broken(4, fmt::format("the hook of {} was completed while pod {} was on its node", entry.subject,
                              pod.name));
      }
    }
    for (const auto& name : unconfirmed_[record.node]) {
      broken(4, fmt::format("pod {} left {} without its kubelet's word", name, record.node));
    }
  }

  void check_left(const std::string& instance) {
    const std::string held = targets_.held(instance, true);
    if (!held.empty())
      broken(4, fmt::format("the hook of {} was completed while load balancers held {}", instance, held));
  }

  /// Asked at the first eviction only: what comes back later is deregistered again as soon as it is seen.
  void check_deregistered(const JournalEntry& eviction, const std::string& node) {
    if (!evicting_.insert(node).second) return;
    const std::string held = targets_.held(nodes_[node], false);
    if (!held.empty())
      broken(4, fmt::format("pod {} was sent off before {} was deregistered from {}", eviction.subject,
                            nodes_[node], held));
  }

  void read_pod(const JournalEntry& entry) {
    const std::string owner = detail(entry, "owner");
    if (owner == "DaemonSet" || owner == "Node" || terms_.kept_pods.contains(entry.subject)) return;
    const std::string uid = detail(entry, "uid");
    const std::string node = detail(entry, "node");
    if (entry.operation == "pod.created" || entry.operation == "pod.scheduled") {
      if (!node.empty()) pods_[uid] = {entry.subject, node};
    } else if (entry.operation == "pod.finished") {
      pods_.erase(uid);
    } else if (entry.operation == "pod.gone") {
      pods_.erase(uid);
      const std::string how = detail(entry, "how");
      const bool confirmed = how == "kubelet" || how == "killed at grace" || how == "not running";
      if (!confirmed && !node.empty()) unconfirmed_[node].push_back(entry.subject);
    }
  }

  void read_call(const JournalEntry& entry) {
    if (entry.operation == "nodes.patch") {
      check_patch(entry);
    } else if (entry.operation == "pods.evict" || entry.operation == "pods.delete") {
      check_eviction(entry);
    } else if (entry.service == "sqs" && entry.operation == "DeleteMessage") {
      check_delete(entry);
    } else if (entry.operation == "RecordLifecycleActionHeartbeat" && by_us(entry)) {
      check_whose(entry, "kept alive");
    }
  }

  void check_patch(const JournalEntry& entry) {
    InstanceRecord* record = by_node(entry.subject);
    if (record == nullptr) return;
    // What came back gets its marks taken off, which makes nothing unschedulable.
    const bool undone = record->returned && detail(entry, "unschedulable") != "true";
    if (!record->told && !undone)
      broken(2, fmt::format("node {} was written, but nobody said that it ends", entry.subject));
    if (record->claimed || detail(entry, "claim") != "present") return;
    record->claimed = true;
    record->claimed_at = entry.at;
  }

  /// Less when AWS takes the instance soon.
  [[nodiscard]] Duration patience(const InstanceRecord& record) const {
    constexpr int share = 12;
    if (!record.ends) return terms_.evictions_wait;
    return std::min(terms_.evictions_wait, (*record.ends - record.claimed_at) / share);
  }

  void check_eviction(const JournalEntry& entry) {
    const auto pod = pods_.find(detail(entry, "uid"));
    if (pod == pods_.end()) return;
    const InstanceRecord* record = by_node(pod->second.node);
    if (record == nullptr) return;
    if (!record->told) broken(2, fmt::format("pod {} was sent off a node that does not end", entry.subject));
    if (!record->claimed)
      broken(2, fmt::format("pod {} was sent off before its node was cordoned", entry.subject));
    if (entry.at - record->claimed_at < patience(*record)) check_deregistered(entry, pod->second.node);
  }

  void check_delete(const JournalEntry& entry) {
    const auto found = messages_.find(entry.subject);
    if (found == messages_.end() || detail(entry, "deleted") == "false") return;
    const MessageRecord message = found->second;
    messages_.erase(found);
    const bool useless = message.useless && entry.at >= *message.useless;
    if (!by_us(entry) || message.kind == "nobodys" || useless) return;
    for (const std::string& instance : message.instances) check_delete_for(message, instance);
  }

  void check_delete_for(const MessageRecord& message, const std::string& instance) {
    const auto known = instances_.find(instance);
    if (known == instances_.end()) {
      if (alive_.contains(instance) && !terms_.exclusive_queue)
        broken(3, fmt::format("a message about foreign {} was deleted", instance));
      return;
    }
    const InstanceRecord& record = known->second;
    if (record.claimed || record.over || record.gone) return;
    if (terms_.ignored_kinds.contains(message.kind) || message.kind == "asg-launch") return;
    broken(3, fmt::format("the message about {} was deleted before a claim was on its node", instance));
  }

  struct PodRecord {
    std::string name;
    std::string node;
  };

  PromiseTerms terms_;
  std::map<std::string, std::string> nodes_;  // name to instance
  std::map<std::string, InstanceRecord> instances_;
  std::set<std::string> alive_;                    // instances that EC2 has not terminated
  std::map<std::string, MessageRecord> messages_;  // those in the queue, by id
  std::map<std::string, PodRecord> pods_;          // those alive on a node, by UID
  std::map<std::string, std::vector<std::string>> unconfirmed_;
  std::set<std::string> completions_;
  TargetRecord targets_;
  std::set<std::string> evicting_;  // nodes whose first pod was sent off
  std::vector<std::string> broken_;
  DrainPromises drain_{terms_, nodes_, instances_, broken_};
};

}  // namespace

std::vector<std::string> broken_promises(const Journal& journal, const PromiseTerms& terms) {
  Checker checker(terms);
  for (const JournalEntry& entry : journal.entries()) checker.read(entry);
  checker.finish();
  return std::move(checker).result();
}

}  // namespace ferryman::sandbox
