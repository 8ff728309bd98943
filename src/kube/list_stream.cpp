// SPDX-License-Identifier: Apache-2.0
#include "kube/list_stream.h"

#include <fmt/format.h>

#include "net/url.h"

namespace ferryman::kube {

namespace {

// etcd takes objects up to 1.5 MiB; as JSON they grow.
constexpr std::size_t longest_item = std::size_t{4} << 20U;
constexpr std::size_t longest_rest = std::size_t{64} << 10U;
constexpr std::size_t longest_key = 16;
constexpr int page_size = 500;

Error not_a_list(std::string_view why) {
  return {Fault::unexpected, fmt::format("the API server's list cannot be read: {}", why)};
}

}  // namespace

bool ListSplitter::in_string(char c) {
  if (!quoted_) {
    quoted_ = c == '"';
    return quoted_;
  }
  if (escaped_) {
    escaped_ = false;
  } else if (c == '\\') {
    escaped_ = true;
  } else if (c == '"') {
    quoted_ = false;
  }
  return true;
}

/// Remembers the newest string at the top level, so that `"items": [` is known when the bracket comes.
void ListSplitter::note_key(char c) {
  if (depth_ != 1) return;
  if (c == ',' && !quoted_) last_text_.clear();
  if (!quoted_ || last_text_.size() > longest_key) return;
  if (c == '"') {
    last_text_.clear();
  } else {
    last_text_ += c;
  }
}

Result<std::size_t> ListSplitter::feed_rest(std::string_view piece) {
  std::size_t used = 0;
  while (used < piece.size() && !in_items_) {
    const char c = piece[used++];
    const bool text = in_string(c);
    note_key(c);
    if (text) continue;
    if (c == '[' && depth_ == 1 && last_text_ == "items") in_items_ = true;
    if (c == '{' || c == '[') ++depth_;
    if ((c == '}' || c == ']') && depth_ > 0) --depth_;
  }
  rest_ += piece.substr(0, used);
  if (rest_.size() > longest_rest) return not_a_list("it is too long outside of its items");
  return used;
}

Result<void> ListSplitter::end_item(std::string_view text) {
  if (item_.empty()) return rows_.item(text);
  item_ += text;
  auto taken = rows_.item(item_);
  item_.clear();
  return taken;
}

Result<std::size_t> ListSplitter::feed_items(std::string_view piece) {
  std::size_t start = 0;  // of the current item in this piece
  for (std::size_t i = 0; i < piece.size(); ++i) {
    const char c = piece[i];
    if (in_string(c)) {
      if (item_depth_ == 0) return not_a_list("an item is no object");
      continue;
    }
    if (c == '{' || (c == '[' && item_depth_ > 0)) {
      if (item_depth_++ == 0) start = i;
    } else if (item_depth_ > 0 && (c == '}' || c == ']')) {
      if (--item_depth_ > 0) continue;
      auto taken = end_item(piece.substr(start, i + 1 - start));
      if (!taken) return std::move(taken).error();
    } else if (item_depth_ == 0 && c == ']') {
      in_items_ = false;
      depth_ = 1;
      last_text_.clear();
      rest_ += ']';
      return i + 1;
    } else if (item_depth_ == 0 && c != ',' && c != ' ' && c != '\n' && c != '\r' && c != '\t') {
      return not_a_list("an item is no object");
    }
  }
  if (item_depth_ > 0) item_ += piece.substr(start);
  if (item_.size() > longest_item)
    return not_a_list(fmt::format("an item is longer than {} bytes", longest_item));
  return piece.size();
}

Result<void> ListSplitter::feed(std::string_view piece) {
  while (!piece.empty()) {
    auto used = in_items_ ? feed_items(piece) : feed_rest(piece);
    if (!used) return std::move(used).error();
    piece.remove_prefix(*used);
  }
  return {};
}

Result<ListPage> ListSplitter::finish() {
  if (in_items_ || quoted_ || depth_ != 0) return not_a_list("it is cut off");
  const auto rest = parse_json(rest_);
  if (!rest) return not_a_list(rest.error().text);
  const json::value* items = find(*rest, "items");
  if (items == nullptr || !(items->is_array() || items->is_null())) return not_a_list("it has no items");
  ListPage page;
  const json::value* metadata = find(*rest, "metadata");
  page.resource_version = string_at(metadata, "resourceVersion");
  page.next = string_at(metadata, "continue");
  if (page.resource_version.empty()) return not_a_list("it has no resourceVersion");
  return page;
}

namespace {

Task<Result<ListPage>> read_page(Client& client, const Call& call, ListRows& rows, Deadline deadline) {
  FERRYMAN_TRY(body, co_await client.open(call, deadline));
  ListSplitter splitter(rows);
  for (;;) {
    FERRYMAN_TRY(piece, co_await body->read(client.attempt_deadline(deadline)));
    if (piece.empty()) co_return splitter.finish();
    auto fed = splitter.feed(piece);
    if (!fed) co_return std::move(fed).error();
  }
}

Task<Result<std::string>> read_pages(Client& client, const Call& call, ListRows& rows, Deadline deadline) {
  const char joint = call.path.find('?') == std::string::npos ? '?' : '&';
  const std::string first = fmt::format("{}{}limit={}", call.path, joint, page_size);
  std::string version;
  std::string next;
  do {
    Call page_call = call;
    page_call.path = next.empty() ? first : first + "&continue=" + net::percent_encode(next);
    FERRYMAN_TRY(page, co_await read_page(client, page_call, rows, deadline));
    if (version.empty()) version = page.resource_version;
    if (page.next == next && !next.empty()) co_return not_a_list("its continue token does not move");
    next = page.next;
  } while (!next.empty());
  co_return version;
}

}  // namespace

Task<Result<std::string>> read_list(Client& client, Call call, ListRows& rows, Deadline deadline) {
  constexpr int most_starts = 3;
  for (int start = 1;; ++start) {
    rows.begin();
    auto version = co_await read_pages(client, call, rows, deadline);
    if (version || version.error().code != "Expired" || start == most_starts) co_return version;
  }
}

}  // namespace ferryman::kube
