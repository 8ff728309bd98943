// SPDX-License-Identifier: Apache-2.0
#include "aws/endpoint.h"

#include <gtest/gtest.h>

#include <array>

#include "aws/http_date.h"
#include "aws/region.h"

namespace ferryman::aws {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

TEST(Region, TheFlagBeatsTheEnvironmentAndThatTheQueueUrl) {
  const char* queue = "https://sqs.eu-west-4.amazonaws.com/1/q";
  const Environment both(Variables{{"AWS_REGION", "eu-west-2"}, {"AWS_DEFAULT_REGION", "eu-west-3"}});
  EXPECT_EQ(find_region("eu-west-1", both, queue)->name, "eu-west-1");
  EXPECT_EQ(find_region("", both, queue)->source, "AWS_REGION");
  const Environment fallback(Variables{{"AWS_DEFAULT_REGION", "eu-west-3"}});
  EXPECT_EQ(find_region("", fallback, queue)->name, "eu-west-3");
  EXPECT_EQ(find_region("", Environment(), queue)->name, "eu-west-4");
  EXPECT_EQ(find_region("", Environment(), queue)->source, "the queue URL");
}

TEST(Region, AQueuesArnBeatsEverythingAndTheFlagMayNotContradict) {
  const char* arn = "arn:aws-cn:sqs:cn-north-1:123456789012:q";
  const Environment ambient(Variables{{"AWS_REGION", "eu-west-2"}});
  EXPECT_EQ(find_region("", ambient, arn)->name, "cn-north-1");
  EXPECT_EQ(find_region("cn-north-1", ambient, arn)->source, "the queue's ARN");
  const auto contradicted = find_region("eu-west-1", ambient, arn);
  ASSERT_FALSE(contradicted.ok());
  EXPECT_EQ(contradicted.error().fault, Fault::invalid);
  EXPECT_NE(contradicted.error().text.find("\"eu-west-1\" is not the region of the queue's ARN, cn-north-1"),
            std::string::npos);
}

TEST(Region, AQueuesNameTellsNone) {
  EXPECT_EQ(find_region("", Environment(), "q").error().fault, Fault::not_found);
  EXPECT_EQ(find_region("eu-west-1", Environment(), "q")->name, "eu-west-1");
}

TEST(Region, ItsAbsenceIsExplained) {
  const auto region = find_region("", Environment(), "http://localhost:4566/1/q");
  ASSERT_FALSE(region.ok());
  EXPECT_EQ(region.error().fault, Fault::not_found) << "so that instance metadata is asked";
  EXPECT_EQ(region.error().text,
            "no AWS region: neither --region, AWS_REGION nor AWS_DEFAULT_REGION is set, and neither the "
            "queue \"http://localhost:4566/1/q\", a shared profile nor the instance metadata names one; "
            "set --region");
}

TEST(Region, AProfilesIsTheLast) {
  const Region profile("eu-south-9", "profile \"work\"");
  EXPECT_EQ(find_region("", Environment(), "http://localhost:4566/1/q", profile)->source, "profile \"work\"");
  EXPECT_EQ(find_region("", Environment(), "https://sqs.eu-west-4.amazonaws.com/1/q", profile)->name,
            "eu-west-4");
}

TEST(Region, AValueThatCannotStandInAHostNameIsRefused) {
  for (const char* name : {"us west", "us-west-2/evil", "us.west", "US-WEST-2", "-us", "us-", "a@b"}) {
    const auto region = find_region("", Environment(Variables{{"AWS_REGION", name}}), "");
    ASSERT_FALSE(region.ok()) << name;
    EXPECT_NE(region.error().text.find("AWS_REGION"), std::string::npos);
  }
}

std::string url_of(Service service, std::string_view region, const Variables& variables = {}) {
  const auto endpoint = endpoint_of(service, region, Environment(variables));
  return endpoint ? endpoint->url : "error: " + endpoint.error().text;
}

TEST(Endpoint, FollowsFromServiceRegionAndPartition) {
  EXPECT_EQ(url_of(Service::ec2, "us-west-2"), "https://ec2.us-west-2.amazonaws.com/");
  EXPECT_EQ(url_of(Service::auto_scaling, "us-gov-west-1"),
            "https://autoscaling.us-gov-west-1.amazonaws.com/");
  EXPECT_EQ(url_of(Service::sts, "us-east-1"), "https://sts.us-east-1.amazonaws.com/")
      << "never the global one";
  EXPECT_EQ(url_of(Service::sqs, "cn-north-1"), "https://sqs.cn-north-1.amazonaws.com.cn/");
  for (const Service version : {Service::elb2, Service::elb_classic}) {
    EXPECT_EQ(url_of(version, "eu-west-1"), "https://elasticloadbalancing.eu-west-1.amazonaws.com/");
  }
}

TEST(Endpoint, TheSdksVariablesOverrideIt) {
  const Variables one = {{"AWS_ENDPOINT_URL", "http://127.0.0.1:4566"}};
  EXPECT_EQ(url_of(Service::sts, "us-west-2", one), "http://127.0.0.1:4566/");
  const std::pair<Service, const char*> specific[] = {
      {Service::sqs, "AWS_ENDPOINT_URL_SQS"},
      {Service::ec2, "AWS_ENDPOINT_URL_EC2"},
      {Service::auto_scaling, "AWS_ENDPOINT_URL_AUTO_SCALING"},
      {Service::sts, "AWS_ENDPOINT_URL_STS"},
      {Service::elb2, "AWS_ENDPOINT_URL_ELASTIC_LOAD_BALANCING_V2"},
      {Service::elb_classic, "AWS_ENDPOINT_URL_ELASTIC_LOAD_BALANCING"}};
  for (const auto& [service, variable] : specific) {
    Variables both = one;
    both[variable] = "http://[::1]:5000/aws";
    EXPECT_EQ(url_of(service, "us-west-2", both), "http://[::1]:5000/aws") << variable;
    const auto endpoint = endpoint_of(service, "us-west-2", Environment(both));
    EXPECT_EQ(endpoint->source, variable);
    EXPECT_EQ(endpoint->region, "us-west-2");
    both["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] = "true";
    EXPECT_TRUE(url_of(service, "us-west-2", both).ends_with(".us-west-2.amazonaws.com/")) << variable;
  }
}

TEST(Endpoint, AnOverrideThatIsNoUrlNamesItsVariable) {
  const std::string url = url_of(Service::ec2, "us-west-2", {{"AWS_ENDPOINT_URL_EC2", "localhost:4566"}});
  EXPECT_TRUE(url.starts_with("error: reading AWS_ENDPOINT_URL_EC2: ")) << url;
}

TEST(Endpoint, EveryPartitionHasItsOwnNamesInEachVariant) {
  const std::array<std::array<std::string_view, 5>, 10> expected = {{
      {"us-west-2", "ec2.us-west-2.amazonaws.com", "ec2-fips.us-west-2.amazonaws.com",
       "ec2.us-west-2.api.aws", "ec2-fips.us-west-2.api.aws"},
      {"moon-south-7", "ec2.moon-south-7.amazonaws.com", "ec2-fips.moon-south-7.amazonaws.com",
       "ec2.moon-south-7.api.aws", "ec2-fips.moon-south-7.api.aws"},
      {"us-gov-east-1", "ec2.us-gov-east-1.amazonaws.com", "ec2.us-gov-east-1.amazonaws.com",
       "ec2.us-gov-east-1.api.aws", "ec2-fips.us-gov-east-1.api.aws"},
      {"cn-north-9", "ec2.cn-north-9.amazonaws.com.cn", "ec2-fips.cn-north-9.amazonaws.com.cn",
       "ec2.cn-north-9.api.amazonwebservices.com.cn", "ec2-fips.cn-north-9.api.amazonwebservices.com.cn"},
      {"us-iso-east-1", "ec2.us-iso-east-1.c2s.ic.gov", "ec2-fips.us-iso-east-1.c2s.ic.gov",
       "ec2.us-iso-east-1.api.aws.ic.gov", "ec2-fips.us-iso-east-1.api.aws.ic.gov"},
      {"us-isob-west-9", "ec2.us-isob-west-9.sc2s.sgov.gov", "ec2-fips.us-isob-west-9.sc2s.sgov.gov",
       "ec2.us-isob-west-9.api.aws.scloud", "ec2-fips.us-isob-west-9.api.aws.scloud"},
      {"eu-isoe-west-1", "ec2.eu-isoe-west-1.cloud.adc-e.uk", "ec2-fips.eu-isoe-west-1.cloud.adc-e.uk",
       "ec2.eu-isoe-west-1.api.cloud-aws.adc-e.uk", "ec2-fips.eu-isoe-west-1.api.cloud-aws.adc-e.uk"},
      {"us-isof-east-1", "ec2.us-isof-east-1.csp.hci.ic.gov", "ec2-fips.us-isof-east-1.csp.hci.ic.gov",
       "ec2.us-isof-east-1.api.aws.hci.ic.gov", "ec2-fips.us-isof-east-1.api.aws.hci.ic.gov"},
      {"eusc-de-east-1", "ec2.eusc-de-east-1.amazonaws.eu", "ec2-fips.eusc-de-east-1.amazonaws.eu",
       "ec2.eusc-de-east-1.api.amazonwebservices.eu", "ec2-fips.eusc-de-east-1.api.amazonwebservices.eu"},
      {"eu-central-1", "ec2.eu-central-1.amazonaws.com", "ec2-fips.eu-central-1.amazonaws.com",
       "ec2.eu-central-1.api.aws", "ec2-fips.eu-central-1.api.aws"},
  }};
  for (const auto& row : expected) {
    for (const std::size_t form : {0U, 1U, 2U, 3U}) {
      const EndpointVariant variant{.fips = (form & 1U) != 0, .dual_stack = (form & 2U) != 0};
      EXPECT_EQ(endpoint_of(Service::ec2, row[0], Environment(), variant)->url,
                "https://" + std::string(row.at(1 + form)) + "/");
    }
  }
}

TEST(Endpoint, AnOverrideAndAVariantExcludeEachOther) {
  const Environment environment(Variables{{"AWS_ENDPOINT_URL", "https://vpce.example"}});
  const auto fips = endpoint_of(Service::ec2, "us-west-2", environment, {.fips = true});
  ASSERT_FALSE(fips.ok());
  EXPECT_EQ(
      fips.error().text,
      "AWS_ENDPOINT_URL names an endpoint, and FIPS endpoints (--use-fips-endpoint) are wanted too: only "
      "one of both can hold; remove one, or name such an endpoint in AWS_ENDPOINT_URL alone");
  EXPECT_FALSE(endpoint_of(Service::ec2, "us-west-2", environment, {.dual_stack = true}).ok());
}

TEST(Endpoint, AQueuesRegionalHostFollowsTheVariantAndNoOtherDoes) {
  const auto url = [](std::string_view queue) {
    return queue_endpoint(queue, "us-west-2", Environment(), {.fips = true})->url;
  };
  EXPECT_EQ(url("https://sqs.us-west-2.amazonaws.com/1/q"), "https://sqs-fips.us-west-2.amazonaws.com/");
  EXPECT_EQ(url("https://sqs.us-west-2.api.aws/1/q"), "https://sqs-fips.us-west-2.amazonaws.com/");
  EXPECT_EQ(url("https://vpce-1.sqs.us-west-2.vpce.amazonaws.com/1/q"),
            "https://vpce-1.sqs.us-west-2.vpce.amazonaws.com/");
}

std::string queue_endpoint_url(std::string_view queue_url, const Variables& variables = {}) {
  const auto endpoint = queue_endpoint(queue_url, "us-west-2", Environment(variables));
  return endpoint ? endpoint->url : "error: " + endpoint.error().text;
}

TEST(Endpoint, AQueueIsReachedAtItsOwnHost) {
  EXPECT_EQ(queue_endpoint_url("https://sqs.us-west-2.amazonaws.com/1/q"),
            "https://sqs.us-west-2.amazonaws.com/");
  EXPECT_EQ(queue_endpoint_url("https://vpce-1.sqs.us-west-2.vpce.amazonaws.com/1/q"),
            "https://vpce-1.sqs.us-west-2.vpce.amazonaws.com/");
  EXPECT_EQ(queue_endpoint_url("http://127.0.0.1:9324/0/q"), "http://127.0.0.1:9324/");
}

TEST(Endpoint, TheOldHostOfAQueueIsAnsweredByTheRegions) {
  for (const char* url : {"https://us-west-2.queue.amazonaws.com/1/q", "https://queue.amazonaws.com/1/q"}) {
    EXPECT_EQ(queue_endpoint_url(url), "https://sqs.us-west-2.amazonaws.com/");
  }
  EXPECT_EQ(queue_endpoint("https://cn-north-1.queue.amazonaws.com.cn/1/q", "cn-north-1", Environment())->url,
            "https://sqs.cn-north-1.amazonaws.com.cn/");
}

TEST(Endpoint, AnOverrideBeatsTheQueueUrl) {
  EXPECT_EQ(queue_endpoint_url("https://sqs.us-west-2.amazonaws.com/1/q",
                               {{"AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:1"}}),
            "http://127.0.0.1:1/");
  EXPECT_TRUE(queue_endpoint_url("my-queue").starts_with("error: reading the queue URL: "));
}

TEST(HttpDate, IsReadInItsOneForm) {
  EXPECT_EQ(parse_http_date("Sun, 01 Mar 2026 12:34:56 GMT"), parse_rfc3339("2026-03-01T12:34:56Z"));
  EXPECT_EQ(parse_http_date("Thu, 31 Dec 2026 23:59:59 GMT"), parse_rfc3339("2026-12-31T23:59:59Z"));
  for (const char* text : {"", "Sun, 01 Mar 2026 12:34:56 UTC", "Sunday, 01-Mar-26 12:34:56 GMT",
                           "Sun, 01 arA 2026 12:34:56 GMT", "Sun, 31 Feb 2026 12:34:56 GMT",
                           "Sun, 0x Mar 2026 12:34:56 GMT", "Sun Mar  1 12:34:56 2026"}) {
    EXPECT_FALSE(parse_http_date(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace ferryman::aws
