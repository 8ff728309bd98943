// SPDX-License-Identifier: Apache-2.0
#include "app/commands.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/json.h"
#include "unit/app/memory_files.h"

namespace ferryman::app {
namespace {

class Ferryman {
 public:
  int operator()(std::vector<std::string> arguments) {
    const Invocation invocation(Environment(), files, out_, err_);
    return run_command(invocation, arguments);
  }
  [[nodiscard]] std::string out() const { return out_.str(); }
  [[nodiscard]] std::string err() const { return err_.str(); }

  test::MemoryFiles files;

 private:
  std::ostringstream out_;
  std::ostringstream err_;
};

TEST(Commands, HelpListsTheCommands) {
  for (const std::string word : {"help", "--help", "-h"}) {
    Ferryman ferryman;
    EXPECT_EQ(ferryman({word}), 0);
    EXPECT_NE(ferryman.out().find("\n  settings "), std::string::npos);
    EXPECT_EQ(ferryman.err(), "");
  }
}

TEST(Commands, HelpOfACommandListsItsFlags) {
  Ferryman asked_before;
  EXPECT_EQ(asked_before({"help", "version"}), 0);
  EXPECT_NE(asked_before.out().find("--output (one of text, json; default text)"), std::string::npos);
  Ferryman asked_after;
  EXPECT_EQ(asked_after({"version", "--help"}), 0);
  EXPECT_EQ(asked_after.out(), asked_before.out());
}

/// As /dev/full.
class FullDisk final : public std::streambuf {
  int overflow(int /*character*/) override { return traits_type::eof(); }
};

TEST(Commands, AnAnswerThatIsLostIsNoSuccess) {
  for (const std::string word : {"settings", "version", "help"}) {
    FullDisk full;
    std::ostream out(&full);
    std::ostringstream err;
    test::MemoryFiles files;
    EXPECT_EQ(run_command(Invocation(Environment(), files, out, err), {word}), 1) << word;
    EXPECT_EQ(err.str(), "ferryman: standard output cannot be written\n");
  }
}

TEST(Commands, NothingAskedIsAnErrorWithTheOverview) {
  Ferryman ferryman;
  EXPECT_EQ(ferryman({}), 2);
  EXPECT_NE(ferryman.err().find("Commands:"), std::string::npos);
}

TEST(Commands, AnUnknownCommandSuggestsTheNearest) {
  Ferryman ferryman;
  EXPECT_EQ(ferryman({"verzion"}), 2);
  EXPECT_EQ(ferryman.err(), "ferryman: unknown command \"verzion\"; did you mean version?\n");
  EXPECT_EQ(ferryman.out(), "");
}

TEST(Commands, EveryProblemOfTheFlagsIsALine) {
  Ferryman ferryman;
  EXPECT_EQ(ferryman({"version", "--nope", "--output=xml"}), 2);
  EXPECT_EQ(ferryman.err(),
            "ferryman version: unknown flag \"--nope\"; --help lists all flags\n"
            "ferryman version: setting output: \"xml\" from flag --output is not one of text, json\n");
}

TEST(Commands, VersionNamesLibrariesInBothForms) {
  Ferryman text;
  EXPECT_EQ(text({"--version"}), 0);
  EXPECT_EQ(text.out().substr(0, text.out().find('\n')), "ferryman " FERRYMAN_VERSION);
  Ferryman as_json;
  EXPECT_EQ(as_json({"version", "--output", "json"}), 0);
  const auto parsed = parse_json(as_json.out());
  ASSERT_TRUE(parsed);
  EXPECT_EQ(string_at(*parsed, "version"), FERRYMAN_VERSION);
  EXPECT_FALSE(string_at(find(*parsed, "libraries"), "openssl").empty());
}

}  // namespace
}  // namespace ferryman::app
