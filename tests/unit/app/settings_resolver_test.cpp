// SPDX-License-Identifier: Apache-2.0
#include "app/settings_resolver.h"

#include <gtest/gtest.h>

#include "unit/app/memory_files.h"

namespace ferryman::app {
namespace {

using Words = std::vector<std::string>;

class Resolving {
 public:
  Resolving& flags(Words arguments) {
    arguments_ = std::move(arguments);
    return *this;
  }
  Resolving& variable(std::string name, std::string value) {
    variables_[std::move(name)] = std::move(value);
    return *this;
  }
  Resolving& file(std::string text) {
    files_.files["f.yaml"] = std::move(text);
    return variable("FERRYMAN_CONFIG", "f.yaml");
  }
  Resolution resolve() {
    return resolve_settings(serve_table(), arguments_, Environment(variables_), files_);
  }
  Words problems() { return resolve().problems; }

 private:
  Words arguments_;
  std::map<std::string, std::string, std::less<>> variables_;
  test::MemoryFiles files_;
};

const Words none;

TEST(SettingsResolver, DefaultsHoldWhenNothingIsGiven) {
  const Resolution r = Resolving().resolve();
  EXPECT_EQ(r.problems, none);
  EXPECT_EQ(r.values.duration("max-termination-time"), std::chrono::hours{1});
  EXPECT_EQ(r.values.list("hook"), (Words{"*", "!Launch-LC-Hook", "!Terminate-LC-Hook"}));
  EXPECT_EQ(r.values.address("listen"), Address("0.0.0.0", 8080));
  EXPECT_EQ(r.values.source("hook"), "default");
  EXPECT_FALSE(r.values.given("hook"));
}

TEST(SettingsResolver, FlagsWinOverVariablesOverFileOverDefaults) {
  Resolving r;
  r.file("log:\n  level: error\n  format: json\nqueue:\n  mode: exclusive\n");
  r.variable("FERRYMAN_LOG_LEVEL", "warn")
      .variable("FERRYMAN_LOG_FORMAT", "text")
      .flags({"--log-level=debug"});
  const Resolution out = r.resolve();
  EXPECT_EQ(out.problems, none);
  EXPECT_EQ(out.values.text("log-level"), "debug");
  EXPECT_EQ(out.values.source("log-level"), "flag --log-level");
  EXPECT_EQ(out.values.text("log-format"), "text");
  EXPECT_EQ(out.values.source("log-format"), "variable FERRYMAN_LOG_FORMAT");
  EXPECT_EQ(out.values.text("queue-mode"), "exclusive");
  EXPECT_EQ(out.values.source("queue-mode"), "f.yaml:5");
}

TEST(SettingsResolver, OurOwnVariableWinsOverTheSharedOnes) {
  Resolving r;
  r.variable("AWS_DEFAULT_REGION", "eu-west-1");
  EXPECT_EQ(r.resolve().values.text("region"), "eu-west-1");
  r.variable("AWS_REGION", "eu-west-2");
  EXPECT_EQ(r.resolve().values.source("region"), "variable AWS_REGION");
  r.variable("FERRYMAN_REGION", "eu-west-3");
  EXPECT_EQ(r.resolve().values.text("region"), "eu-west-3");
}

TEST(SettingsResolver, AnEmptyVariableCountsAsNotSet) {
  EXPECT_EQ(Resolving().variable("FERRYMAN_LOG_LEVEL", "").resolve().values.source("log-level"), "default");
}

TEST(SettingsResolver, ABareBooleanWithAWordBehindItIsExplained) {
  EXPECT_EQ(Resolving().flags({"--use-fips-endpoint", "false"}).problems(),
            Words{"unexpected argument \"false\"; write --use-fips-endpoint=false"});
  EXPECT_EQ(Resolving().flags({"--use-fips-endpoint", "maybe"}).problems(),
            Words{"unexpected argument \"maybe\"; --use-fips-endpoint is true or false: write "
                  "--use-fips-endpoint=false, or --use-fips-endpoint alone for true"});
}

TEST(SettingsResolver, TheConfigFlagWinsOverItsVariable) {
  const Words problems = Resolving().file("log: {level: warn}").flags({"--config", "other.yaml"}).problems();
  EXPECT_EQ(problems,
            Words{"setting config: \"other.yaml\" from flag --config cannot be read: opening other.yaml: "
                  "No such file or directory; name one that can be read"});
}

TEST(SettingsResolver, TakesAllSpellingsOfAFlag) {
  for (const Words& spelling :
       {Words{"-region=r"}, Words{"--region=r"}, Words{"-region", "r"}, Words{"--region", "r"}}) {
    EXPECT_EQ(Resolving().flags(spelling).resolve().values.text("region"), "r") << spelling.front();
  }
}

TEST(SettingsResolver, TheLastFlagWinsAndAListGrows) {
  const Resolution r =
      Resolving().flags({"--region=a", "--hook=x,y", "-region", "b", "--hook", "z*"}).resolve();
  EXPECT_EQ(r.problems, none);
  EXPECT_EQ(r.values.text("region"), "b");
  EXPECT_EQ(r.values.list("hook"), (Words{"x", "y", "z*"}));
}

TEST(SettingsResolver, AGivenListReplacesThoseOfWeakerSources) {
  const Resolution r = Resolving().file("termination: {hooks: [a, b]}").flags({"--hook=c"}).resolve();
  EXPECT_EQ(r.values.list("hook"), Words{"c"});
}

TEST(SettingsResolver, AListMayBeEmptyWhereItsRowSaysHow) {
  EXPECT_TRUE(Resolving().flags({"--group-label=none"}).resolve().values.list("group-label").empty());
  EXPECT_TRUE(
      Resolving().file("ownership: {skipLabels: [none]}").resolve().values.list("skip-label").empty());
  EXPECT_EQ(Resolving().flags({"--group-label=,"}).problems(),
            Words{"setting group-label: \",\" from flag --group-label is an empty list; write at least one "
                  "entry, with commas between them, or none"});
  EXPECT_EQ(Resolving().flags({"--hook=none"}).resolve().values.list("hook"), Words{"none"});
}

TEST(SettingsResolver, AskingForHelpIsSeen) {
  EXPECT_TRUE(Resolving().flags({"-h"}).resolve().help);
  EXPECT_TRUE(Resolving().flags({"--region=x", "--help"}).resolve().help);
}

TEST(SettingsResolver, NamesSettingSourceValueAndCure) {
  EXPECT_EQ(
      Resolving().flags({"--max-termination-time=5x"}).problems(),
      Words{
          "setting max-termination-time: \"5x\" from flag --max-termination-time is not a duration; write it "
          "like 90s, 1h30m or plain seconds"});
  EXPECT_EQ(
      Resolving().variable("FERRYMAN_LISTEN", "localhost").problems(),
      Words{
          "setting listen: \"localhost\" from variable FERRYMAN_LISTEN has no port from 0 to 65535; write it "
          "like 127.0.0.1:8080, [::1]:8080 or :8080"});
  EXPECT_EQ(
      Resolving().file("drain:\n  deletePhaseAt: 101\n").problems(),
      Words{"setting delete-phase-at: \"101\" from f.yaml:2 is out of range; write a number from 1 to 100%"});
  EXPECT_EQ(
      Resolving().flags({"--log-level=infi"}).problems(),
      Words{
          "setting log-level: \"infi\" from flag --log-level is not one of debug, info, warn, error; did you "
          "mean info?"});
  EXPECT_EQ(
      Resolving().flags({"--hook=,"}).problems(),
      Words{"setting hook: \",\" from flag --hook is an empty list; write at least one entry, with commas "
            "between them"});
}

TEST(SettingsResolver, SuggestsTheNearestFlag) {
  EXPECT_EQ(Resolving().flags({"--queu-url=x"}).problems(),
            Words{"unknown flag \"--queu-url\"; did you mean --queue-url?"});
  EXPECT_EQ(Resolving().flags({"--zzzzzzzz"}).problems(),
            Words{"unknown flag \"--zzzzzzzz\"; --help lists all flags"});
}

TEST(SettingsResolver, AFlagWithoutItsValueIsNamed) {
  EXPECT_EQ(Resolving().flags({"--region"}).problems(),
            Words{"flag --region needs a value; write --region=VALUE"});
  EXPECT_EQ(Resolving().flags({"--region", "--log-level=warn"}).problems(),
            Words{"flag --region needs a value; write --region=VALUE"});
}

TEST(SettingsResolver, StrayWordsAreRefused) {
  EXPECT_EQ(Resolving().flags({"x", "--", "--region=a"}).problems(),
            (Words{"unexpected argument \"x\"", "unexpected argument \"--region=a\""}));
}

TEST(SettingsResolver, UnknownKeysOfTheFileHaveLineAndSuggestion) {
  EXPECT_EQ(Resolving().file("queue:\n  ulr: x\n").problems(),
            Words{"f.yaml:2: unknown key \"queue.ulr\"; did you mean queue.url?"});
  EXPECT_EQ(Resolving().file("\nqeue:\n  url: x\n").problems(),
            Words{"f.yaml:2: unknown key \"qeue\"; did you mean queue?"});
}

TEST(SettingsResolver, FileOfAnotherShapeIsRefused) {
  EXPECT_EQ(Resolving().file("queue: {url: [a]}").problems(),
            Words{"f.yaml:1: setting queue-url must be a single value, not a list"});
  EXPECT_EQ(Resolving().file("queue: x").problems(),
            Words{"f.yaml:1: \"queue\" is a section; write its keys below it, indented"});
  EXPECT_EQ(Resolving().file("aws: {region: a, region: b}").problems(),
            Words{"f.yaml:1: key \"aws.region\" is given twice; remove one"});
  EXPECT_EQ(Resolving().file("- a\n- b\n").problems(),
            Words{"f.yaml:1: not a map of settings; write keys like queue: {url: …}"});
  const Words cut_off = Resolving().file("queue:\n  {url: x\n").problems();
  ASSERT_EQ(cut_off.size(), 1U);
  EXPECT_TRUE(cut_off.front().starts_with("f.yaml:3: not YAML: ")) << cut_off.front();
}

TEST(SettingsResolver, EmptyFilesAndEmptyKeysAreNoTrouble) {
  EXPECT_EQ(Resolving().file("").problems(), none);
  const Resolution r = Resolving().file("queue:\naws:\n  region:\n").resolve();
  EXPECT_EQ(r.problems, none);
  EXPECT_EQ(r.values.source("region"), "default");
}

TEST(SettingsResolver, ReportsAllProblemsAtOnce) {
  Resolving r;
  r.file("quue: 1\nlog: {level: x}\n").variable("FERRYMAN_LISTEN", "x").flags({"--nope", "--log-format=y"});
  EXPECT_EQ(r.problems().size(), 5U);
}

TEST(SettingsResolver, LongAndBinaryValuesAreCutAndEscapedInMessages) {
  const Words problems = Resolving().flags({"--log-level=\x1b[2J" + std::string(100'000, 'a')}).problems();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_LT(problems.front().size(), 400U);
  EXPECT_EQ(problems.front().find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace ferryman::app
