// SPDX-License-Identifier: Apache-2.0
#include "aws/container_credentials.h"

#include <gtest/gtest.h>

#include "unit/aws/world.h"
#include "unit/kube/memory_files.h"

namespace ferryman::aws {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::World;
using Variables = std::map<std::string, std::string, std::less<>>;

constexpr const char* keys =
    R"({"AccessKeyId":"ASIAPOD","SecretAccessKey":"s3cr3t","Token":"t0k3n","AccountId":"1",)"
    R"("Expiration":"2026-03-01T18:00:00Z"})";

/// A pod on EKS with Pod Identity.
class ContainerWorld : public World {
 public:
  ContainerWorld() : World(Service::sts) { files.texts["/token"] = "jwt-1\n"; }

  Result<Credentials> fetch() {
    ContainerCredentials source(context, Environment(variables), files);
    return sim.run(source.fetch(soon()));
  }
  std::string trouble() {
    const auto credentials = fetch();
    return credentials ? "none" : credentials.error().text;
  }

  ferryman::test::MemoryFiles files;
  Variables variables = {{"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://169.254.170.23/v1/credentials"},
                         {"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "/token"}};
};

TEST(ContainerCredentials, PodIdentityIsAskedWithTheTokenOfTheMoment) {
  ContainerWorld world;
  world.remote.answer(200, keys);
  const auto credentials = world.fetch();
  ASSERT_TRUE(credentials.ok()) << credentials.error().text;
  EXPECT_EQ(credentials->access_key_id, "ASIAPOD");
  EXPECT_EQ(credentials->secret_access_key, Secret("s3cr3t"));
  EXPECT_EQ(credentials->session_token, Secret("t0k3n"));
  EXPECT_EQ(credentials->expires, parse_rfc3339("2026-03-01T18:00:00Z"));
  EXPECT_EQ(world.last().method, "GET");
  EXPECT_EQ(world.last().url, "http://169.254.170.23/v1/credentials");
  EXPECT_EQ(world.last().headers.get("Authorization"), "jwt-1");
  EXPECT_TRUE(world.last().profile->direct) << "never through a proxy";
  world.files.texts["/token"] = "jwt-2";
  ASSERT_TRUE(world.fetch().ok());
  EXPECT_EQ(world.last().headers.get("Authorization"), "jwt-2");
}

TEST(ContainerCredentials, EcsIsAskedAtItsOwnAddress) {
  ContainerWorld world;
  world.remote.answer(200, keys);
  world.variables = {{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/credentials/u-u-i-d"},
                     {"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://elsewhere/"},
                     {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "Basic abc"}};
  ASSERT_TRUE(world.fetch().ok());
  EXPECT_EQ(world.last().url, "http://169.254.170.2/v2/credentials/u-u-i-d");
  EXPECT_EQ(world.last().headers.get("Authorization"), "Basic abc");
  world.variables.erase("AWS_CONTAINER_AUTHORIZATION_TOKEN");
  ASSERT_TRUE(world.fetch().ok());
  EXPECT_FALSE(world.last().headers.has("Authorization"));
}

TEST(ContainerCredentials, NobodyElseIsToldTheTokenInTheClear) {
  ContainerWorld world;
  world.remote.answer(200, keys);
  for (const char* url :
       {"http://127.0.0.1:51679/c", "http://[::1]/c", "http://localhost/c", "http://127.9.9.9/c",
        "http://[fd00:ec2::23]/v1/credentials", "https://keys.example/c"}) {
    world.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = url;
    EXPECT_TRUE(world.fetch().ok()) << url;
  }
  const auto asked = world.remote.requests.size();
  for (const char* url :
       {"http://keys.example/c", "http://127.evil.example/", "http://169.254.169.254/",
        "http://169.254.170.2.evil.example/", "http://[fd00:ec2::24]/", "ftp://127.0.0.1/", "x"}) {
    world.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = url;
    EXPECT_EQ(world.fetch().error().fault, Fault::invalid) << url;
  }
  EXPECT_EQ(world.remote.requests.size(), asked);
  world.variables["AWS_CONTAINER_CREDENTIALS_FULL_URI"] = "http://keys.example/c";
  EXPECT_EQ(
      world.trouble(),
      "AWS_CONTAINER_CREDENTIALS_FULL_URI names the host keys.example: without https only this machine's "
      "loopback, 169.254.170.2, 169.254.170.23 and [fd00:ec2::23] are asked for keys");
}

TEST(ContainerCredentials, WithoutVariablesItIsAnAbsenceAndWithBadOnesAFailure) {
  ContainerWorld world;
  world.files.texts.clear();
  EXPECT_EQ(world.fetch().error().fault, Fault::invalid);
  EXPECT_EQ(world.trouble(), "reading AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE /token: no such file");
  world.files.texts["/token"] = " \n";
  EXPECT_EQ(world.trouble(), "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE /token is empty");
  world.files.texts["/token"] = "jwt\r\nX-Evil: 1";
  EXPECT_EQ(world.trouble(), "the token from AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE has more than one line");
  world.variables = {{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "@evil.example/"}};
  EXPECT_EQ(world.trouble(),
            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is \"@evil.example/\": it must start with /");
  world.variables.clear();
  EXPECT_EQ(world.fetch().error().fault, Fault::not_found);
  EXPECT_EQ(world.trouble(),
            "AWS_CONTAINER_CREDENTIALS_FULL_URI is not set, nor is AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
}

TEST(ContainerCredentials, ARefusalIsToldOnceAndWithoutTheToken) {
  ContainerWorld world;
  world.remote.answer(403, R"({"code":"AccessDenied","message":"no association for jwt-1"})");
  const auto denied = world.fetch();
  EXPECT_EQ(denied.error().fault, Fault::denied);
  EXPECT_EQ(denied.error().text, "HTTP 403: AccessDenied: no association for ***");
  EXPECT_EQ(world.remote.requests.size(), 1U);
}

TEST(ContainerCredentials, AnAgentThatStumblesOrHangsIsAskedThreeTimes) {
  ContainerWorld world;
  world.remote.answer(500, "");
  world.remote.answer(429, "slow down");
  world.remote.answer(200, keys);
  EXPECT_TRUE(world.fetch().ok());
  world.remote.delay = seconds{60};
  const SteadyTime before = world.sim.clock.now();
  EXPECT_EQ(world.fetch().error().fault, Fault::deadline);
  EXPECT_EQ(world.remote.requests.size(), 6U);
  EXPECT_LT(world.sim.clock.now() - before, seconds{9});
}

TEST(ContainerCredentials, GarbageIsAnErrorThatShowsNothing) {
  for (const std::string body :
       {"", "[]", "null", "{", R"({"AccessKeyId":"A"})", R"({"AccessKeyId":7,"SecretAccessKey":"s3cr3t"})",
        R"({"AccessKeyId":"A","SecretAccessKey":"s3cr3t","Expiration":"soon"})",
        R"({"AccessKeyId":"A","SecretAccessKey":"s3cr3t","Token":"t\nX-Evil: 1"})", "\xff\xfes3cr3t"}) {
    ContainerWorld world;
    world.remote.answer(200, body);
    const auto credentials = world.fetch();
    ASSERT_FALSE(credentials.ok()) << body;
    EXPECT_EQ(credentials.error().fault, Fault::unexpected) << body;
    EXPECT_EQ(credentials.error().text.find("s3cr3t"), std::string::npos);
  }
}

}  // namespace
}  // namespace ferryman::aws
