// SPDX-License-Identifier: Apache-2.0
// Instances that stop, start and reboot, and what DescribeInstanceStatus says of them.
#include <gtest/gtest.h>

#include "unit/sandbox/aws/aws_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

class InstanceStates : public ::testing::Test {
 protected:
  net::HttpResponse call(const std::string& action, const InstanceId& id) {
    return bench.ec2(action, {{"InstanceId.1", id.str()}});
  }
  std::string state_of(const InstanceId& id) {
    return xml_at(call("DescribeInstances", id), "//instanceState/name");
  }
  std::string statuses(net::QueryParameters more) {
    return xml_at(bench.ec2("DescribeInstanceStatus", std::move(more)),
                  "//instanceStatusSet/item/instanceId");
  }

  AwsBench bench;
};

TEST_F(InstanceStates, StoppedAndStartedItIsTheSameInstance) {
  const InstanceId id = bench.workers(1)[0];
  const std::string name = bench.world.instances().find(id)->private_dns_name;
  const auto answer = call("StopInstances", id);
  EXPECT_EQ(xml_at(answer, "//currentState/name"), "stopping");
  EXPECT_EQ(xml_at(answer, "//currentState/code"), "64");
  bench.sim.clock.advance(5s);
  EXPECT_EQ(state_of(id), "stopped");
  EXPECT_EQ(xml_at(call("StartInstances", id), "//previousState/code"), "80");
  bench.sim.clock.advance(10s);
  EXPECT_EQ(state_of(id), "running");
  EXPECT_EQ(bench.world.instances().find(id)->private_dns_name, name);
}

TEST_F(InstanceStates, WhatCannotBeStartedIsRefusedForAll) {
  const auto ids = bench.workers(2);
  call("StopInstances", ids[0]);
  bench.sim.clock.advance(5s);
  call("StopInstances", ids[1]);
  const auto answer =
      bench.ec2("StartInstances", {{"InstanceId.1", ids[0].str()}, {"InstanceId.2", ids[1].str()}});
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(xml_at(answer, "//Code"), "IncorrectInstanceState");
  EXPECT_EQ(state_of(ids[0]), "stopped");
}

TEST_F(InstanceStates, AStoppedInstanceCanBeTerminated) {
  const InstanceId id = bench.workers(1)[0];
  call("StopInstances", id);
  bench.sim.clock.advance(5s);
  call("TerminateInstances", id);
  bench.sim.clock.advance(5s);
  EXPECT_EQ(state_of(id), "terminated");
  EXPECT_EQ(call("StartInstances", id).status, 400);
}

TEST_F(InstanceStates, ARebootIsNoChangeOfState) {
  const InstanceId id = bench.workers(1)[0];
  EXPECT_EQ(call("RebootInstances", id).status, 200);
  EXPECT_EQ(state_of(id), "running");
  EXPECT_EQ(bench.times_of("instance.rebooted").size(), 1U);
}

TEST_F(InstanceStates, StatusShowsWhatRunsAndWithAllTheRest) {
  const auto ids = bench.workers(2);
  call("StopInstances", ids[0]);
  EXPECT_EQ(statuses({{"InstanceId.1", ids[0].str()}}), "none");
  EXPECT_EQ(statuses({{"InstanceId.1", ids[1].str()}}), ids[1].str());
  EXPECT_EQ(statuses({{"InstanceId.1", ids[0].str()}, {"IncludeAllInstances", "true"}}), ids[0].str());
}

TEST_F(InstanceStates, StatusTellsWhatIsPlanned) {
  const auto ids = bench.workers(2);
  PlannedEvent event;
  event.code = "system-reboot";
  event.not_before = bench.sim.clock.wall() + 24h;
  event.not_after = event.not_before + 2h;
  const std::string plan = bench.world.plans().plan(ids[1], event);
  const auto answer = bench.ec2("DescribeInstanceStatus",
                                {{"Filter.1.Name", "event.code"}, {"Filter.1.Value.1", "system-reboot"}});
  EXPECT_EQ(xml_at(answer, "//instanceStatusSet/item/instanceId"), ids[1].str());
  EXPECT_EQ(xml_at(answer, "//eventsSet/item/instanceEventId"), plan);
  EXPECT_EQ(xml_at(answer, "//eventsSet/item/notBefore"), "2026-03-02T12:00:00.000Z");
  bench.world.plans().finish(ids[1], plan, "Completed");
  const auto later = bench.ec2("DescribeInstanceStatus", {{"InstanceId.1", ids[1].str()}});
  EXPECT_TRUE(xml_at(later, "//eventsSet/item/description").starts_with("[Completed] "));
}

TEST_F(InstanceStates, StatusHasNoFilterForIds) {
  const auto ids = bench.workers(1);
  const auto answer = bench.ec2("DescribeInstanceStatus",
                                {{"Filter.1.Name", "instance-id"}, {"Filter.1.Value.1", ids[0].str()}});
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(xml_at(answer, "//Code"), "InvalidParameterValue");
}

TEST_F(InstanceStates, OneUnknownIdFailsTheWholeStatusCall) {
  const auto ids = bench.workers(1);
  const auto answer = bench.ec2("DescribeInstanceStatus",
                                {{"InstanceId.1", ids[0].str()}, {"InstanceId.2", "i-0fedcba9876543210"}});
  EXPECT_EQ(xml_at(answer, "//Code"), "InvalidInstanceID.NotFound");
}

}  // namespace
}  // namespace ferryman::sandbox::test
