// SPDX-License-Identifier: Apache-2.0
#include "sandbox/promises.h"

#include <fmt/format.h>

#include <optional>
#include <set>

namespace ferryman::sandbox {

namespace {

std::string detail(const JournalEntry& entry, const std::string& key) {
  const auto found = entry.details.find(key);
  return found == entry.details.end() ? std::string() : found->second;
}

/// What the record says of one instance so far.
struct InstanceRecord {
  std::string node;
  std::optional<SteadyTime> told;  // when a message or a waiting hook first spoke of its end
  bool claimed = false;            // a claim is on its Node, and with it the cordon
  SteadyTime claimed_at{};
  bool over = false;  // completed, dropped or gone
  int waits = 0;      // hooks that began to wait
  int ended_waits = 0;
};

/// Which load balancers hold which instance.
class TargetRecord {
 public:
  void read(const JournalEntry& entry) {
    const std::string target = detail(entry, "group") + " port " + detail(entry, "port");
    auto& of_instance = held_[detail(entry, "instance")];
    if (entry.operation == "target.gone") {
      of_instance.erase(target);
    } else {
      of_instance[target] = entry.operation == "target.draining";
    }
  }

  /// "2 targets, the first in web port 80", or empty; with `draining`, those count too that were deregistered
  /// and not let go yet.
  [[nodiscard]] std::string held(const std::string& instance, bool draining) const {
    const auto found = held_.find(instance);
    if (found == held_.end()) return {};
    std::size_t count = 0;
    std::string first;
    for (const auto& [target, leaves] : found->second) {
      if (leaves && !draining) continue;
      if (count++ == 0) first = target;
    }
    return count == 0 ? std::string() : fmt::format("{} targets, the first in {}", count, first);
  }

 private:
  std::map<std::string, std::map<std::string, bool>> held_;  // instance to target to whether it drains
};

class Checker {
 public:
  explicit Checker(const PromiseTerms& terms) : terms_(terms) {}

  void read(const JournalEntry& entry) {
    if (entry.service == "world") {
      read_fact(entry);
    } else if (entry.outcome == "ok") {
      read_call(entry);
    }
  }

  void finish() {
    if (!terms_.finished) return;
    for (const auto& [id, record] : instances_) {
      if (record.waits > record.ended_waits) broken(6, fmt::format("the hook of {} was never completed", id));
    }
    for (const auto& [message, instance] : messages_) {
      if (instances_.contains(instance))
        broken(3, fmt::format("message {} about {} is left", message, instance));
    }
  }

  std::vector<std::string> result() && { return std::move(broken_); }

 private:
  void broken(int promise, const std::string& text) {
    broken_.push_back(fmt::format("promise {}: {}", promise, text));
  }

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
      if (InstanceRecord* record = by_node(entry.subject)) record->over = true;
    } else if (what == "message.sent") {
      messages_[entry.subject] = detail(entry, "instance");
      tell(detail(entry, "instance"), entry.at);
    } else if (what == "instance.launched" || what == "instance.running") {
      alive_.insert(entry.subject);
    } else if (what == "instance.terminated") {
      alive_.erase(entry.subject);
    } else if (what == "message.expired") {
      messages_.erase(entry.subject);
    } else if (what == "message.deleted") {
      check_delete(entry);
    } else if (what.starts_with("hook.")) {
      read_hook(entry);
    } else if (what.starts_with("pod.")) {
      read_pod(entry);
    } else if (what.starts_with("target.")) {
      targets_.read(entry);
    }
  }

  void tell(const std::string& instance, SteadyTime at) {
    const auto found = instances_.find(instance);
    if (found != instances_.end() && !found->second.told) found->second.told = at;
  }

  void read_hook(const JournalEntry& entry) {
    const auto found = instances_.find(entry.subject);
    if (found == instances_.end()) return;
    InstanceRecord& record = found->second;
    if (entry.operation == "hook.waiting") {
      tell(entry.subject, entry.at);
      ++record.waits;
      return;
    }
    ++record.ended_waits;
    record.over = record.over || record.ended_waits >= record.waits;
    if (entry.operation == "hook.timed_out" && !terms_.hooks_may_time_out) {
      broken(5, fmt::format("hook {} of {} timed out", detail(entry, "hook"), entry.subject));
    }
    if (entry.operation == "hook.completed") check_completion(entry, record);
  }

  void check_completion(const JournalEntry& entry, const InstanceRecord& record) {
    const std::string key = entry.subject + "|" + detail(entry, "hook") + "|" + detail(entry, "token");
    if (!completions_.insert(key).second)
      broken(4, fmt::format("the hook of {} was completed twice", entry.subject));
    const bool final_deadline = record.told && entry.at - *record.told >= terms_.final_deadline;
    if (final_deadline) return;
    check_left(entry.subject);
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
    if (owner == "DaemonSet" || owner == "Node") return;
    const std::string uid = detail(entry, "uid");
    const std::string node = detail(entry, "node");
    if (entry.operation == "pod.created" || entry.operation == "pod.scheduled") {
      if (!node.empty()) pods_[uid] = {entry.subject, node};
    } else if (entry.operation == "pod.gone") {
      pods_.erase(uid);
      const std::string how = detail(entry, "how");
      const bool confirmed = how != "forced" && how != "node removed";
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
    }
  }

  void check_patch(const JournalEntry& entry) {
    InstanceRecord* record = by_node(entry.subject);
    if (record == nullptr) return;
    if (!record->told)
      broken(2, fmt::format("node {} was written, but nobody said that it ends", entry.subject));
    if (record->claimed || detail(entry, "claim") != "present") return;
    record->claimed = true;
    record->claimed_at = entry.at;
  }

  void check_eviction(const JournalEntry& entry) {
    const auto pod = pods_.find(detail(entry, "uid"));
    if (pod == pods_.end()) return;
    const InstanceRecord* record = by_node(pod->second.node);
    if (record == nullptr) return;
    if (!record->told) broken(2, fmt::format("pod {} was sent off a node that does not end", entry.subject));
    if (!record->claimed)
      broken(2, fmt::format("pod {} was sent off before its node was cordoned", entry.subject));
    if (entry.at - record->claimed_at < terms_.evictions_wait) check_deregistered(entry, pod->second.node);
  }

  void check_delete(const JournalEntry& entry) {
    const auto message = messages_.find(entry.subject);
    if (message == messages_.end() || detail(entry, "deleted") == "false") return;
    const std::string instance = message->second;
    messages_.erase(message);
    const auto known = instances_.find(instance);
    if (known == instances_.end()) {
      if (alive_.contains(instance))
        broken(3, fmt::format("a message about foreign {} was deleted", instance));
      return;
    }
    if (known->second.claimed || known->second.over) return;
    broken(3, fmt::format("the message about {} was deleted before a claim was on its node", instance));
  }

  struct PodRecord {
    std::string name;
    std::string node;
  };

  PromiseTerms terms_;
  std::map<std::string, std::string> nodes_;  // name to instance
  std::map<std::string, InstanceRecord> instances_;
  std::set<std::string> alive_;                  // instances that EC2 has not terminated
  std::map<std::string, std::string> messages_;  // those in the queue: id to instance
  std::map<std::string, PodRecord> pods_;        // those alive on a node, by UID
  std::map<std::string, std::vector<std::string>> unconfirmed_;
  std::set<std::string> completions_;
  TargetRecord targets_;
  std::set<std::string> evicting_;  // nodes whose first pod was sent off
  std::vector<std::string> broken_;
};

}  // namespace

std::vector<std::string> broken_promises(const Journal& journal, const PromiseTerms& terms) {
  Checker checker(terms);
  for (const JournalEntry& entry : journal.entries()) checker.read(entry);
  checker.finish();
  return std::move(checker).result();
}

}  // namespace ferryman::sandbox
