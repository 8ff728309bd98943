// SPDX-License-Identifier: Apache-2.0
// NoticeBoard: counts each notice and hands it on to all who listen. The product knows the board alone.
#pragma once

#include <vector>

#include "notify/metrics.h"

namespace ferryman::notify {

class NoticeBoard final : public termination::Notices {
 public:
  /// The metrics must outlive the board.
  explicit NoticeBoard(Metrics& metrics) : metrics_(metrics) {}

  /// The listener must outlive the board.
  void add(termination::Notices& listener) { listeners_.push_back(&listener); }

  void tell(const termination::Notice& notice) override;

 private:
  Metrics& metrics_;
  std::vector<termination::Notices*> listeners_;
};

}  // namespace ferryman::notify
