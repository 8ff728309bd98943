// SPDX-License-Identifier: Apache-2.0
#include "notify/notice_board.h"

namespace ferryman::notify {

void NoticeBoard::tell(const termination::Notice& notice) {
  metrics_.notices[notice.kind].add();
  termination::Notice named = notice;
  const termination::Node* node = notice.node.empty() ? find_node_(notice.instance_id) : nullptr;
  if (node != nullptr) {
    named.node = node->name;
    named.node_uid = node->uid;
  }
  for (termination::Notices* listener : listeners_) listener->tell(named);
}

}  // namespace ferryman::notify
