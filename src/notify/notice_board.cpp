// SPDX-License-Identifier: Apache-2.0
#include "notify/notice_board.h"

namespace ferryman::notify {

void NoticeBoard::tell(const termination::Notice& notice) {
  for (termination::Notices* listener : listeners_) listener->tell(notice);
}

}  // namespace ferryman::notify
