// SPDX-License-Identifier: Apache-2.0
// NodeCache: all Nodes by name and by instance id, only what we keep of them. A reflector feeds it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kube/list_stream.h"
#include "kube/reflector.h"
#include "termination/ports/cluster.h"

namespace ferryman::kube {

class NodeCache final : public ReflectorTarget, private ListRows {
 public:
  explicit NodeCache(Context context);

  /// Pointers are valid until the next suspension. When two Nodes carry one instance id (a machine that came
  /// back under another name), the younger one is it.
  [[nodiscard]] const termination::Node* find(const InstanceId& id) const;
  [[nodiscard]] const termination::Node* find_by_name(std::string_view name) const;
  [[nodiscard]] std::vector<termination::Node> claimed() const;
  /// By name. `visit` must not suspend.
  void each(const std::function<void(const termination::Node&)>& visit) const;
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  Signal& changed() { return changed_; }

  /// The answer to a read or a write of ours; an event that is older does not undo it. Taken only for a Node
  /// that is here: what the watch has removed, or not brought yet, is left to the watch.
  void put(const json::value& object);

  Task<Result<std::string>> list() override;
  bool apply(const WatchEvent& event) override;
  void lost() override {}
  [[nodiscard]] bool wanted() const override { return true; }
  Signal& wanted_changed() override { return changed_; }

 private:
  class Row {
   public:
    termination::Node node;
    std::uint64_t seen = 0;  // the newest list that named it
    std::uint64_t put = 0;   // the newest list during which it was put
  };

  void begin() override;
  Result<void> item(std::string_view text) override;
  Row& replace(termination::Node node);
  void forget_instance(const Row& row);
  void remove(std::string_view name);
  void drop_unseen();

  Context context_;
  Signal changed_;
  std::map<std::string, Row, std::less<>> rows_;
  std::multimap<InstanceId, Row*> by_instance_;
  std::uint64_t list_ = 0;
};

}  // namespace ferryman::kube
