// SPDX-License-Identifier: Apache-2.0
// NoticeBoard: hands each notice on to all who listen. The product knows the board alone.
#pragma once

#include <vector>

#include "termination/ports/notices.h"

namespace ferryman::notify {

class NoticeBoard final : public termination::Notices {
 public:
  /// The listener must outlive the board.
  void add(termination::Notices& listener) { listeners_.push_back(&listener); }

  void tell(const termination::Notice& notice) override;

 private:
  std::vector<termination::Notices*> listeners_;
};

}  // namespace ferryman::notify
