// SPDX-License-Identifier: Apache-2.0
#include "sandbox/drain_promises.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ferryman::sandbox {

namespace {

using std::chrono::seconds;

/// Clocks tick in seconds here and there, and a call takes its time.
constexpr Duration tolerance = seconds{2};
/// From a claim, or a pod's binding, to its eviction when there is no time to lose.
constexpr Duration reaction = seconds{10};

/// Taints that Kubernetes' own controllers set.
bool is_clusters_own(std::string_view taint) {
  constexpr std::array own = {"node.kubernetes.io/unreachable:", "node.kubernetes.io/not-ready:",
                              "node.cloudprovider.kubernetes.io/"};
  return std::any_of(own.begin(), own.end(), [&](const char* one) { return taint.starts_with(one); });
}

bool ends_pods(const std::string& taints) {
  const auto all = split(taints);
  return std::any_of(all.begin(), all.end(), [](const std::string& taint) {
    return taint.ends_with(":NoExecute") && !is_clusters_own(taint);
  });
}

Duration grace_of(const JournalEntry& entry) {
  const std::string text = detail(entry, "grace");
  return text.empty() ? Duration{0} : Duration(seconds{std::stol(text)});
}

}  // namespace

void DrainPromises::broken(int promise, const std::string& text) {
  broken_.push_back(fmt::format("promise {}: {}", promise, text));
}

const InstanceRecord* DrainPromises::record_of(const std::string& node) const {
  const auto id = nodes_.find(node);
  if (id == nodes_.end()) return nullptr;
  const auto found = instances_.find(id->second);
  return found == instances_.end() ? nullptr : &found->second;
}

void DrainPromises::read(const JournalEntry& entry) {
  now_ = entry.at;
  if (entry.service == "world") return read_fact(entry);
  if (entry.service != "kubernetes" || entry.outcome != "ok" || !detail(entry, "dryRun").empty()) return;
  if (entry.operation == "pods.evict" || entry.operation == "pods.delete") check_sent_off(entry);
  if (entry.operation == "nodes.patch") check_taints(entry);
  if (entry.operation == "nodes.delete") check_node_deleted(entry);
}

void DrainPromises::read_fact(const JournalEntry& entry) {
  if (entry.operation.starts_with("pod.")) return read_pod(entry);
  if (entry.operation == "instance.running") running_.insert(entry.subject);
  if (entry.operation == "instance.terminated") running_.erase(entry.subject);
  if (entry.operation == "node.added") running_.insert(detail(entry, "instance"));
}

void DrainPromises::read_pod(const JournalEntry& entry) {
  const std::string owner = detail(entry, "owner");
  if (owner == "DaemonSet" || owner == "Node" || terms_.kept_pods.contains(entry.subject)) return;
  const std::string uid = detail(entry, "uid");
  if (entry.operation == "pod.created" || entry.operation == "pod.scheduled") {
    const std::string node = detail(entry, "node");
    if (!node.empty()) pods_[uid] = {entry.subject, node, grace_of(entry), entry.at, false};
  } else if (entry.operation == "pod.finished" || entry.operation == "pod.gone") {
    pods_.erase(uid);
  } else if (entry.operation == "pod.terminating") {
    const auto pod = pods_.find(uid);
    if (pod == pods_.end() || pod->second.asked) return;
    pod->second.asked = true;
    const auto limit = latest(pod->second);
    if (!limit || entry.at <= *limit + tolerance) return;
    broken(4, fmt::format("pod {} was asked {:.0f} s too late for its grace", entry.subject,
                          std::chrono::duration<double>(entry.at - *limit).count()));
  }
}

void DrainPromises::check_sent_off(const JournalEntry& entry) {
  const InstanceRecord* record = record_of(detail(entry, "node"));
  if (record == nullptr || !record->told || !detail(entry, "precondition").empty()) return;
  broken(2,
         fmt::format("pod {} was sent off by its name alone, which another may have by then", entry.subject));
}

bool DrainPromises::deadline_passed(const InstanceRecord& record, SteadyTime at) const {
  if (record.told && at - *record.told >= terms_.final_deadline) return true;
  return record.ends && at >= *record.ends - terms_.margin;
}

void DrainPromises::check_taints(const JournalEntry& entry) {
  const InstanceRecord* record = record_of(entry.subject);
  if (record == nullptr || !ends_pods(detail(entry, "taints"))) return;
  if (record->over || record->gone || deadline_passed(*record, entry.at)) return;
  const auto left = std::find_if(pods_.begin(), pods_.end(),
                                 [&](const auto& pod) { return pod.second.node == entry.subject; });
  if (left == pods_.end() || !tainted_.insert(entry.subject).second) return;
  broken(9,
         fmt::format("node {} was tainted NoExecute while pod {} was on it: what that ends, past its budget, "
                     "nobody can undo",
                     entry.subject, left->second.name));
}

void DrainPromises::check_node_deleted(const JournalEntry& entry) {
  const auto id = nodes_.find(entry.subject);
  if (id == nodes_.end() || !running_.contains(id->second)) return;
  broken(9, fmt::format("node {} was deleted although {} is not terminated", entry.subject, id->second));
}

std::optional<SteadyTime> DrainPromises::latest(const PodRecord& pod) const {
  const InstanceRecord* record = record_of(pod.node);
  if (!terms_.ask_margin || record == nullptr || !record->told || !record->claimed) return std::nullopt;
  SteadyTime due = *record->told + terms_.final_deadline;
  if (record->ends) due = std::min(due, *record->ends);
  return std::max(
      {due - pod.grace - *terms_.ask_margin, record->claimed_at + reaction, pod.placed + reaction});
}

void DrainPromises::finish() {
  for (const auto& [uid, pod] : pods_) {
    const auto limit = latest(pod);
    if (!pod.asked && limit && now_ > *limit + tolerance) {
      broken(4, fmt::format("pod {} was never asked to go", pod.name));
    }
  }
}

}  // namespace ferryman::sandbox
