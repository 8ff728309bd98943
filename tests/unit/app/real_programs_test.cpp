// SPDX-License-Identifier: Apache-2.0
#include "app/real_programs.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>

#include "support/real_time.h"

namespace ferryman::app {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Program shell(std::string script) {
  Program program;
  program.command = "sh";
  program.arguments = {"-c", std::move(script)};
  return program;
}

Task<void> sleeping_caller(RealPrograms& programs, Deadline deadline, bool& done) {
  (void)co_await programs.run(shell("sleep 60"), deadline);
  done = true;
}

class RealProgramsTest : public testing::Test {
 protected:
  Result<ProgramOutput> run(Program program, Duration within = seconds{30}) {
    return time.run(programs.run(std::move(program), time.in(within)));
  }
  /// No child is left, not even a dead one.
  bool all_reaped() {
    return time.run_until([] { return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD; });
  }

  test::RealTime time;
  RealPrograms programs{time.clock,
                        Environment({{"PATH", "/usr/bin:/bin"}, {"OURS", "1"}, {"BOTH", "ours"}})};
};

TEST_F(RealProgramsTest, GiveOutputStatusAndErrors) {
  const auto output = run(shell("cat; echo out; echo err >&2; exit 7"));
  ASSERT_TRUE(output.ok()) << output.error().text;
  EXPECT_EQ(output->output, "out\n");
  EXPECT_EQ(output->errors, "err\n");
  EXPECT_EQ(output->status, 7);
  EXPECT_EQ(run(shell("kill -9 $$"))->status, 137);
  EXPECT_TRUE(all_reaped());
}

TEST_F(RealProgramsTest, SeeOurVariablesAndTheirOwnAndNoShellReadsTheirArguments) {
  Program program = shell("echo $OURS $BOTH \"$0\"");
  program.arguments.emplace_back("$OURS; `id` *");
  program.variables["BOTH"] = "theirs";
  EXPECT_EQ(run(program)->output, "1 theirs $OURS; `id` *\n");
}

TEST_F(RealProgramsTest, ThatCannotStartAreErrors) {
  Program missing;
  missing.command = "no-such-program-anywhere";
  EXPECT_EQ(run(missing).error().fault, Fault::not_found);
  EXPECT_EQ(run(missing).error().text, "starting no-such-program-anywhere: No such file or directory");
  missing.command = "/etc/passwd";
  EXPECT_EQ(run(missing).error().fault, Fault::denied);
}

TEST_F(RealProgramsTest, AreKilledWithTheirChildrenWhenTheyAreLate) {
  const SteadyTime before = time.clock.now();
  const auto late = run(shell("sleep 60 & sleep 60; echo never"), milliseconds{200});
  EXPECT_EQ(late.error().fault, Fault::deadline);
  EXPECT_EQ(late.error().text, "sh did not end in time and was killed");
  EXPECT_LT(time.clock.now() - before, seconds{20});
  EXPECT_TRUE(all_reaped());
}

TEST_F(RealProgramsTest, AreNotWaitedForWhenOnlyAGrandchildHoldsTheirOutput) {
  const SteadyTime before = time.clock.now();
  const auto output = run(shell("sleep 30 & echo done"));
  ASSERT_TRUE(output.ok());
  EXPECT_EQ(output->output, "done\n");
  EXPECT_LT(time.clock.now() - before, seconds{20});
}

TEST_F(RealProgramsTest, MayNotFloodUs) {
  const auto flood = run(shell("yes"));
  EXPECT_EQ(flood.error().code, "TooLarge");
  EXPECT_EQ(run(shell("head -c 100000 /dev/zero >&2; echo last >&2"))->errors.size(), 4096U);
  EXPECT_TRUE(all_reaped());
}

TEST_F(RealProgramsTest, EndWithTheirCaller) {
  Scope scope(time.clock, time.log);
  bool over = false;
  scope.spawn("caller", sleeping_caller(programs, time.in(seconds{60}), over));
  time.run(time.clock.sleep_for(milliseconds{100}));
  scope.cancel();
  EXPECT_TRUE(time.run_until([&] { return scope.size() == 0; }));
  EXPECT_FALSE(over);
  EXPECT_TRUE(all_reaped());
}

}  // namespace
}  // namespace ferryman::app
