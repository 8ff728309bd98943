// SPDX-License-Identifier: Apache-2.0
#include "kube/token.h"

#include <gtest/gtest.h>

#include "support/simulation.h"
#include "unit/kube/memory_files.h"

namespace ferryman::test {

using std::chrono::seconds;

namespace {

class TokenFile : public ::testing::Test {
 protected:
  Result<Secret> get() { return sim.run(source->get(Deadline::after(sim.clock, seconds{1}))); }

  Simulation sim;
  MemoryFiles files;
  std::shared_ptr<kube::TokenSource> source = kube::token_file("/token", files, sim.clock);
};

}  // namespace

TEST_F(TokenFile, IsReadAgainAfterAMinute) {
  files.texts["/token"] = " one\n";
  EXPECT_EQ(get()->reveal(), "one");
  files.texts["/token"] = "two";
  sim.clock.advance(seconds{59});
  EXPECT_EQ(get()->reveal(), "one");
  EXPECT_EQ(files.reads, 1);
  sim.clock.advance(seconds{1});
  EXPECT_EQ(get()->reveal(), "two");
}

TEST_F(TokenFile, IsReadAgainAtOnceWhenTheServerRefusedIt) {
  files.texts["/token"] = "one";
  EXPECT_EQ(get()->reveal(), "one");
  files.texts["/token"] = "two";
  source->refused();
  EXPECT_EQ(get()->reveal(), "two");
}

TEST_F(TokenFile, KeepsTheLastTokenWhileTheFileIsGoneOrEmpty) {
  files.texts["/token"] = "one";
  EXPECT_EQ(get()->reveal(), "one");
  files.texts["/token"] = "";
  sim.clock.advance(seconds{61});
  EXPECT_EQ(get()->reveal(), "one");
  files.texts.clear();
  source->refused();
  EXPECT_EQ(get()->reveal(), "one");
}

TEST_F(TokenFile, ThatWasNeverThereIsDeniedAndNotNotFound) {
  const auto missing = get();
  EXPECT_EQ(missing.error().fault, Fault::denied);
  EXPECT_NE(missing.error().text.find("/token"), std::string::npos);
  files.texts["/token"] = "\n";
  EXPECT_EQ(get().error().fault, Fault::denied);
}

}  // namespace ferryman::test
