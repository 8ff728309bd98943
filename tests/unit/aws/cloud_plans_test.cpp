// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/aws/cloud_world.h"

namespace ferryman::aws {
namespace {

using test::CloudWorld;
using test::instance_ids;
using test::value_of;

std::string tag(std::string_view group, std::string_view key, std::string_view value) {
  return fmt::format(
      "<member><ResourceId>{}</ResourceId><ResourceType>auto-scaling-group</ResourceType><Key>{}</Key>"
      "<Value>{}</Value><PropagateAtLaunch>true</PropagateAtLaunch></member>",
      group, key, value);
}

std::string tags(std::string_view members, std::string_view next_token = {}) {
  return fmt::format(
      "<DescribeTagsResponse xmlns=\"http://autoscaling.amazonaws.com/doc/2011-01-01/\"><DescribeTagsResult>"
      "<Tags>{}</Tags>{}</DescribeTagsResult></DescribeTagsResponse>",
      members, next_token.empty() ? "" : fmt::format("<NextToken>{}</NextToken>", next_token));
}

TEST(CloudGroupTags, OfManyGroupsComeByOneCallAndItsPages) {
  CloudWorld world;
  world.remote.answer(200, tags(tag("workers a+b", "team", "x") + tag("spot", "env", "prod"), "n 1"));
  world.remote.answer(200, tags(tag("workers a+b", "aws-node-termination-handler/managed", "")));
  const auto found = world.sim.run(world.cloud.group_tags({"workers a+b", "spot", "none"}, world.soon()));
  ASSERT_TRUE(found.ok()) << found.error().text;
  ASSERT_EQ(found->size(), 2U) << "a group without tags is absent";
  EXPECT_EQ((*found)[0].group, "spot");
  using Tags = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ((*found)[0].tags, (Tags{{"env", "prod"}}));
  EXPECT_EQ((*found)[1].tags, (Tags{{"team", "x"}, {"aws-node-termination-handler/managed", ""}}))
      << "tags of one group may stand on two pages";
  ASSERT_EQ(world.remote.requests.size(), 2U);
  EXPECT_EQ(world.remote.requests[0].body,
            "Action=DescribeTags&Version=2011-01-01&Filters.member.1.Name=auto-scaling-group"
            "&Filters.member.1.Values.member.1=workers+a%2Bb&Filters.member.1.Values.member.2=spot"
            "&Filters.member.1.Values.member.3=none&MaxRecords=100");
  EXPECT_EQ(value_of(world.last(), "NextToken"), "n 1");
}

TEST(CloudGroupTags, AreAskedForTwoHundredGroupsAtATime) {
  CloudWorld world;
  world.remote.answer(200, tags(""));
  std::vector<std::string> groups;
  for (int i = 0; i < 450; ++i) groups.push_back(fmt::format("group-{}", i));
  ASSERT_TRUE(world.sim.run(world.cloud.group_tags(groups, world.soon())).ok());
  ASSERT_EQ(world.remote.requests.size(), 3U);
  EXPECT_EQ(value_of(world.remote.requests[0], "Filters.member.1.Values.member.200"), "group-199");
  EXPECT_EQ(value_of(world.remote.requests[0], "Filters.member.1.Values.member.201"), "(none)");
  EXPECT_EQ(value_of(world.last(), "Filters.member.1.Values.member.50"), "group-449");
  EXPECT_TRUE(world.sim.run(world.cloud.group_tags({}, world.soon())).ok());
  EXPECT_EQ(world.remote.requests.size(), 3U) << "an empty filter would ask for all groups of the account";
}

TEST(CloudGroupTags, AnAnswerThatIsNoneIsAnError) {
  for (const char* body : {"", "<x/>", "<DescribeTagsResponse/>",
                           "<DescribeTagsResponse><DescribeTagsResult><Tags><member><Key>k</Key></member>"
                           "</Tags></DescribeTagsResult></DescribeTagsResponse>"}) {
    EXPECT_FALSE(parse_group_tags(body)) << body;
  }
}

std::string statuses(std::string_view items, std::string_view next_token = {}) {
  return fmt::format(
      "<DescribeInstanceStatusResponse xmlns=\"http://ec2.amazonaws.com/doc/2016-11-15/\"><requestId>r"
      "</requestId><instanceStatusSet>{}</instanceStatusSet>{}</DescribeInstanceStatusResponse>",
      items, next_token.empty() ? "" : fmt::format("<nextToken>{}</nextToken>", next_token));
}

constexpr std::string_view rebooting =
    "<item><instanceId>i-1</instanceId><availabilityZone>us-west-2a</availabilityZone><eventsSet>"
    "<item><instanceEventId>instance-event-0d59937288b749b32</instanceEventId><code>system-reboot</code>"
    "<description>The instance is scheduled for a reboot</description>"
    "<notBefore>2026-03-14T07:00:00.000Z</notBefore><notAfter>2026-03-14T11:00:00.000Z</notAfter></item>"
    "<item><code>instance-retirement</code><description>[Completed] old</description>"
    "<notBefore>2026-03-20T00:00:00.000Z</notBefore></item></eventsSet></item>";

TEST(CloudInstancePlans, AreReadWithTheirTimes) {
  CloudWorld world;
  world.remote.answer(200,
                      statuses(std::string(rebooting) + "<item><instanceId>i-2</instanceId></item>", "t"));
  world.remote.answer(200, statuses(""));
  const auto plans = world.sim.run(world.cloud.instance_plans(instance_ids(2), world.soon()));
  ASSERT_TRUE(plans.ok()) << plans.error().text;
  ASSERT_EQ(plans->size(), 2U) << "what has no plan is absent";
  const termination::InstancePlan& reboot = (*plans)[0];
  EXPECT_EQ(reboot.instance_id, InstanceId("i-1"));
  EXPECT_EQ(reboot.id, "instance-event-0d59937288b749b32");
  EXPECT_EQ(reboot.code, "system-reboot");
  EXPECT_EQ(format_rfc3339(reboot.starts), "2026-03-14T07:00:00Z");
  ASSERT_TRUE(reboot.ends);
  EXPECT_EQ(format_rfc3339(*reboot.ends), "2026-03-14T11:00:00Z");
  EXPECT_FALSE((*plans)[1].ends);
  EXPECT_EQ((*plans)[1].description, "[Completed] old");
  EXPECT_EQ((*plans)[1].id, "i-1/instance-retirement/2026-03-20T00:00:00.000Z") << "old events have no id";
  ASSERT_EQ(world.remote.requests.size(), 2U);
  EXPECT_EQ(world.remote.requests[0].body,
            "Action=DescribeInstanceStatus&Version=2016-11-15&InstanceId.1=i-00000000000000000"
            "&InstanceId.2=i-00000000000000001");
}

TEST(CloudInstancePlans, AreAskedForAHundredInstancesAtATime) {
  CloudWorld world;
  world.remote.answer(200, statuses(""));
  ASSERT_TRUE(world.sim.run(world.cloud.instance_plans(instance_ids(250), world.soon())).ok());
  ASSERT_EQ(world.remote.requests.size(), 3U);
  EXPECT_NE(value_of(world.remote.requests[0], "InstanceId.100"), "(none)");
  EXPECT_EQ(value_of(world.remote.requests[0], "InstanceId.101"), "(none)");
  EXPECT_EQ(value_of(world.last(), "InstanceId.51"), "(none)");
}

TEST(CloudInstancePlans, OneUnknownInstanceHidesNoOther) {
  CloudWorld world;
  world.remote.answer(400,
                      "<Response><Errors><Error><Code>InvalidInstanceID.NotFound</Code><Message>The instance "
                      "ID 'i-00000000000000001' does not exist</Message></Error></Errors></Response>");
  world.remote.answer(200,
                      "<DescribeInstancesResponse><reservationSet><item><instancesSet><item><instanceId>"
                      "i-00000000000000000</instanceId><instanceState><name>running</name></instanceState>"
                      "</item></instancesSet></item></reservationSet></DescribeInstancesResponse>");
  world.remote.answer(200, statuses(rebooting));
  const auto plans = world.sim.run(world.cloud.instance_plans(instance_ids(2), world.soon()));
  ASSERT_TRUE(plans.ok()) << plans.error().text;
  EXPECT_EQ(plans->size(), 2U);
  ASSERT_EQ(world.remote.requests.size(), 3U);
  EXPECT_EQ(value_of(world.last(), "InstanceId.1"), "i-00000000000000000");
  EXPECT_EQ(value_of(world.last(), "InstanceId.2"), "(none)");
}

TEST(CloudInstancePlans, AnAnswerThatIsNoneIsAnError) {
  for (const char* body :
       {"", "<x/>", "<DescribeInstanceStatusResponse/>",
        "<DescribeInstanceStatusResponse><instanceStatusSet><item/></instanceStatusSet>"
        "</DescribeInstanceStatusResponse>",
        "<DescribeInstanceStatusResponse><instanceStatusSet><item><instanceId>i</instanceId><eventsSet><item>"
        "<code>c</code><notBefore>soon</notBefore></item></eventsSet></item></instanceStatusSet>"
        "</DescribeInstanceStatusResponse>"}) {
    EXPECT_FALSE(parse_instance_plans(body)) << body;
  }
}

}  // namespace
}  // namespace ferryman::aws
