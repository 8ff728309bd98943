// SPDX-License-Identifier: Apache-2.0
#include "kube/list_stream.h"

#include <gtest/gtest.h>

#include "unit/kube/kube_fixture.h"

namespace ferryman::test {

namespace {

class Kept final : public kube::ListRows {
 public:
  void begin() override { items.clear(); }
  Result<void> item(std::string_view text) override {
    items.emplace_back(text);
    return {};
  }
  std::vector<std::string> items;
};

/// The items are full of what a careless splitter falls for.
const std::string list = R"({"kind":"NodeList","items" : [ {"a":"]}\"{[\\"}, {"b":[{"items":[1,{}]}]} ,{}],
  "metadata":{"resourceVersion":"42","continue":"next","items":[7]}})";

Result<kube::ListPage> split(Kept& rows, std::string_view text, std::size_t at) {
  kube::ListSplitter splitter(rows);
  for (const std::string_view piece : {text.substr(0, at), text.substr(at)}) {
    auto fed = splitter.feed(piece);
    if (!fed) return fed.error();
  }
  return splitter.finish();
}

kube::Call nodes() {
  return {"GET", "/api/v1/nodes"};
}

}  // namespace

TEST(ListStream, SplitsAtAnyByte) {
  for (std::size_t at = 0; at <= list.size(); ++at) {
    Kept rows;
    const auto page = split(rows, list, at);
    ASSERT_TRUE(page.ok()) << at << ": " << page.error().text;
    EXPECT_EQ(page->resource_version, "42");
    EXPECT_EQ(page->next, "next");
    ASSERT_EQ(rows.items,
              (std::vector<std::string>{R"({"a":"]}\"{[\\"})", R"({"b":[{"items":[1,{}]}]})", "{}"}))
        << at;
  }
}

TEST(ListStream, HandsAnItemOnAsSoonAsItEnds) {
  Kept rows;
  kube::ListSplitter splitter(rows);
  ASSERT_TRUE(splitter.feed(R"({"items":[{"a":1},{"b":)").ok());
  EXPECT_EQ(rows.items.size(), 1U);
  ASSERT_TRUE(splitter.feed("2}").ok());
  EXPECT_EQ(rows.items.size(), 2U);
}

TEST(ListStream, AListCutOffAnywhereIsAnErrorAndNeverAShorterList) {
  for (std::size_t size = 0; size < list.size(); ++size) {
    Kept rows;
    ASSERT_FALSE(split(rows, std::string_view(list).substr(0, size), size / 2).ok()) << size;
  }
}

TEST(ListStream, WhatIsNoListIsAnError) {
  for (const std::string text :
       {"{}", "[]", "5", "<html></html>", R"({"items":[]})",
        R"({"items":5,"metadata":{"resourceVersion":"1"}})", R"({"metadata":{"resourceVersion":"1"}})",
        R"({"items":[5],"metadata":{"resourceVersion":"1"}})",
        R"({"items":["{}"],"metadata":{"resourceVersion":"1"}})",
        R"({"items":[],"metadata":{"resourceVersion":1}})",
        R"({"items":[[]],"metadata":{"resourceVersion":"1"}})",
        R"({"x":{"items":[{}]},"metadata":{"resourceVersion":"1"}})",
        R"({"items":[],"metadata":{"resourceVersion":"1"}}x)",
        R"({"kind":"Status","metadata":{},"code":500})"}) {
    Kept rows;
    const auto page = split(rows, text, text.size() / 2);
    ASSERT_FALSE(page.ok()) << text;
    EXPECT_EQ(page.error().fault, Fault::unexpected);
  }
  Kept rows;
  EXPECT_TRUE(split(rows, R"({"items":null,"metadata":{"resourceVersion":"1"}})", 3).ok());
}

TEST(ListStream, HoldsNeitherAnEndlessItemNorAnEndlessHead) {
  const std::string megabyte(std::size_t{1} << 20U, 'x');
  for (const std::string start : {R"({"items":[{"a":")", R"({"a":")"}) {
    Kept rows;
    kube::ListSplitter splitter(rows);
    auto fed = splitter.feed(start);
    for (int i = 0; i < 6 && fed; ++i) fed = splitter.feed(megabyte);
    EXPECT_FALSE(fed.ok()) << start;
  }
}

TEST(ListStream, ReadsAllPagesInSmallPieces) {
  KubeFixture kube;
  kube.server.piece_size = 7;
  for (int i = 0; i < 1201; ++i) kube.server.add_node("n" + std::to_string(i), instance(i).str());
  Kept rows;
  const auto version = kube.sim.run(kube::read_list(*kube.client, nodes(), rows, kube.soon()));
  ASSERT_TRUE(version.ok()) << version.error().text;
  EXPECT_EQ(*version, std::to_string(kube.server.version()));
  EXPECT_EQ(rows.items.size(), 1201U);
  EXPECT_EQ(kube.server.lists("/api/v1/nodes"), 3U);
}

TEST(ListStream, StartsAnewWhenItsPlaceExpiresBetweenPages) {
  KubeFixture kube;
  for (int i = 0; i < 600; ++i) kube.server.add_node("n" + std::to_string(i), instance(i).str());
  bool compacted = false;
  kube.server.intercept = [&](const net::HttpRequest& request) -> std::optional<net::HttpReply> {
    if (compacted || request.url.find("continue=") == std::string::npos) return std::nullopt;
    compacted = true;
    kube.server.add_node("late", instance(999).str());
    kube.server.compact();
    return std::nullopt;
  };
  Kept rows;
  const auto version = kube.sim.run(kube::read_list(*kube.client, nodes(), rows, kube.soon()));
  ASSERT_TRUE(version.ok()) << version.error().text;
  EXPECT_EQ(rows.items.size(), 601U);
  EXPECT_EQ(kube.server.lists("/api/v1/nodes"), 4U);
}

TEST(ListStream, AContinueTokenThatDoesNotMoveEndsTheList) {
  KubeFixture kube;
  kube.server.intercept = [](const net::HttpRequest&) {
    return net::HttpReply(
        net::HttpResponse(200, R"({"items":[],"metadata":{"resourceVersion":"1","continue":"x"}})"));
  };
  Kept rows;
  EXPECT_FALSE(kube.sim.run(kube::read_list(*kube.client, nodes(), rows, kube.soon())).ok());
}

}  // namespace ferryman::test
