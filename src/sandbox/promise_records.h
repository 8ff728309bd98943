// SPDX-License-Identifier: Apache-2.0
// What the checker of the promises remembers of instances, messages and load balancers while it reads the
// record.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sandbox/journal.h"

namespace ferryman::sandbox {

inline std::string detail(const JournalEntry& entry, const std::string& key) {
  const auto found = entry.details.find(key);
  return found == entry.details.end() ? std::string() : found->second;
}

inline std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    parts.push_back(text.substr(from, comma - from));
    from = comma + 1;
  }
  return parts;
}

/// Whether one of the tags ("key=value,…") is wanted, by its key or with its value.
inline bool has_any(const std::string& tags, const std::set<std::string>& wanted) {
  const auto all = split(tags);
  return std::any_of(all.begin(), all.end(), [&](const std::string& tag) {
    return wanted.contains(tag) || wanted.contains(tag.substr(0, tag.find('=')));
  });
}

/// What the record says of one instance of ours so far.
class InstanceRecord {
 public:
  /// It came back under the same id: what was said and done before is over.
  void come_back() {
    const std::string name = std::move(node);
    *this = InstanceRecord();
    node = name;
    returned = true;
  }

  std::string node;
  std::optional<SteadyTime> told;  // when a message, a waiting hook or EC2 first spoke of its end
  std::optional<SteadyTime> ends;  // when AWS takes it, as the earliest notice says
  bool claimed = false;            // a claim is on its Node, and with it the cordon
  SteadyTime claimed_at{};
  bool over = false;      // completed, dropped or gone
  bool gone = false;      // stopped or terminated: nothing runs there
  bool unknown = false;   // its kubelet is silent, and its Node's Ready says so: nobody confirms an end
  bool returned = false;  // what was done to its Node may be undone
  int waits = 0;          // hooks of ours that began to wait
  int ended_waits = 0;
};

/// One message in the queue.
class MessageRecord {
 public:
  MessageRecord() = default;
  /// `deadlines`: how long after its message an end of that kind comes, where the message does not say it.
  MessageRecord(const JournalEntry& sent, const std::map<std::string, Duration>& deadlines)
      : kind(detail(sent, "kind")), instances(split(detail(sent, "instances"))) {
    const std::string one = detail(sent, "instance");
    if (!one.empty()) instances.push_back(one);
    const std::string life = detail(sent, "useful_for");
    if (!life.empty()) useless = sent.at + std::chrono::seconds{std::stol(life)};
    const std::string warning = detail(sent, "ends_in");
    const auto known = deadlines.find(kind);
    if (!warning.empty()) {
      ends = sent.at + std::chrono::seconds{std::stol(warning)};
    } else if (known != deadlines.end()) {
      ends = sent.at + known->second;
    }
  }

  /// It says that its instances end, or may end.
  [[nodiscard]] bool speaks_of_an_end() const { return kind != "nobodys" && kind != "asg-launch"; }

  std::string kind;  // empty: a body that the sandbox does not know
  std::vector<std::string> instances;
  std::optional<SteadyTime> ends;     // when AWS takes the instance
  std::optional<SteadyTime> useless;  // from then on nobody can act on it
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

}  // namespace ferryman::sandbox
