// SPDX-License-Identifier: Apache-2.0
// Where region and keys come from, as the whole daemon sees it.
#include <gtest/gtest.h>

#include "app/aws_side.h"
#include "app/region_lookup.h"
#include "net/local_client.h"
#include "support/simulation.h"
#include "unit/app/memory_files.h"

namespace ferryman::app {
namespace {

constexpr const char* kubeconfig = R"(
current-context: c
contexts: [{name: c, context: {cluster: k}}]
clusters: [{name: k, cluster: {server: "https://kubernetes.test:6443"}}]
)";

/// Instance metadata (of version 1, to be short), a pod identity agent and SQS behind one handler.
class FakeSurroundings final : public net::HttpHandler {
 public:
  Task<net::HttpReply> handle(net::HttpRequest request) override {
    requests.push_back(request);
    if (request.url.find("/placement/region") != std::string::npos)
      co_return net::HttpReply(net::HttpResponse(200, "eu-west-7"));
    if (request.url.starts_with("http://169.254.170.23/"))
      co_return net::HttpReply(net::HttpResponse(200, keys("POD")));
    if (request.url.ends_with("/security-credentials/"))
      co_return net::HttpReply(net::HttpResponse(200, "role"));
    if (request.url.ends_with("/security-credentials/role"))
      co_return net::HttpReply(net::HttpResponse(200, keys("NODE")));
    if (request.headers.has("X-Amz-Target")) co_return net::HttpReply(net::HttpResponse(200, "{}"));
    co_return net::HttpReply(net::HttpResponse(404, ""));
  }

  static std::string keys(const std::string& id) {
    return R"({"AccessKeyId":")" + id + R"(","SecretAccessKey":"s3cr3t","Token":"t",)" +
           R"("Expiration":"2026-03-01T18:00:00Z"})";
  }

  std::vector<net::HttpRequest> requests;
};

class AwsSources : public testing::Test {
 protected:
  AwsSources() {
    http_.route("*", world_);
    files_.files["/kubeconfig"] = kubeconfig;
    settings_.queue_url = "https://sqs.us-west-2.amazonaws.com/123456789012/q";
    settings_.kubeconfig = "/kubeconfig";
  }
  ~AwsSources() override {
    sim_.scope.cancel();
    sim_.clock.advance(Duration{0});
  }

  void set(std::map<std::string, std::string, std::less<>> variables) {
    environment_ = Environment(std::move(variables));
  }
  Platform platform() { return {sim_.clock, random_, http_, files_, environment_, sim_.logs, programs_}; }

  /// The access key that a receive is signed with, or the error.
  std::string key_used() {
    const Groundwork ground = lay_groundwork(settings_, platform(), sim_.log, sim_.scope);
    EXPECT_EQ(ground.problems, std::vector<std::string>{});
    AwsSide side(ground, platform(), sim_.log, sim_.scope);
    const auto got = sim_.run(side.queue().receive(10, std::chrono::seconds{0}, std::chrono::seconds{20},
                                                   Deadline::after(sim_.clock, std::chrono::seconds{60})));
    if (!got) return got.error().text;
    const std::string signature(world_.requests.back().headers.get("Authorization"));
    const std::size_t start = signature.find("Credential=") + 11;
    return signature.substr(start, signature.find('/', start) - start);
  }

  test::Simulation sim_;
  Random random_{1};
  FakeSurroundings world_;
  net::LocalClient http_{sim_.clock, sim_.scope};
  test::MemoryFiles files_;
  NoPrograms programs_;
  Environment environment_;
  Settings settings_;
};

TEST_F(AwsSources, AreAskedInTheSdksOrderAndTheChosenOneIsLoggedOnce) {
  EXPECT_EQ(key_used(), "NODE");
  files_.files["/token"] = "jwt";
  std::map<std::string, std::string, std::less<>> variables = {
      {"HOME", "/h"},
      {"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://169.254.170.23/v1/credentials"},
      {"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "/token"}};
  set(variables);
  EXPECT_EQ(key_used(), "POD");
  files_.files["/h/.aws/credentials"] = "[default]\naws_access_key_id = PROFILE\naws_secret_access_key = s\n";
  EXPECT_EQ(key_used(), "PROFILE");
  variables["AWS_ACCESS_KEY_ID"] = "ENVIRONMENT";
  variables["AWS_SECRET_ACCESS_KEY"] = "s";
  set(variables);
  EXPECT_EQ(key_used(), "ENVIRONMENT");
  EXPECT_EQ(sim_.logs.with("aws.credentials source=").size(), 4U);
  EXPECT_EQ(sim_.logs.with("source=\"container (http://169.254.170.23/v1/credentials)\"").size(), 1U);
  EXPECT_TRUE(sim_.logs.with("s3cr3t").empty());
}

TEST_F(AwsSources, WhereNothingIsSetUpEachSaysWhatItLacks) {
  set({{"AWS_EC2_METADATA_DISABLED", "true"}, {"HOME", "/h"}});
  const std::string text = key_used();
  EXPECT_NE(
      text.find("no AWS credentials found (environment: AWS_ACCESS_KEY_ID is not set; web identity "
                "(https://sts.us-west-2.amazonaws.com/): AWS_WEB_IDENTITY_TOKEN_FILE is not set; profile "
                "\"default\": there is no profile \"default\" in /h/.aws/credentials and /h/.aws/config; "
                "container: "),
      std::string::npos)
      << text;
}

TEST_F(AwsSources, TheRegionIsTakenFromTheInstanceOnlyWhenNothingElseNamesOne) {
  EXPECT_FALSE(lacks_region(settings_, platform()));
  settings_.queue_url = "http://127.0.0.1:4566/000000000000/q";
  EXPECT_TRUE(lacks_region(settings_, platform()));
  set({{"HOME", "/h"}});
  files_.files["/h/.aws/config"] = "[default]\nregion = eu-south-9\n";
  EXPECT_FALSE(lacks_region(settings_, platform()));
  EXPECT_EQ(lay_groundwork(settings_, platform(), sim_.log, sim_.scope).region, "eu-south-9");
  files_.files.erase("/h/.aws/config");
  sim_.run(take_region_from_instance(settings_, platform(), sim_.log));
  EXPECT_EQ(settings_.region, "eu-west-7");
  EXPECT_EQ(sim_.logs.with("aws.region region=eu-west-7 source=\"instance metadata\"").size(), 1U);
}

TEST_F(AwsSources, ARegionThatNobodyKnowsIsAProblemWithItsCure) {
  settings_.queue_url = "http://127.0.0.1:4566/000000000000/q";
  set({{"AWS_EC2_METADATA_DISABLED", "true"}});
  sim_.run(take_region_from_instance(settings_, platform(), sim_.log));
  EXPECT_EQ(sim_.logs.with("aws.region.unknown").size(), 1U);
  const auto problems = lay_groundwork(settings_, platform(), sim_.log, sim_.scope).problems;
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_TRUE(problems[0].starts_with("setting region: no AWS region: ")) << problems[0];
}

TEST_F(AwsSources, FipsAndDualStackReachEveryEndpoint) {
  settings_.use_fips_endpoint = true;
  settings_.use_dualstack_endpoint = true;
  const Groundwork ground = lay_groundwork(settings_, platform(), sim_.log, sim_.scope);
  EXPECT_EQ(ground.sqs.url, "https://sqs-fips.us-west-2.api.aws/");
  EXPECT_EQ(ground.ec2.url, "https://ec2-fips.us-west-2.api.aws/");
  EXPECT_EQ(ground.auto_scaling.url, "https://autoscaling-fips.us-west-2.api.aws/");
  EXPECT_EQ(ground.sts.url, "https://sts-fips.us-west-2.api.aws/");
}

}  // namespace
}  // namespace ferryman::app
