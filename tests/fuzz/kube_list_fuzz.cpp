// SPDX-License-Identifier: Apache-2.0
// Lists of Kubernetes objects, read as a stream: cut into pieces anywhere they must say what they say as a
// whole.
#include <algorithm>
#include <vector>

#include "base/json.h"
#include "fuzz/fuzzed_text.h"
#include "kube/list_stream.h"
#include "kube/objects.h"
#include "kube/status.h"

namespace {

using namespace ferryman;

class Items final : public kube::ListRows {
 public:
  void begin() override { texts.clear(); }
  Result<void> item(std::string_view text) override {
    texts.emplace_back(text);
    return {};
  }

  std::vector<std::string> texts;
};

/// The items and the end of a list that comes in pieces of this size.
std::string read(std::string_view text, std::size_t piece, std::vector<std::string>& items) {
  Items rows;
  kube::ListSplitter splitter(rows);
  for (std::size_t at = 0; at < text.size(); at += piece) {
    if (!splitter.feed(text.substr(at, piece))) return "refused";
  }
  const auto page = splitter.finish();
  items = std::move(rows.texts);
  return page ? page->resource_version + " " + page->next : "refused";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  std::vector<std::string> whole;
  std::vector<std::string> cut;
  const std::string end = read(text, std::max<std::size_t>(size, 1), whole);
  const std::string cut_end = read(text, 1 + size % 7, cut);
  fuzz::check(end == cut_end, "pieces end as the whole does");
  fuzz::check(end == "refused" || whole == cut, "pieces hold what the whole holds");
  for (const std::string& item : whole) {
    const auto object = parse_json(item);
    if (!object) continue;
    (void)kube::pod_from(*object);
    if (const auto node = kube::node_from(*object)) fuzz::check(!node->name.empty(), "a Node has a name");
  }
  if (const auto object = parse_json(text)) (void)kube::to_error(kube::read_status(*object));
  (void)kube::to_error(kube::read_status(net::HttpResponse(409, std::string(text))));
  return 0;
}
