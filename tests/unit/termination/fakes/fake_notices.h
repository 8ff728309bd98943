// SPDX-License-Identifier: Apache-2.0
// FakeNotices: keeps what was told.
#pragma once

#include <algorithm>
#include <vector>

#include "termination/ports/notices.h"

namespace ferryman::test {

class FakeNotices final : public termination::Notices {
 public:
  void tell(const termination::Notice& notice) override { told.push_back(notice); }

  [[nodiscard]] std::size_t count(termination::NoticeKind kind) const {
    return static_cast<std::size_t>(std::ranges::count(told, kind, &termination::Notice::kind));
  }

  std::vector<termination::Notice> told;
};

}  // namespace ferryman::test
