// SPDX-License-Identifier: Apache-2.0
#include "app/stderr_log.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>

namespace ferryman::app {

// Standard error is shared with others (a terminal, a shell), so it is not made non-blocking: poll asks
// first. A pipe that is ready takes at least PIPE_BUF (4 KiB) at once; a longer line may wait for its reader,
// so it is cut there.
void StderrLog::write(const LogRecord& record) {
  constexpr std::size_t longest = 4096;
  std::string line = json_ ? format_json(record) : format_text(record);
  if (!json_ && line.size() >= longest) line.resize(longest - 1);
  line += '\n';
  pollfd ready{fd_, POLLOUT, 0};
  const bool can_write = ::poll(&ready, 1, 0) == 1 && (ready.revents & POLLOUT) != 0;
  if (!can_write || ::write(fd_, line.data(), line.size()) < 0) ++dropped_;
}

}  // namespace ferryman::app
