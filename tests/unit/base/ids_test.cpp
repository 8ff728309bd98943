// SPDX-License-Identifier: Apache-2.0
#include "base/ids.h"

#include <gtest/gtest.h>

#include <unordered_set>

namespace ferryman {
namespace {

TEST(InstanceIds, ShortAndLongFormsAreRead) {
  ASSERT_TRUE(parse_instance_id("i-0123456789abcdef0"));
  EXPECT_EQ(parse_instance_id("i-0123456789abcdef0")->str(), "i-0123456789abcdef0");
  EXPECT_TRUE(parse_instance_id("i-1a2b3c4d"));
}

TEST(InstanceIds, AnythingElseIsNone) {
  const char* wrong[] = {
      "",          "i-",          "i-123",        "I-1a2b3c4d",          "i-1A2B3C4D",
      "i-1a2b3c4", "i-1a2b3c4d5", " i-1a2b3c4d",  "i-1a2b3c4d ",         "i-0123456789abcdefg",
      "i-*",       "mi-1a2b3c4d", "vol-1a2b3c4d", "i-0123456789abcdef00"};
  for (const char* text : wrong) EXPECT_FALSE(parse_instance_id(text)) << text;
  EXPECT_FALSE(parse_instance_id(std::string_view("i-1a2b3c4\0", 10)));
  EXPECT_FALSE(parse_instance_id(std::string(1'000'000, 'i')));
}

TEST(InstanceIds, StandAtTheEndOfAProviderId) {
  EXPECT_EQ(instance_id_of_provider("aws:///us-west-2a/i-0123456789abcdef0"),
            InstanceId("i-0123456789abcdef0"));
  EXPECT_EQ(instance_id_of_provider("aws://us-west-2a/i-1a2b3c4d"), InstanceId("i-1a2b3c4d"));
}

TEST(InstanceIds, OtherCloudsAndFargateHaveNone) {
  const char* other[] = {"",
                         "i-1a2b3c4d",
                         "gce://project/zone/i-1a2b3c4d",
                         "kind://docker/kind/i-1a2b3c4d",
                         "aws:///us-west-2a/8f0e/fargate-ip-192-168-1-1.ec2.internal",
                         "aws:///us-west-2a/i-1a2b3c4d/",
                         "aws://"};
  for (const char* text : other) EXPECT_FALSE(instance_id_of_provider(text)) << text;
}

TEST(Ids, OfDifferentKindsAreDifferentTypes) {
  static_assert(!std::is_convertible_v<Uid, InstanceId>);
  static_assert(!std::is_convertible_v<std::string, Uid>);
  std::unordered_set<Uid> known{Uid("a"), Uid("b"), Uid("a")};
  EXPECT_EQ(known.size(), 2U);
  EXPECT_LT(Uid("a"), Uid("b"));
  EXPECT_TRUE(Uid().empty());
}

}  // namespace
}  // namespace ferryman
