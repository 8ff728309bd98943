// SPDX-License-Identifier: Apache-2.0
#include "aws/profile_credentials.h"

#include <gtest/gtest.h>

#include "aws/environment_credentials.h"
#include "unit/aws/world.h"
#include "unit/kube/memory_files.h"

namespace ferryman::aws {
namespace {

using test::World;
using Variables = std::map<std::string, std::string, std::less<>>;

std::string role_answer(const std::string& operation, const std::string& id) {
  return "<" + operation + "Response><" + operation + "Result><Credentials><AccessKeyId>" + id +
         "</AccessKeyId><SecretAccessKey>secret-of-" + id + "</SecretAccessKey><SessionToken>token-of-" + id +
         "</SessionToken><Expiration>2026-03-01T13:00:00Z</Expiration></Credentials></" + operation +
         "Result></" + operation + "Response>";
}

class ProfileWorld : public World {
 public:
  ProfileWorld() : World(Service::sts) {
    client = std::make_unique<ServiceClient>(context, endpoint, nullptr);
    sts = std::make_unique<Sts>(*client);
  }

  void write(std::string config, std::string credentials = "") {
    files.texts["/h/.aws/config"] = std::move(config);
    files.texts["/h/.aws/credentials"] = std::move(credentials);
  }
  Result<Credentials> fetch() {
    const Environment environment(variables);
    EnvironmentCredentials from_environment(environment);
    ProfileCredentials source(environment, files, *sts,
                              {from_environment, from_environment, from_environment});
    return sim.run(source.fetch(soon()));
  }

  ferryman::test::MemoryFiles files;
  std::unique_ptr<Sts> sts;
  Variables variables = {{"HOME", "/h"}, {"AWS_PROFILE", "work"}};
};

TEST(ProfileCredentials, TakeOnARoleWithTheSourcesKeysSigned) {
  ProfileWorld world;
  world.write("[profile work]\nrole_arn = arn:aws:iam::1:role/w\nsource_profile = base\nexternal_id = e x\n",
              "[base]\naws_access_key_id = AKIDBASE\naws_secret_access_key = s\n");
  world.remote.answer(200, role_answer("AssumeRole", "ASIAWORK"));
  const auto credentials = world.fetch();
  ASSERT_TRUE(credentials.ok()) << credentials.error().text;
  EXPECT_EQ(credentials->access_key_id, "ASIAWORK");
  EXPECT_EQ(credentials->expires, parse_rfc3339("2026-03-01T13:00:00Z"));
  EXPECT_EQ(world.last().body,
            "Action=AssumeRole&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fw&RoleSessionName="
            "ferryman&ExternalId=e+x");
  const std::string authorization(world.last().headers.get("Authorization"));
  EXPECT_TRUE(authorization.starts_with("AWS4-HMAC-SHA256 Credential=AKIDBASE/20260301/us-west-2/sts/"))
      << authorization;
}

TEST(ProfileCredentials, AChainOfRolesIsSignedWithTheRoleBefore) {
  ProfileWorld world;
  world.write(
      "[profile work]\nrole_arn = W\nsource_profile = mid\n[profile mid]\nrole_arn = M\n"
      "web_identity_token_file = /token\n");
  world.files.texts["/token"] = "jwt\n";
  world.remote.answer(200, role_answer("AssumeRoleWithWebIdentity", "ASIAMID"));
  world.remote.answer(200, role_answer("AssumeRole", "ASIAWORK"));
  ASSERT_TRUE(world.fetch().ok());
  ASSERT_EQ(world.remote.requests.size(), 2U);
  EXPECT_FALSE(world.remote.requests[0].headers.has("Authorization"));
  EXPECT_TRUE(world.remote.requests[0].body.ends_with("&WebIdentityToken=jwt"));
  EXPECT_NE(world.last().headers.get("Authorization").find("Credential=ASIAMID/"), std::string::npos);
  EXPECT_EQ(world.last().headers.get("X-Amz-Security-Token"), "token-of-ASIAMID");
}

TEST(ProfileCredentials, CredentialSourceUsesThatSourceOrSaysWhatItLacks) {
  ProfileWorld world;
  world.write("[profile work]\nrole_arn = W\ncredential_source = Environment\n");
  world.remote.answer(200, role_answer("AssumeRole", "ASIAWORK"));
  const auto lacking = world.fetch();
  EXPECT_EQ(lacking.error().fault, Fault::invalid) << "no other source may take its place";
  EXPECT_EQ(lacking.error().text, "credential_source names environment: AWS_ACCESS_KEY_ID is not set");
  world.variables["AWS_ACCESS_KEY_ID"] = "AKIDENV";
  world.variables["AWS_SECRET_ACCESS_KEY"] = "s";
  ASSERT_TRUE(world.fetch().ok());
  EXPECT_NE(world.last().headers.get("Authorization").find("Credential=AKIDENV/"), std::string::npos);
}

TEST(ProfileCredentials, AChosenProfileThatIsNotThereIsAFailureAndTheDefaultOnesIsNot) {
  ProfileWorld world;
  EXPECT_EQ(world.fetch().error().fault, Fault::invalid);
  EXPECT_EQ(
      world.fetch().error().text,
      "there is no profile \"work\" in /h/.aws/credentials and /h/.aws/config, but AWS_PROFILE names it");
  world.variables.erase("AWS_PROFILE");
  EXPECT_EQ(world.fetch().error().fault, Fault::not_found);
  world.write("[default\n");
  EXPECT_EQ(world.fetch().error().fault, Fault::invalid);
  EXPECT_EQ(world.fetch().error().text,
            "reading /h/.aws/config: line 1 is neither a [section] nor a \"key = value\" in one");
}

TEST(ProfileCredentials, KeysThatWereRotatedInTheFileAreSeen) {
  ProfileWorld world;
  world.write("", "[work]\naws_access_key_id = ONE\naws_secret_access_key = s\n");
  EXPECT_EQ(world.fetch()->access_key_id, "ONE");
  world.write("", "[work]\naws_access_key_id = TWO\naws_secret_access_key = s\n");
  EXPECT_EQ(world.fetch()->access_key_id, "TWO");
}

TEST(ProfileCredentials, ARefusedRoleAndGarbageAreErrorsWithoutSecrets) {
  ProfileWorld world;
  world.write("[profile work]\nrole_arn = W\nsource_profile = base\n",
              "[base]\naws_access_key_id = AKIDBASE\naws_secret_access_key = s3cr3t\n");
  world.remote.answer(403,
                      "<ErrorResponse><Error><Code>AccessDenied</Code><Message>not s3cr3t</Message></Error>"
                      "</ErrorResponse>");
  world.remote.answer(200, role_answer("AssumeRoleWithWebIdentity", "ASIAOTHER"));
  const auto denied = world.fetch();
  EXPECT_EQ(denied.error().fault, Fault::denied);
  EXPECT_TRUE(denied.error().text.starts_with("calling sts AssumeRole: AccessDenied: not ***"))
      << denied.error().text;
  EXPECT_EQ(world.fetch().error().fault, Fault::unexpected);
  EXPECT_TRUE(world.sim.logs.with("s3cr3t").empty());
}

}  // namespace
}  // namespace ferryman::aws
