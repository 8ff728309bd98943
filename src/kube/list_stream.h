// SPDX-License-Identifier: Apache-2.0
// Lists read as a stream: a 5,000-node list is 100 MB of JSON, but no more than one item is held at a time.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "kube/client.h"

namespace ferryman::kube {

/// Who gets the items of a list.
class ListRows {
 public:
  virtual ~ListRows() = default;

  /// A list starts, perhaps anew: what came before is void.
  virtual void begin() = 0;
  /// The JSON text of one item, valid during the call. An error ends the list.
  virtual Result<void> item(std::string_view text) = 0;
};

/// What a page says of itself.
class ListPage {
 public:
  ListPage() = default;

  std::string resource_version;  // of the snapshot: a watch goes on from here
  std::string next;              // the "continue" token; empty on the last page
};

/// Splits the text of one page, which may come in any pieces, into items and the rest. The rest is small and
/// is parsed as a whole at the end, with an empty "items".
class ListSplitter {
 public:
  explicit ListSplitter(ListRows& rows) : rows_(rows) {}

  Result<void> feed(std::string_view piece);
  /// Errors: unexpected (cut off, no JSON, no list).
  Result<ListPage> finish();

 private:
  Result<std::size_t> feed_rest(std::string_view piece);
  Result<std::size_t> feed_items(std::string_view piece);
  Result<void> end_item(std::string_view text);
  bool in_string(char c);
  void note_key(char c);

  ListRows& rows_;
  std::string rest_;
  std::string item_;       // the start of an item whose end has not come
  std::string last_text_;  // the newest string at the top level, while it may be a key
  std::size_t depth_ = 0;
  std::size_t item_depth_ = 0;
  bool in_items_ = false;
  bool quoted_ = false;
  bool escaped_ = false;
};

/// All pages of a list ("/api/v1/nodes", further query parameters already in `path`), 500 items each. When
/// the continue token expires between pages (410), the list starts anew. Gives the resource version of the
/// snapshot.
Task<Result<std::string>> read_list(Client& client, Call call, ListRows& rows, Deadline deadline);

}  // namespace ferryman::kube
