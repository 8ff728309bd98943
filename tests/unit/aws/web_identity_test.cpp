// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "aws/web_identity_credentials.h"
#include "unit/aws/world.h"

namespace ferryman::aws {
namespace {

using test::World;
using Variables = std::map<std::string, std::string, std::less<>>;

/// Files that a test can change while it runs.
class FewFiles final : public Files {
 public:
  Result<std::string> read(const std::string& path) override {
    const auto found = contents.find(path);
    if (found == contents.end()) return Error(Fault::not_found, "no such file");
    return found->second;
  }

  std::map<std::string, std::string> contents;
};

constexpr const char* good_answer =
    "<AssumeRoleWithWebIdentityResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\">"
    "<AssumeRoleWithWebIdentityResult><Audience>sts.amazonaws.com</Audience><Credentials>"
    "<SessionToken>session+/=</SessionToken><SecretAccessKey>secret</SecretAccessKey>"
    "<Expiration>2026-03-01T13:00:00Z</Expiration><AccessKeyId>ASIA1</AccessKeyId></Credentials>"
    "</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>";

class WebIdentityWorld : public World {
 public:
  WebIdentityWorld() : World(Service::sts) {
    client = std::make_unique<ServiceClient>(context, endpoint, nullptr);
    sts = std::make_unique<Sts>(*client);
    files.contents["/token"] = "eyJ.first.jwt\n";
  }

  Result<Credentials> fetch() {
    WebIdentityCredentials source(Environment(variables), files, *sts);
    return sim.run(source.fetch(soon()));
  }

  FewFiles files;
  std::unique_ptr<Sts> sts;
  Variables variables = {{"AWS_WEB_IDENTITY_TOKEN_FILE", "/token"},
                         {"AWS_ROLE_ARN", "arn:aws:iam::123456789012:role/ferryman"},
                         {"AWS_ROLE_SESSION_NAME", "pod-1"}};
};

TEST(WebIdentity, TheExchangeIsUnsignedAndSaysExactlyThis) {
  WebIdentityWorld world;
  world.remote.answer(200, good_answer);
  const auto credentials = world.fetch();
  ASSERT_TRUE(credentials.ok()) << credentials.error().text;
  EXPECT_EQ(credentials->access_key_id, "ASIA1");
  EXPECT_EQ(credentials->secret_access_key, Secret("secret"));
  EXPECT_EQ(credentials->session_token, Secret("session+/="));
  EXPECT_EQ(credentials->expires, parse_rfc3339("2026-03-01T13:00:00Z"));
  EXPECT_EQ(world.last().body,
            "Action=AssumeRoleWithWebIdentity&Version=2011-06-15"
            "&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fferryman&RoleSessionName=pod-1"
            "&WebIdentityToken=eyJ.first.jwt");
  EXPECT_FALSE(world.last().headers.has("Authorization"));
  EXPECT_FALSE(world.last().headers.has("X-Amz-Date"));
}

TEST(WebIdentity, TheTokenFileIsReadAnewEachTime) {
  WebIdentityWorld world;
  world.remote.answer(200, good_answer);
  ASSERT_TRUE(world.fetch().ok());
  world.files.contents["/token"] = "eyJ.second.jwt";
  ASSERT_TRUE(world.fetch().ok());
  EXPECT_TRUE(world.last().body.ends_with("&WebIdentityToken=eyJ.second.jwt"));
}

TEST(WebIdentity, ASessionWithoutANameIsFerrymans) {
  WebIdentityWorld world;
  world.remote.answer(200, good_answer);
  world.variables.erase("AWS_ROLE_SESSION_NAME");
  ASSERT_TRUE(world.fetch().ok());
  EXPECT_NE(world.last().body.find("&RoleSessionName=ferryman&"), std::string::npos);
}

TEST(WebIdentity, WithoutATokenFileItIsNotSetUp) {
  WebIdentityWorld world;
  world.variables.erase("AWS_WEB_IDENTITY_TOKEN_FILE");
  const auto credentials = world.fetch();
  ASSERT_FALSE(credentials.ok());
  EXPECT_EQ(credentials.error().fault, Fault::not_found);
  EXPECT_EQ(credentials.error().text, "AWS_WEB_IDENTITY_TOKEN_FILE is not set");
}

TEST(WebIdentity, ATokenFileWithoutARoleIsAFailureNotAnAbsence) {
  WebIdentityWorld world;
  world.variables.erase("AWS_ROLE_ARN");
  const auto credentials = world.fetch();
  ASSERT_FALSE(credentials.ok());
  EXPECT_EQ(credentials.error().fault, Fault::invalid) << "the chain must not go on to another source";
  EXPECT_NE(credentials.error().text.find("AWS_ROLE_ARN is not; set both"), std::string::npos);
}

TEST(WebIdentity, AMissingTokenFileIsAFailureNotAnAbsence) {
  WebIdentityWorld world;
  world.files.contents.clear();
  const auto missing = world.fetch();
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().fault, Fault::invalid) << "the chain must not go on to another source";
  EXPECT_EQ(missing.error().text, "reading AWS_WEB_IDENTITY_TOKEN_FILE /token: no such file");
  world.files.contents["/token"] = " \n";
  EXPECT_EQ(world.fetch().error().text, "AWS_WEB_IDENTITY_TOKEN_FILE /token is empty");
}

TEST(WebIdentity, ARefusalDoesNotShowTheToken) {
  WebIdentityWorld world;
  world.remote.answer(400,
                      "<ErrorResponse><Error><Code>ValidationError</Code><Message>Value 'eyJ.first.jwt' at "
                      "'webIdentityToken' failed to satisfy constraint</Message></Error></ErrorResponse>");
  const auto credentials = world.fetch();
  ASSERT_FALSE(credentials.ok());
  EXPECT_EQ(
      credentials.error().text,
      "calling sts AssumeRoleWithWebIdentity: ValidationError: Value '***' at 'webIdentityToken' failed to "
      "satisfy constraint");
  EXPECT_TRUE(world.sim.logs.with("eyJ").empty());
}

TEST(WebIdentity, GarbageFromStsIsAnError) {
  const std::string good = good_answer;
  std::vector<std::string> garbage = {"", "{}", "<html/>", good.substr(0, good.size() / 2),
                                      "<AssumeRoleWithWebIdentityResponse/>"};
  for (const char* element : {"AccessKeyId", "SecretAccessKey", "SessionToken", "Expiration"}) {
    std::string without = good;
    for (std::size_t at = without.find(element); at != std::string::npos; at = without.find(element)) {
      without.replace(at, std::string_view(element).size(), "Other");
    }
    garbage.push_back(without);
  }
  for (const std::string& body : garbage) {
    WebIdentityWorld world;
    world.remote.answer(200, body);
    const auto credentials = world.fetch();
    ASSERT_FALSE(credentials.ok()) << body;
    EXPECT_EQ(credentials.error().fault, Fault::unexpected) << body;
    EXPECT_EQ(credentials.error().text.find("session+"), std::string::npos);
  }
}

}  // namespace
}  // namespace ferryman::aws
