// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "aws/credential_chain.h"
#include "aws/environment_credentials.h"
#include "aws/static_credentials.h"
#include "aws/web_identity_credentials.h"
#include "unit/aws/world.h"

namespace ferryman::aws {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using test::World;
using Variables = std::map<std::string, std::string, std::less<>>;

/// A source whose keys are numbered and live for `life`.
class NumberedSource final : public CredentialSource {
 public:
  explicit NumberedSource(Clock& clock) : clock_(clock) {}

  [[nodiscard]] std::string_view name() const override { return "numbered"; }
  Task<Result<Credentials>> fetch(Deadline /*deadline*/) override {
    ++fetches;
    co_await clock_.sleep_for(takes);
    if (error) co_return *error;
    Credentials credentials;
    credentials.access_key_id = "AKID" + std::to_string(fetches);
    credentials.secret_access_key = Secret("s");
    credentials.session_token = Secret("t" + std::to_string(fetches));
    if (life.count() != 0) credentials.expires = clock_.wall() + life;
    co_return credentials;
  }

  int fetches = 0;
  Duration takes = seconds{1};
  Duration life = hours{1};
  std::optional<Error> error;

 private:
  Clock& clock_;
};

class ChainWorld : public ferryman::test::Simulation {
 public:
  ChainWorld() {
    auto owned = std::make_unique<NumberedSource>(clock);
    source = owned.get();
    CredentialChain::Sources sources;
    sources.push_back(std::move(owned));
    chain = std::make_unique<CredentialChain>(clock, random, log, scope, std::move(sources));
  }

  std::string key(Duration limit = seconds{60}) {
    const auto got = run(chain->get(Deadline::after(clock, limit)));
    return got ? got->access_key_id : "error: " + got.error().text;
  }

  Random random{1};
  NumberedSource* source = nullptr;
  std::unique_ptr<CredentialChain> chain;
};

TEST(CredentialChain, AsksOnceAndRemembers) {
  ChainWorld world;
  EXPECT_EQ(world.key(), "AKID1");
  world.clock.advance(minutes{50});
  EXPECT_EQ(world.key(), "AKID1");
  EXPECT_EQ(world.source->fetches, 1);
  EXPECT_EQ(world.logs.with("aws.credentials source=numbered expires=2026-03-01T13:00:01Z").size(), 1U);
}

TEST(CredentialChain, RenewsBeforeExpiryWithoutMakingAnybodyWait) {
  ChainWorld world;
  EXPECT_EQ(world.key(), "AKID1");
  world.clock.advance(minutes{57});
  const SteadyTime before = world.clock.now();
  EXPECT_EQ(world.key(), "AKID1") << "still valid, so at once";
  EXPECT_EQ(world.clock.now(), before);
  world.clock.advance(seconds{2});
  EXPECT_EQ(world.key(), "AKID2");
  EXPECT_EQ(world.source->fetches, 2);
  EXPECT_EQ(world.logs.with("aws.credentials source=").size(), 1U) << "the source is named once";
}

TEST(CredentialChain, AFailedRefreshOnlyWarnsWhileTheOldOnesAreValid) {
  ChainWorld world;
  EXPECT_EQ(world.key(), "AKID1");
  world.source->error = Error(Fault::transport, "connection refused");
  world.clock.advance(minutes{57});
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(world.key(), "AKID1");
    world.clock.advance(seconds{1});
  }
  EXPECT_GE(world.logs.with("warn  aws.credentials.refresh_failed").size(), 2U);
  EXPECT_LE(world.source->fetches, 12) << "failures back off";
  world.clock.advance(minutes{2});
  EXPECT_EQ(world.key(), "error: getting AWS credentials from numbered: connection refused");
  world.source->error.reset();
  EXPECT_TRUE(world.key(minutes{5}).starts_with("AKID")) << "waits for the next try, which succeeds";
}

Task<void> take_key(CredentialChain& chain, Deadline deadline, std::vector<std::string>& keys) {
  const auto got = co_await chain.get(deadline);
  keys.push_back(got ? got->access_key_id : "error");
}

TEST(CredentialChain, OneRefreshServesAllWhoWait) {
  ChainWorld world;
  std::vector<std::string> keys;
  for (int i = 0; i < 20; ++i) {
    world.scope.spawn("waiter", take_key(*world.chain, Deadline::after(world.clock, seconds{30}), keys));
  }
  world.clock.advance(seconds{2});
  EXPECT_EQ(keys, std::vector<std::string>(20, "AKID1"));
  EXPECT_EQ(world.source->fetches, 1);
}

TEST(CredentialChain, AWaiterLeavesAtItsDeadlineAndTheRefreshGoesOn) {
  ChainWorld world;
  world.source->takes = seconds{10};
  EXPECT_EQ(world.key(seconds{3}), "error: no AWS credentials in time");
  EXPECT_EQ(world.key(seconds{30}), "AKID1");
  EXPECT_EQ(world.source->fetches, 1);
}

TEST(CredentialChain, ExpiredOnesAreReplacedOnceHoweverManyComplain) {
  ChainWorld world;
  const auto first = world.run(world.chain->get(Deadline::after(world.clock, seconds{60})));
  ASSERT_TRUE(first.ok());
  world.chain->expired(*first);
  EXPECT_EQ(world.key(), "AKID2");
  world.chain->expired(*first);
  EXPECT_EQ(world.key(), "AKID2");
  EXPECT_EQ(world.source->fetches, 2);
}

TEST(CredentialChain, KeysThatNeverExpireAreFetchedOnce) {
  ChainWorld world;
  world.source->life = seconds{0};
  EXPECT_EQ(world.key(), "AKID1");
  world.clock.advance(hours{24 * 30});
  EXPECT_EQ(world.key(), "AKID1");
}

TEST(CredentialChain, AClockThatIsAheadDoesNotMakeFreshKeysUseless) {
  ChainWorld world;
  world.source->life = -hours{2};
  EXPECT_EQ(world.key(), "AKID1");
  EXPECT_EQ(world.key(), "AKID1");
  world.clock.advance(minutes{2});
  EXPECT_EQ(world.key(), "AKID2");
}

TEST(CredentialChain, NothingFoundNamesEverySourceAndWhatItLacks) {
  World world(Service::sts);
  Sts sts(*world.client);
  class NoFiles final : public Files {
    Result<std::string> read(const std::string& /*path*/) override {
      return Error(Fault::not_found, "no file");
    }
  } files;
  const Environment environment;
  CredentialChain::Sources sources;
  sources.push_back(std::make_unique<StaticCredentials>(Credentials()));
  sources.push_back(std::make_unique<EnvironmentCredentials>(environment));
  sources.push_back(std::make_unique<WebIdentityCredentials>(environment, files, sts));
  CredentialChain chain(world.sim.clock, world.random, world.sim.log, world.sim.scope, std::move(sources));
  const auto got = world.sim.run(chain.get(world.soon()));
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().code, "NoCredentials");
  EXPECT_EQ(
      got.error().text,
      "no AWS credentials found (settings: no access key is set; environment: AWS_ACCESS_KEY_ID is not "
      "set; web identity (https://aws.test/): AWS_WEB_IDENTITY_TOKEN_FILE is not set); give the pod a role "
      "(pod identity or web identity), or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
}

// Somebody meant these keys: another source's would act for somebody else.
TEST(CredentialChain, HalfAKeyIsAFailureAndNoAbsence) {
  ferryman::test::Simulation sim;
  Random random{1};
  Credentials other;
  other.access_key_id = "AKIDOTHER";
  other.secret_access_key = Secret("s");
  for (const char* half : {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}) {
    CredentialChain::Sources sources;
    sources.push_back(std::make_unique<EnvironmentCredentials>(Environment(Variables{{half, "given"}})));
    sources.push_back(std::make_unique<StaticCredentials>(other));
    CredentialChain chain(sim.clock, random, sim.log, sim.scope, std::move(sources));
    const auto got = sim.run(chain.get(Deadline::after(sim.clock, std::chrono::seconds{5})));
    ASSERT_FALSE(got.ok());
    EXPECT_NE(got.error().text.find(std::string(half) + " is set, but AWS_"), std::string::npos)
        << got.error().text;
    EXPECT_EQ(got.error().text.find("given"), std::string::npos);
  }
}

TEST(CredentialChain, TheFirstSourceThatIsSetUpServes) {
  ferryman::test::Simulation sim;
  Random random{1};
  Credentials settings;
  settings.access_key_id = "AKIDSETTINGS";
  settings.secret_access_key = Secret("s");
  const Environment environment(Variables{
      {"AWS_ACCESS_KEY_ID", "AKIDENV"}, {"AWS_SECRET_ACCESS_KEY", "s"}, {"AWS_SESSION_TOKEN", "t"}});
  CredentialChain::Sources sources;
  sources.push_back(std::make_unique<StaticCredentials>(Credentials()));
  sources.push_back(std::make_unique<EnvironmentCredentials>(environment));
  sources.push_back(std::make_unique<StaticCredentials>(settings));
  CredentialChain chain(sim.clock, random, sim.log, sim.scope, std::move(sources));
  const auto got = sim.run(chain.get(Deadline::after(sim.clock, seconds{1})));
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->access_key_id, "AKIDENV");
  EXPECT_EQ(got->session_token, Secret("t"));
  EXPECT_EQ(got->source, "environment");
}

}  // namespace
}  // namespace ferryman::aws
