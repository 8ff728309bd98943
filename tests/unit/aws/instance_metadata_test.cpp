// SPDX-License-Identifier: Apache-2.0
#include "aws/instance_metadata.h"

#include <gtest/gtest.h>

#include "aws/instance_credentials.h"
#include "unit/aws/world.h"

namespace ferryman::aws {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using Variables = std::map<std::string, std::string, std::less<>>;

/// The service of one instance: hands out session tokens and wants to see them, as version 2 does.
class FakeMetadata final : public net::HttpHandler {
 public:
  Task<net::HttpReply> handle(net::HttpRequest request) override {
    requests.push_back(request);
    co_await clock.sleep_for(delay);
    if (broken > 0) {
      --broken;
      co_return net::HttpResponse(503, "");
    }
    const std::string path = request.url.substr(request.url.find("/latest/"));
    if (path == "/latest/api/token") co_return give_token(request);
    if (version_2 && request.headers.get("X-aws-ec2-metadata-token") != token())
      co_return net::HttpResponse(401, "");
    const auto text = texts.find(path.substr(std::string("/latest/meta-data/").size()));
    co_return text == texts.end() ? net::HttpResponse(404, "") : net::HttpResponse(200, text->second);
  }

  explicit FakeMetadata(Clock& clock_in) : clock(clock_in) {}
  [[nodiscard]] std::string token() const { return "token-" + std::to_string(tokens); }

  Clock& clock;
  std::map<std::string, std::string> texts = {
      {"placement/region", "eu-west-7"},
      {"iam/security-credentials/", "node-role"},
      {"iam/security-credentials/node-role",
       R"({"Code":"Success","Type":"AWS-HMAC","AccessKeyId":"ASIANODE","SecretAccessKey":"s3cr3t",)"
       R"("Token":"t","Expiration":"2026-03-01T18:00:00Z"})"}};
  std::vector<net::HttpRequest> requests;
  Duration delay{0};
  bool version_2 = true;
  int token_status = 200;
  int tokens = 0;
  int broken = 0;

 private:
  net::HttpResponse give_token(const net::HttpRequest& request) {
    if (!version_2 || token_status != 200) return {version_2 ? token_status : 404, ""};
    if (request.method != "PUT" || request.headers.get("X-aws-ec2-metadata-token-ttl-seconds") != "21600")
      return {400, ""};
    ++tokens;
    return {200, token()};
  }
};

class Instance : public test::World {
 public:
  Instance() : World(Service::sts) { http.route("169.254.169.254", service); }

  InstanceMetadata& metadata() {
    if (!metadata_) metadata_.emplace(context, Environment(variables));
    return *metadata_;
  }
  std::string region() {
    const auto answer = sim.run(region_of_instance(metadata(), soon()));
    return answer ? *answer : "error: " + answer.error().text;
  }
  Result<Credentials> credentials() {
    InstanceCredentials source(metadata());
    return sim.run(source.fetch(soon()));
  }

  FakeMetadata service{sim.clock};
  Variables variables;

 private:
  std::optional<InstanceMetadata> metadata_;
};

TEST(InstanceMetadata, TheRolesKeysComeWithOneSessionToken) {
  Instance instance;
  const auto credentials = instance.credentials();
  ASSERT_TRUE(credentials.ok()) << credentials.error().text;
  EXPECT_EQ(credentials->access_key_id, "ASIANODE");
  EXPECT_EQ(credentials->session_token, Secret("t"));
  EXPECT_EQ(credentials->expires, parse_rfc3339("2026-03-01T18:00:00Z"));
  EXPECT_EQ(instance.region(), "eu-west-7");
  EXPECT_EQ(instance.service.tokens, 1);
  EXPECT_EQ(instance.service.requests.size(), 4U);
  for (const auto& request : instance.service.requests) EXPECT_TRUE(request.profile->direct);
  instance.sim.clock.advance(hours{6});
  EXPECT_EQ(instance.region(), "eu-west-7");
  EXPECT_EQ(instance.service.tokens, 2) << "a token lives for six hours";
}

TEST(InstanceMetadata, AForgottenTokenIsRenewedOnce) {
  Instance instance;
  EXPECT_EQ(instance.region(), "eu-west-7");
  ++instance.service.tokens;  // the service was restarted and knows our token no more
  EXPECT_EQ(instance.region(), "eu-west-7");
  EXPECT_EQ(instance.service.requests.back().headers.get("X-aws-ec2-metadata-token"), "token-3");
}

TEST(InstanceMetadata, VersionOneServesOnlyWhereTheOtherIsUnknown) {
  Instance old;
  old.service.version_2 = false;
  EXPECT_TRUE(old.credentials().ok());
  EXPECT_FALSE(old.service.requests.back().headers.has("X-aws-ec2-metadata-token"));
  Instance strict;
  strict.service.version_2 = false;
  strict.variables["AWS_EC2_METADATA_V1_DISABLED"] = "true";
  EXPECT_EQ(strict.region(),
            "error: version 2 of the service is refused (HTTP 404), and version 1 is ruled out by "
            "AWS_EC2_METADATA_V1_DISABLED");
  Instance broken;
  broken.service.token_status = 500;
  EXPECT_EQ(broken.region(), "error: the request for a session token was answered with HTTP 500");
}

TEST(InstanceMetadata, AnotherEndpointOrNoneCanBeChosen) {
  Instance other;
  other.http.route("imds.test", other.service);
  other.variables["AWS_EC2_METADATA_SERVICE_ENDPOINT"] = "http://imds.test:1338/";
  EXPECT_EQ(other.region(), "eu-west-7");
  EXPECT_EQ(other.service.requests.front().url, "http://imds.test:1338/latest/api/token");
  Instance six;
  six.variables["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"] = "IPv6";
  EXPECT_EQ(six.metadata().endpoint(), "http://[fd00:ec2::254]");
  Instance odd;
  odd.variables["AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"] = "IPv5";
  EXPECT_EQ(odd.region(),
            "error: AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE is \"IPv5\": it must be IPv4 or IPv6");
  Instance off;
  off.variables["AWS_EC2_METADATA_DISABLED"] = "true";
  EXPECT_EQ(off.credentials().error().fault, Fault::not_found);
  EXPECT_EQ(off.region(), "error: AWS_EC2_METADATA_DISABLED is true");
  EXPECT_TRUE(off.service.requests.empty());
}

TEST(InstanceMetadata, AStumbleIsRetriedAndSilenceEndsInSeconds) {
  Instance instance;
  instance.service.broken = 2;
  EXPECT_EQ(instance.region(), "eu-west-7");
  Instance elsewhere;
  elsewhere.service.delay = minutes{5};
  const SteadyTime before = elsewhere.sim.clock.now();
  const auto credentials = elsewhere.credentials();
  EXPECT_EQ(credentials.error().fault, Fault::not_found) << "this is no instance: an absence";
  EXPECT_TRUE(credentials.error().text.starts_with("no answer from http://169.254.169.254: "))
      << credentials.error().text;
  EXPECT_NE(credentials.error().text.find("metadata hop limit of 2"), std::string::npos);
  EXPECT_LT(elsewhere.sim.clock.now() - before, seconds{5});
}

TEST(InstanceMetadata, ThatAnsweredOnceIsNotTakenForAbsentLater) {
  Instance instance;
  ASSERT_TRUE(instance.credentials().ok());
  instance.service.delay = minutes{5};
  const auto later = instance.credentials();
  EXPECT_EQ(later.error().fault, Fault::deadline);
}

TEST(InstanceMetadata, AnInstanceWithoutARoleIsAnAbsence) {
  for (const bool listed : {true, false}) {
    Instance instance;
    instance.service.texts["iam/security-credentials/"] = "";
    if (!listed) instance.service.texts.erase("iam/security-credentials/");
    EXPECT_EQ(instance.credentials().error().fault, Fault::not_found);
    EXPECT_EQ(instance.credentials().error().text, "the instance has no role (no instance profile)");
  }
}

TEST(InstanceMetadata, GarbageIsAnErrorThatShowsNothing) {
  const std::string place = "iam/security-credentials/node-role";
  for (const std::string body :
       {"", "[]", "<html>s3cr3t</html>", R"({"Code":"Success","AccessKeyId":"A","SecretAccessKey":"s3cr3t"})",
        R"({"AccessKeyId":"A","SecretAccessKey":"s3cr3t","Token":"t"})"}) {
    Instance instance;
    instance.service.texts[place] = body;
    const auto credentials = instance.credentials();
    ASSERT_FALSE(credentials.ok()) << body;
    EXPECT_EQ(credentials.error().fault, Fault::unexpected) << body;
    EXPECT_EQ(credentials.error().text.find("s3cr3t"), std::string::npos);
  }
  Instance failed;
  failed.service.texts[place] = R"({"Code":"AssumeRoleUnauthorizedAccess","Message":"EC2 cannot assume"})";
  EXPECT_EQ(failed.credentials().error().fault, Fault::denied);
  EXPECT_EQ(failed.credentials().error().text,
            "reading the keys of the role node-role: AssumeRoleUnauthorizedAccess: EC2 cannot assume");
  Instance nowhere;
  nowhere.service.texts["placement/region"] = "<html/>";
  EXPECT_EQ(nowhere.region(), "error: the instance metadata's placement/region is not a region's name");
}

}  // namespace
}  // namespace ferryman::aws
