// SPDX-License-Identifier: Apache-2.0
#include "app/stderr_log.h"

#include <poll.h>
#include <unistd.h>

#include <array>

#include "base/text.h"

namespace ferryman::app {

namespace {

constexpr std::size_t longest = 4095;  // without the line's end

// Half a JSON object is none, so a record that is too long keeps its context and says how long it was.
std::string json_line(const LogRecord& record) {
  std::string line = format_json(record);
  if (line.size() <= longest) return line;
  const std::array<LogField, 1> cut{LogField{"cut_bytes", line.size()}};
  line = format_json({record.time, record.level, record.event, record.context, cut});
  if (line.size() <= longest) return line;
  return format_json({record.time, record.level, record.event, {}, cut});
}

}  // namespace

// Standard error is shared with others (a terminal, a shell), so it is not made non-blocking: poll asks
// first. A pipe that is ready takes at least PIPE_BUF (4 KiB) at once; a longer line could wait for its
// reader, so there is none.
void StderrLog::write(const LogRecord& record) {
  std::string line = json_ ? json_line(record) : shortened(format_text(record), longest - 3);
  line += '\n';
  pollfd ready{fd_, POLLOUT, 0};
  const bool can_write = ::poll(&ready, 1, 0) == 1 && (ready.revents & POLLOUT) != 0;
  if (!can_write || ::write(fd_, line.data(), line.size()) < 0) ++dropped_;
}

}  // namespace ferryman::app
