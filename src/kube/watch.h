// SPDX-License-Identifier: Apache-2.0
// Watch: one open watch, its lines as events. It knows the version to go on from; its owner decides what to
// do when it ends (kube/reflector).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "kube/client.h"

namespace ferryman::kube {

enum class WatchEventKind : std::uint8_t { added, modified, deleted, bookmark };

class WatchEvent {
 public:
  WatchEvent() = default;

  WatchEventKind kind = WatchEventKind::bookmark;
  json::value object;  // of a bookmark only metadata.resourceVersion counts
};

class Watch {
 public:
  /// Opens a watch of `call.path` from `version` on, with bookmarks; the server ends it after `length`.
  /// Errors: code "Expired" (410: list anew), those of Client::open.
  static Task<Result<std::unique_ptr<Watch>>> open(Client& client, Call call, std::string version,
                                                   std::chrono::seconds length, Deadline deadline);

  Watch(std::unique_ptr<net::HttpStream> body, std::string version);

  /// Empty at the clean end. Errors: deadline (nothing came; still usable), transport (cut off: go on from
  /// `version`), code "Expired" or any other (events may be lost: list anew).
  Task<Result<std::optional<WatchEvent>>> next(Deadline deadline);

  /// Of the newest event or bookmark.
  [[nodiscard]] const std::string& version() const { return version_; }

 private:
  std::optional<std::string_view> take_line();
  Result<WatchEvent> read_event(std::string_view line);

  std::unique_ptr<net::HttpStream> body_;
  std::string version_;
  std::string buffer_;
  std::size_t start_ = 0;     // of the next line in the buffer
  std::size_t searched_ = 0;  // no line ends between `start_` and here
};

}  // namespace ferryman::kube
