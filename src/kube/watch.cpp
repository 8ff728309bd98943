// SPDX-License-Identifier: Apache-2.0
#include "kube/watch.h"

#include <fmt/format.h>

#include "kube/status.h"
#include "net/url.h"

namespace ferryman::kube {

namespace {

// etcd takes objects up to 1.5 MiB; as JSON they grow.
constexpr std::size_t longest_line = std::size_t{4} << 20U;

std::optional<WatchEventKind> kind_of(std::string_view type) {
  if (type == "ADDED") return WatchEventKind::added;
  if (type == "MODIFIED") return WatchEventKind::modified;
  if (type == "DELETED") return WatchEventKind::deleted;
  if (type == "BOOKMARK") return WatchEventKind::bookmark;
  return std::nullopt;
}

}  // namespace

Watch::Watch(std::unique_ptr<net::HttpStream> body, std::string version)
    : body_(std::move(body)), version_(std::move(version)) {}

Task<Result<std::unique_ptr<Watch>>> Watch::open(Client& client, Call call, std::string version,
                                                 std::chrono::seconds length, Deadline deadline) {
  const char joint = call.path.find('?') == std::string::npos ? '?' : '&';
  call.path += fmt::format("{}watch=true&allowWatchBookmarks=true&timeoutSeconds={}&resourceVersion={}",
                           joint, length.count(), net::percent_encode(version));
  FERRYMAN_TRY(body, co_await client.open(std::move(call), deadline));
  co_return std::make_unique<Watch>(std::move(body), std::move(version));
}

/// The view is valid until the buffer grows.
std::optional<std::string_view> Watch::take_line() {
  const std::size_t end = buffer_.find('\n', searched_);
  if (end == std::string::npos) {
    buffer_.erase(0, start_);
    start_ = 0;
    searched_ = buffer_.size();
    return std::nullopt;
  }
  const std::string_view line = std::string_view(buffer_).substr(start_, end - start_);
  start_ = searched_ = end + 1;
  return line;
}

Result<WatchEvent> Watch::read_event(std::string_view line) {
  auto parsed = parse_json(line);
  if (!parsed) return Error(Fault::unexpected, "a line of the watch is " + parsed.error().text);
  const json::value* object = find(*parsed, "object");
  const std::string_view type = string_at(*parsed, "type");
  if (object == nullptr || !object->is_object())
    return Error(Fault::unexpected, "a line of the watch has no object");
  if (type == "ERROR") return to_error(read_status(*object));
  const auto kind = kind_of(type);
  if (!kind) return Error(Fault::unexpected, "a line of the watch has a type that we do not know");
  const std::string_view version = string_at(find(object, "metadata"), "resourceVersion");
  if (version.empty()) return Error(Fault::unexpected, "a line of the watch has no resourceVersion");
  version_ = version;
  WatchEvent event;
  event.kind = *kind;
  event.object = std::move(parsed->get_object()["object"]);
  return event;
}

Task<Result<std::optional<WatchEvent>>> Watch::next(Deadline deadline) {
  for (;;) {
    if (const auto line = take_line()) {
      if (line->empty()) continue;
      auto event = read_event(*line);
      if (!event) co_return std::move(event).error();
      co_return std::optional(std::move(*event));
    }
    if (buffer_.size() > longest_line) {
      co_return Error(Fault::unexpected, "TooLarge",
                      fmt::format("a line of the watch is longer than {} bytes", longest_line));
    }
    FERRYMAN_TRY(piece, co_await body_->read(deadline));
    if (piece.empty() && !buffer_.empty())
      co_return Error(Fault::transport, "the watch was cut off in a line");
    if (piece.empty()) co_return std::optional<WatchEvent>();
    buffer_ += piece;
  }
}

}  // namespace ferryman::kube
