// SPDX-License-Identifier: Apache-2.0
// NoticeBoard: counts each notice and hands it on to all who listen. The product knows the board alone. Where
// the product does not know the instance's Node yet, as at the start of a termination, the board looks for
// it.
#pragma once

#include <functional>
#include <vector>

#include "notify/metrics.h"
#include "termination/ports/cluster.h"

namespace ferryman::notify {

class NoticeBoard final : public termination::Notices {
 public:
  /// Null: there is none.
  using FindNode = std::function<const termination::Node*(const InstanceId& instance_id)>;

  /// The metrics must outlive the board.
  NoticeBoard(Metrics& metrics, FindNode find_node) : metrics_(metrics), find_node_(std::move(find_node)) {}

  /// The listener must outlive the board.
  void add(termination::Notices& listener) { listeners_.push_back(&listener); }

  void tell(const termination::Notice& notice) override;

 private:
  Metrics& metrics_;
  FindNode find_node_;
  std::vector<termination::Notices*> listeners_;
};

}  // namespace ferryman::notify
