// SPDX-License-Identifier: Apache-2.0
#include "notify/notice_board.h"

namespace ferryman::notify {

void NoticeBoard::tell(const termination::Notice& notice) {
  metrics_.notices[notice.kind].add();
  for (termination::Notices* listener : listeners_) listener->tell(notice);
}

}  // namespace ferryman::notify
