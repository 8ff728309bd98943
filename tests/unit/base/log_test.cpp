// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "base/text.h"
#include "support/simulation.h"

namespace ferryman {
namespace {

using namespace std::chrono_literals;

static_assert(!std::is_constructible_v<LogValue, Secret>);

/// The line that these fields give after "event".
std::string text_line(const LogValue& value) {
  const LogField field{"key", value};
  const WallTime time = *parse_rfc3339("2026-03-01T12:00:00.123Z");
  return format_text(LogRecord{time, Level::info, "event", {}, std::span(&field, 1)});
}

std::string json_line(const std::vector<LogField>& fields) {
  const WallTime time = *parse_rfc3339("2026-03-01T12:00:00.123Z");
  return format_json(LogRecord{time, Level::warn, "node.cordoned", {}, fields});
}

TEST(LogText, IsOneLineOfTimeLevelEventAndFields) {
  EXPECT_EQ(text_line(7), "2026-03-01T12:00:00.123Z info  event key=7");
  EXPECT_EQ(text_line("abc"), "2026-03-01T12:00:00.123Z info  event key=abc");
  EXPECT_TRUE(text_line(true).ends_with("key=true"));
  EXPECT_TRUE(text_line(Duration{1500ms}).ends_with("key=1.500"));
  EXPECT_TRUE(text_line(InstanceId("i-1a2b3c4d")).ends_with("key=i-1a2b3c4d"));
  EXPECT_TRUE(text_line(Error(Fault::denied, "no right")).ends_with("key=\"no right\""));
}

TEST(LogText, QuotesWhatCouldBeMistakenForSomethingElse) {
  EXPECT_TRUE(text_line("").ends_with("key=\"\""));
  EXPECT_TRUE(text_line("a b").ends_with("key=\"a b\""));
  EXPECT_TRUE(text_line("a=b").ends_with("key=\"a=b\""));
  EXPECT_TRUE(text_line("say \"hi\"").ends_with(R"(key="say \"hi\"")"));
}

TEST(LogText, NoValueBreaksTheLineOrReachesTheTerminal) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string line = text_line(std::string("a") + static_cast<char>(byte) + "b");
    const bool printable =
        std::none_of(line.begin(), line.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; });
    EXPECT_TRUE(printable) << byte;
    EXPECT_EQ(to_utf8(line), line) << byte;
  }
}

TEST(LogJson, IsOneObject) {
  const auto parsed =
      parse_json(json_line({{"node", "a"}, {"pods", 3}, {"took", Duration{1500ms}}, {"ok", true}}));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(string_at(*parsed, "time"), "2026-03-01T12:00:00.123Z");
  EXPECT_EQ(string_at(*parsed, "level"), "warn");
  EXPECT_EQ(string_at(*parsed, "event"), "node.cordoned");
  EXPECT_EQ(string_at(*parsed, "node"), "a");
  EXPECT_EQ(integer_at(&*parsed, "pods"), 3);
  EXPECT_DOUBLE_EQ(find(*parsed, "took")->as_double(), 1.5);
  EXPECT_TRUE(bool_at(&*parsed, "ok"));
}

TEST(LogJson, NumbersArePlainAndKeepTheirType) {
  const std::string line = json_line({{"pods", 3},
                                      {"after", Duration{51ms}},
                                      {"took", Duration{12'000s}},
                                      {"share", 1e-6},
                                      {"none", Duration{0}}});
  EXPECT_TRUE(line.ends_with(R"("pods":3,"after":0.051,"took":12000.0,"share":0.000001,"none":0.0})"))
      << line;
  EXPECT_TRUE(find(*parse_json(line), "took")->is_double());
}

TEST(LogJson, IsValidWhateverTheBytesAre) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string line = json_line({{"key", std::string("a") + static_cast<char>(byte) + "b\n"}});
    ASSERT_TRUE(parse_json(line)) << byte << " " << line;
    EXPECT_EQ(line.find('\n'), std::string::npos);
  }
  const std::string cut_off_euro = "\xe2\x82";
  EXPECT_TRUE(parse_json(json_line({{"key", cut_off_euro}})));
}

TEST(LogJson, AFieldCannotPassForTheEventOrItsLevel) {
  const auto parsed = parse_json(json_line({{"event", "forged"}, {"level", "debug"}, {"time", "never"}}));
  ASSERT_TRUE(parsed);
  EXPECT_EQ(string_at(*parsed, "event"), "node.cordoned");
  EXPECT_EQ(string_at(*parsed, "level"), "warn");
  EXPECT_EQ(string_at(*parsed, "time"), "2026-03-01T12:00:00.123Z");
  EXPECT_EQ(string_at(*parsed, "field.event"), "forged");
}

TEST(Log, AChildCarriesItsParentsFieldsFirst) {
  test::Simulation sim;
  const Log child = sim.log.with({{"instance", "i-1"}}).with({{"node", "a"}});
  child.info("node.cordoned", {{"pods", 3}});
  ASSERT_EQ(sim.logs.lines.size(), 1U);
  EXPECT_TRUE(sim.logs.lines[0].ends_with("node.cordoned instance=i-1 node=a pods=3")) << sim.logs.lines[0];
}

TEST(Log, LinesUnderTheLowestLevelAreNotWritten) {
  test::Simulation sim;
  const Log log(sim.logs, sim.clock, Level::warn);
  log.debug("a");
  log.info("b");
  log.warn("c");
  log.error("d");
  EXPECT_EQ(sim.logs.lines.size(), 2U);
  EXPECT_FALSE(log.enabled(Level::info));
}

}  // namespace
}  // namespace ferryman
