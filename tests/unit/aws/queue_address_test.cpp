// SPDX-License-Identifier: Apache-2.0
#include "aws/queue_address.h"

#include <gtest/gtest.h>

#include <utility>

namespace ferryman::aws {
namespace {

TEST(QueueAddress, EveryFormOfAUrlTellsItsRegion) {
  const std::pair<const char*, const char*> urls[] = {
      {"https://sqs.us-west-2.amazonaws.com/123456789012/q", "us-west-2"},
      {"https://sqs.cn-north-1.amazonaws.com.cn/123456789012/q", "cn-north-1"},
      {"https://sqs.us-iso-east-1.c2s.ic.gov/1/q", "us-iso-east-1"},
      {"https://sqs.moon-south-7.amazonaws.com/1/q", "moon-south-7"},
      {"https://sqs-fips.us-gov-west-1.amazonaws.com/1/q", "us-gov-west-1"},
      {"https://sqs.eu-west-1.api.aws/1/q", "eu-west-1"},
      {"https://vpce-0abc-1.sqs.eu-central-1.vpce.amazonaws.com/1/q", "eu-central-1"},
      {"https://us-west-2.queue.amazonaws.com/1/q", "us-west-2"},
      {"https://cn-north-1.queue.amazonaws.com.cn/1/q", "cn-north-1"},
      {"https://queue.amazonaws.com/1/q", "us-east-1"},
  };
  for (const auto& [url, region] : urls) EXPECT_EQ(region_of_queue_url(url), region) << url;
}

TEST(QueueAddress, NoRegionIsInventedFromOtherHosts) {
  for (const char* url : {"", "nonsense", "http://127.0.0.1:9324/000000000000/q", "http://localhost:4566/1/q",
                          "https://sqs.amazonaws.com/1/q", "https://example.com/sqs.us-west-2.amazonaws.com",
                          "https://sqs.internal.example/1/q"}) {
    EXPECT_EQ(region_of_queue_url(url), "") << url;
  }
}

TEST(QueueAddress, AUrlTellsAccountAndName) {
  for (const char* url :
       {"https://sqs.us-west-2.amazonaws.com/123456789012/q",
        "https://us-west-2.queue.amazonaws.com/123456789012/q", "https://queue.amazonaws.com/123456789012/q",
        "https://sqs.eu-west-1.api.aws/123456789012/q",
        "http://localhost:4566/queue/us-west-2/123456789012/q"}) {
    const auto address = parse_queue_address(url);
    ASSERT_TRUE(address.ok()) << address.error().text;
    EXPECT_EQ(address->url, url);
    EXPECT_EQ(address->account, "123456789012") << url;
    EXPECT_EQ(address->name, "q") << url;
    EXPECT_FALSE(address->is_arn);
  }
  EXPECT_EQ(parse_queue_address("http://localhost:9324/queue/q")->account, "");
  EXPECT_EQ(parse_queue_address("http://localhost:9324/q")->account, "");
}

TEST(QueueAddress, AnArnTellsEverythingAndItsUrlIsOfItsPartition) {
  const std::pair<const char*, const char*> arns[] = {
      {"arn:aws:sqs:us-west-2:123456789012:q", "https://sqs.us-west-2.amazonaws.com/123456789012/q"},
      {"arn:aws-cn:sqs:cn-north-1:123456789012:q", "https://sqs.cn-north-1.amazonaws.com.cn/123456789012/q"},
      {"arn:aws-us-gov:sqs:us-gov-west-1:123456789012:q-1_A",
       "https://sqs.us-gov-west-1.amazonaws.com/123456789012/q-1_A"},
  };
  for (const auto& [arn, url] : arns) {
    const auto address = parse_queue_address(arn);
    ASSERT_TRUE(address.ok()) << address.error().text;
    EXPECT_EQ(address->url, url);
    EXPECT_EQ(address->account, "123456789012");
    EXPECT_EQ(address->region, region_of_queue_url(url));
    EXPECT_TRUE(address->is_arn);
  }
}

TEST(QueueAddress, ANameTellsNothingElse) {
  for (const char* name : {"q", "my-queue_1", "orders.fifo"}) {
    const auto address = parse_queue_address(name);
    ASSERT_TRUE(address.ok()) << address.error().text;
    EXPECT_EQ(address->name, name);
    EXPECT_EQ(address->url + address->account + address->region, "");
  }
}

TEST(QueueAddress, WhatIsNoneOfThemIsNamedWithTheThreeForms) {
  const std::string long_name(81, 'q');
  for (const std::string& text :
       {std::string(), std::string("my queue"), std::string("sqs.us-west-2.amazonaws.com/1/q"),
        std::string("https://sqs.us-west-2.amazonaws.com"),
        std::string("https://sqs.us-west-2.amazonaws.com/"), std::string("ftp://host/1/q"),
        std::string("arn:aws:sns:us-west-2:123456789012:q"), std::string("arn:aws:sqs:us-west-2:12345:q"),
        std::string("arn:aws:sqs::123456789012:q"), std::string("arn:aws:sqs:us-west-2:123456789012"),
        std::string("arn:aws:sqs:us-west-2:123456789012:q:r"), std::string("arn:"), std::string(".fifo"),
        std::string("q\n"), std::string("\xff\xfe"), long_name}) {
    const auto address = parse_queue_address(text);
    ASSERT_FALSE(address.ok()) << text;
    EXPECT_EQ(address.error().fault, Fault::invalid);
    for (const char* form :
         {"https://sqs.us-west-2.amazonaws.com/123456789012/ferryman",
          "arn:aws:sqs:us-west-2:123456789012:ferryman", "or, for a queue of the own account,"})
      EXPECT_NE(address.error().text.find(form), std::string::npos) << address.error().text;
  }
}

TEST(QueueAddress, TheAccountOfAnArnIsTwelveDigits) {
  EXPECT_EQ(account_of_arn("arn:aws:sqs:us-west-2:123456789012:q"), "123456789012");
  for (const char* arn : {"", "arn", ":::::", "arn:aws:sqs:us-west-2:nobody:q"})
    EXPECT_EQ(account_of_arn(arn), "");
}

}  // namespace
}  // namespace ferryman::aws
