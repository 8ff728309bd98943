// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/aws/cloud_world.h"

namespace ferryman::aws {
namespace {

using test::CloudWorld;
using test::instance_ids;
using test::value_of;

termination::LifecycleAction some_action() {
  termination::LifecycleAction action;
  action.group = "workers a+b";
  action.hook = "drain";
  action.token = "token-1";
  action.instance_id = InstanceId("i-0123456789abcdef0");
  return action;
}

TEST(Cloud, AHeartbeatSaysExactlyThis) {
  CloudWorld world;
  world.remote.answer(200,
                      "<RecordLifecycleActionHeartbeatResponse><RecordLifecycleActionHeartbeatResult/>"
                      "</RecordLifecycleActionHeartbeatResponse>");
  const auto sent = world.sim.run(world.cloud.heartbeat(some_action(), world.soon()));
  ASSERT_TRUE(sent.ok()) << sent.error().text;
  EXPECT_EQ(world.last().headers.get("Content-Type"), "application/x-www-form-urlencoded; charset=utf-8");
  EXPECT_NE(world.last().headers.get("Authorization").find("/us-west-2/autoscaling/aws4_request"),
            std::string_view::npos);
  EXPECT_EQ(world.last().body,
            "Action=RecordLifecycleActionHeartbeat&Version=2011-01-01&AutoScalingGroupName=workers+a%2Bb"
            "&LifecycleHookName=drain&InstanceId=i-0123456789abcdef0&LifecycleActionToken=token-1");
}

TEST(Cloud, AnActionWithoutATokenGoesByInstanceId) {
  CloudWorld world;
  world.remote.answer(200, "<CompleteLifecycleActionResponse/>");
  termination::LifecycleAction action = some_action();
  action.token.clear();
  ASSERT_TRUE(
      world.sim.run(world.cloud.complete(action, termination::CompletionResult::proceed, world.soon())).ok());
  EXPECT_EQ(world.last().body,
            "Action=CompleteLifecycleAction&Version=2011-01-01&AutoScalingGroupName=workers+a%2Bb"
            "&LifecycleHookName=drain&InstanceId=i-0123456789abcdef0&LifecycleActionResult=CONTINUE");
  ASSERT_TRUE(
      world.sim.run(world.cloud.complete(action, termination::CompletionResult::abandon, world.soon())).ok());
  EXPECT_EQ(value_of(world.last(), "LifecycleActionResult"), "ABANDON");
}

TEST(Cloud, AnActionThatNoLongerWaitsIsAValidationError) {
  CloudWorld world;
  world.remote.answer(
      400,
      "<ErrorResponse xmlns=\"http://autoscaling.amazonaws.com/doc/2011-01-01/\"><Error><Type>Sender"
      "</Type><Code>ValidationError</Code><Message>No active Lifecycle Action found</Message>"
      "</Error><RequestId>x</RequestId></ErrorResponse>");
  const auto done = world.sim.run(
      world.cloud.complete(some_action(), termination::CompletionResult::proceed, world.soon()));
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().fault, Fault::invalid);
  EXPECT_EQ(done.error().code, "ValidationError");
  EXPECT_EQ(done.error().text,
            "calling autoscaling CompleteLifecycleAction: ValidationError: No active Lifecycle Action found");
  EXPECT_EQ(world.remote.requests.size(), 1U) << "asking again changes nothing";
}

TEST(Cloud, HooksAreReadWithTheirTimeouts) {
  CloudWorld world;
  world.remote.answer(
      200,
      "<DescribeLifecycleHooksResponse xmlns=\"http://autoscaling.amazonaws.com/doc/2011-01-01/\">"
      "<DescribeLifecycleHooksResult><LifecycleHooks>"
      "<member><AutoScalingGroupName>workers</AutoScalingGroupName><LifecycleHookName>drain</"
      "LifecycleHookName>"
      "<LifecycleTransition>autoscaling:EC2_INSTANCE_TERMINATING</LifecycleTransition><New>1</New>"
      "<HeartbeatTimeout>300</HeartbeatTimeout><GlobalTimeout>30000</GlobalTimeout>"
      "<DefaultResult>CONTINUE</DefaultResult></member>"
      "<member><LifecycleHookName>short</LifecycleHookName><LifecycleTransition>t</LifecycleTransition>"
      "<HeartbeatTimeout>7200</HeartbeatTimeout></member>"
      "</LifecycleHooks></DescribeLifecycleHooksResult></DescribeLifecycleHooksResponse>");
  const auto hooks = world.sim.run(world.cloud.hooks("workers", world.soon()));
  ASSERT_TRUE(hooks.ok()) << hooks.error().text;
  ASSERT_EQ(hooks->size(), 2U);
  EXPECT_EQ((*hooks)[0].name, "drain");
  EXPECT_EQ((*hooks)[0].group, "workers");
  EXPECT_EQ((*hooks)[0].transition, "autoscaling:EC2_INSTANCE_TERMINATING");
  EXPECT_EQ((*hooks)[0].heartbeat_timeout, std::chrono::seconds{300});
  EXPECT_EQ((*hooks)[0].global_timeout, std::chrono::seconds{30'000});
  EXPECT_EQ((*hooks)[0].default_result, "CONTINUE");
  EXPECT_EQ((*hooks)[1].global_timeout, std::chrono::seconds{172'800}) << "100 × timeout, 48 h at most";
  EXPECT_EQ(world.last().body,
            "Action=DescribeLifecycleHooks&Version=2011-01-01&AutoScalingGroupName=workers");
}

TEST(Cloud, HooksOfAnUnknownGroupAreNotFound) {
  CloudWorld world;
  world.remote.answer(400,
                      "<ErrorResponse><Error><Code>ValidationError</Code><Message>no group</Message></Error>"
                      "</ErrorResponse>");
  const auto hooks = world.sim.run(world.cloud.hooks("nobody", world.soon()));
  ASSERT_FALSE(hooks.ok());
  EXPECT_EQ(hooks.error().fault, Fault::not_found);
}

TEST(Cloud, GroupMembersAreAskedForFiftyAtATime) {
  CloudWorld world;
  world.remote.answer(200,
                      "<DescribeAutoScalingInstancesResponse><DescribeAutoScalingInstancesResult>"
                      "<AutoScalingInstances><member><InstanceId>i-1</InstanceId><LifecycleState>"
                      "Terminating:Wait</LifecycleState><AutoScalingGroupName>workers</AutoScalingGroupName>"
                      "</member></AutoScalingInstances></DescribeAutoScalingInstancesResult>"
                      "</DescribeAutoScalingInstancesResponse>");
  const auto members = world.sim.run(world.cloud.group_members(instance_ids(120), world.soon()));
  ASSERT_TRUE(members.ok()) << members.error().text;
  ASSERT_EQ(world.remote.requests.size(), 3U);
  EXPECT_EQ(value_of(world.remote.requests[0], "InstanceIds.member.50"), "i-00000000000000031");
  EXPECT_EQ(value_of(world.remote.requests[0], "InstanceIds.member.51"), "(none)");
  EXPECT_EQ(value_of(world.remote.requests[1], "InstanceIds.member.1"), "i-00000000000000032");
  EXPECT_EQ(value_of(world.remote.requests[2], "InstanceIds.member.21"), "(none)");
  ASSERT_EQ(members->size(), 3U);
  EXPECT_EQ((*members)[0].lifecycle_state, "Terminating:Wait");
  EXPECT_EQ((*members)[0].group, "workers");
}

TEST(Cloud, MembersOfGroupsAreAskedForByFiftyNamesAndAllPages) {
  CloudWorld world;
  const std::string start = "<DescribeAutoScalingGroupsResponse><DescribeAutoScalingGroupsResult>";
  const std::string end = "</DescribeAutoScalingGroupsResult></DescribeAutoScalingGroupsResponse>";
  const std::string member =
      "<member><InstanceId>i-1</InstanceId><LifecycleState>Terminating:Wait</LifecycleState></member>";
  world.remote.answer(200, start +
                               "<AutoScalingGroups><member><AutoScalingGroupName>a</AutoScalingGroupName>"
                               "<Instances>" +
                               member +
                               "</Instances></member><member><AutoScalingGroupName>b</AutoScalingGroupName>"
                               "<Instances/></member></AutoScalingGroups><NextToken>n</NextToken>" +
                               end);
  world.remote.answer(200, start + "<AutoScalingGroups/>" + end);
  std::vector<std::string> names;
  for (int n = 0; n < 51; ++n) names.push_back("g" + std::to_string(n));
  const auto members = world.sim.run(world.cloud.members_of(names, world.soon()));
  ASSERT_TRUE(members.ok()) << members.error().text;
  ASSERT_EQ(members->size(), 1U);
  EXPECT_EQ((*members)[0].group, "a");
  EXPECT_EQ((*members)[0].instance_id, InstanceId("i-1"));
  EXPECT_EQ((*members)[0].lifecycle_state, "Terminating:Wait");
  ASSERT_EQ(world.remote.requests.size(), 3U);
  EXPECT_EQ(value_of(world.remote.requests[0], "AutoScalingGroupNames.member.50"), "g49");
  EXPECT_EQ(value_of(world.remote.requests[1], "NextToken"), "n");
  EXPECT_EQ(value_of(world.remote.requests[2], "AutoScalingGroupNames.member.1"), "g50");
}

TEST(Cloud, PagesOfGroupMembersAreFollowed) {
  CloudWorld world;
  const std::string start = "<DescribeAutoScalingInstancesResponse><DescribeAutoScalingInstancesResult>";
  const std::string end = "</DescribeAutoScalingInstancesResult></DescribeAutoScalingInstancesResponse>";
  world.remote.answer(200, start + "<AutoScalingInstances/><NextToken>a/b+c=</NextToken>" + end);
  world.remote.answer(200, start + "<AutoScalingInstances/>" + end);
  const auto members = world.sim.run(world.cloud.group_members(instance_ids(1), world.soon()));
  ASSERT_TRUE(members.ok()) << members.error().text;
  ASSERT_EQ(world.remote.requests.size(), 2U);
  EXPECT_TRUE(world.last().body.ends_with("&NextToken=a%2Fb%2Bc%3D"));
}

std::string instances_answer(const std::string& items, const std::string& next_token) {
  return "<DescribeInstancesResponse "
         "xmlns=\"http://ec2.amazonaws.com/doc/2016-11-15/\"><requestId>x</requestId>"
         "<reservationSet><item><reservationId>r</reservationId><instancesSet>" +
         items + "</instancesSet></item></reservationSet>" +
         (next_token.empty() ? "" : "<nextToken>" + next_token + "</nextToken>") +
         "</DescribeInstancesResponse>";
}

TEST(Cloud, InstancesAreReadWithTheirTags) {
  CloudWorld world;
  world.remote.answer(
      200, instances_answer("<item><instanceId>i-0123456789abcdef0</instanceId><instanceState><code>16"
                            "</code><name>running</name></instanceState><privateDnsName>ip-10-0-0-1"
                            "</privateDnsName><tagSet><item><key>a&amp;b</key><value/></item>"
                            "<item><key>k</key><value>ö x</value></item></tagSet></item>",
                            ""));
  const auto found = world.sim.run(world.cloud.instances(instance_ids(2), world.soon()));
  ASSERT_TRUE(found.ok()) << found.error().text;
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ((*found)[0].instance_id.str(), "i-0123456789abcdef0");
  EXPECT_EQ((*found)[0].state, "running");
  EXPECT_EQ((*found)[0].private_dns_name, "ip-10-0-0-1");
  const std::vector<std::pair<std::string, std::string>> tags = {{"a&b", ""}, {"k", "ö x"}};
  EXPECT_EQ((*found)[0].tags, tags);
  EXPECT_EQ(world.last().url, "https://ec2.test/");
  EXPECT_EQ(world.last().body,
            "Action=DescribeInstances&Version=2016-11-15&Filter.1.Name=instance-id"
            "&Filter.1.Value.1=i-00000000000000000&Filter.1.Value.2=i-00000000000000001&MaxResults=1000");
}

TEST(Cloud, InstancesAreAskedForTwoHundredAtATimeAndByPage) {
  CloudWorld world;
  world.remote.answer(200, instances_answer("", "next"));
  world.remote.answer(200, instances_answer("", ""));
  ASSERT_TRUE(world.sim.run(world.cloud.instances(instance_ids(201), world.soon())).ok());
  ASSERT_EQ(world.remote.requests.size(), 3U);
  EXPECT_EQ(value_of(world.remote.requests[1], "NextToken"), "next");
  EXPECT_EQ(value_of(world.remote.requests[1], "Filter.1.Value.200"), "i-000000000000000c7");
  EXPECT_EQ(value_of(world.remote.requests[2], "NextToken"), "(none)");
  EXPECT_EQ(value_of(world.remote.requests[2], "Filter.1.Value.1"), "i-000000000000000c8");
}

TEST(Cloud, NobodyIsAskedAboutNoInstances) {
  CloudWorld world;
  ASSERT_TRUE(world.sim.run(world.cloud.instances({}, world.soon())).ok());
  ASSERT_TRUE(world.sim.run(world.cloud.group_members({}, world.soon())).ok());
  EXPECT_TRUE(world.remote.requests.empty());
}

TEST(Cloud, PagesThatNeverEndAreAnError) {
  CloudWorld world;
  world.remote.answer(200, instances_answer("", "again"));
  const auto found = world.sim.run(world.cloud.instances(instance_ids(1), world.in(std::chrono::hours{1})));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().fault, Fault::unexpected);
  EXPECT_EQ(world.remote.requests.size(), 2U);  // the second page names itself as the next
}

/// For every operation: what is no answer of that operation is an Error, whatever it is.
TEST(Cloud, GarbageIsAnErrorForEveryOperation) {
  const std::vector<std::string> garbage = {
      "",
      "{}",
      "<html><body>oops</body></html>",
      "<DescribeInstancesResponse>",
      "<a",
      "\xff\xfe\x00",
      "<DescribeLifecycleHooksResponse/>",
      "<DescribeAutoScalingInstancesResponse/>",
      "<DescribeInstancesResponse/>",
      "<RecordLifecycleActionHeartbeat",
      std::string(100'000, '<'),
      "<" + std::string(100'000, 'a') + "/>",
      std::string("<a>") + std::string(10, '\0'),
      instances_answer("<item><instanceId>i-1</instanceId></item>", ""),
      instances_answer("<item><instanceState><name>running</name></instanceState></item>", ""),
      "<DescribeAutoScalingInstancesResponse><DescribeAutoScalingInstancesResult><AutoScalingInstances><"
      "member/>"
      "</AutoScalingInstances></DescribeAutoScalingInstancesResult></DescribeAutoScalingInstancesResponse>",
      "<DescribeLifecycleHooksResponse><DescribeLifecycleHooksResult><LifecycleHooks><member><"
      "LifecycleHookName>h"
      "</LifecycleHookName><LifecycleTransition>t</LifecycleTransition><HeartbeatTimeout>soon</"
      "HeartbeatTimeout>"
      "</member></LifecycleHooks></DescribeLifecycleHooksResult></DescribeLifecycleHooksResponse>"};
  for (const std::string& body : garbage) {
    SCOPED_TRACE(body.substr(0, 60));
    CloudWorld world;
    world.remote.answer(200, body);
    const auto expect_unexpected = [](const auto& result) {
      ASSERT_FALSE(result.ok());
      EXPECT_EQ(result.error().fault, Fault::unexpected);
      EXPECT_LT(result.error().text.size(), 600U);
    };
    expect_unexpected(world.sim.run(world.cloud.hooks("g", world.soon())));
    expect_unexpected(world.sim.run(world.cloud.heartbeat(some_action(), world.soon())));
    expect_unexpected(world.sim.run(
        world.cloud.complete(some_action(), termination::CompletionResult::proceed, world.soon())));
    expect_unexpected(world.sim.run(world.cloud.group_members(instance_ids(1), world.soon())));
    expect_unexpected(world.sim.run(world.cloud.instances(instance_ids(1), world.soon())));
  }
}

TEST(Cloud, AMissingElementIsNamed) {
  const auto page = parse_instances(instances_answer("<item><instanceId>i-1</instanceId></item>", ""));
  ASSERT_FALSE(page.ok());
  EXPECT_EQ(page.error().text, "the answer's <item> has no instanceState/name");
}

}  // namespace
}  // namespace ferryman::aws
