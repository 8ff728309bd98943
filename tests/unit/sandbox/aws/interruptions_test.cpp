// SPDX-License-Identifier: Apache-2.0
// What AWS says before it takes an instance, in AWS' own form, and what it then does.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "unit/sandbox/aws/aws_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

class Interruption : public ::testing::Test {
 protected:
  json::value last_event() {
    const auto& messages = bench.world.queues().find("events")->messages();
    return messages.empty() ? json::value() : *parse_json(messages.rbegin()->second.body);
  }
  static json::value sample(const std::string& name) {
    std::ifstream file(FERRYMAN_TEST_DATA "/events/eventbridge-" + name + ".json");
    std::stringstream text;
    text << file.rdbuf();
    return *parse_json(text.str());
  }
  /// The names of the members at every depth, in order: the form without its values.
  static std::string form_of(const json::value& value) {
    std::string form;
    if (value.is_object()) {
      for (const auto& member : value.get_object())
        form += std::string(member.key()) + "{" + form_of(member.value()) + "}";
    } else if (value.is_array()) {
      form = value.get_array().empty() ? "[]" : "[" + form_of(value.get_array().front()) + "]";
    } else {
      form = value.is_string() ? "text" : "other";
    }
    return form;
  }
  std::string ec2_state(const InstanceId& id) {
    const Ec2Instance* instance = bench.world.instances().find(id);
    return instance == nullptr ? "" : std::string(name_of(instance->state));
  }

  AwsBench bench;
};

TEST_F(Interruption, SpotNoticeHasAwsFormAndTheInstanceGoesTwoMinutesLater) {
  const InstanceId id = bench.workers(1)[0];
  EXPECT_TRUE(bench.world.interruptions().spot(id));
  const json::value event = last_event();
  EXPECT_EQ(form_of(event), form_of(sample("spot-interruption")));
  EXPECT_EQ(string_at(find(event, "detail"), "instance-id"), id.str());
  const std::string zone = bench.world.instances().find(id)->zone;
  EXPECT_EQ(array_at(&event, "resources")->at(0).as_string(),
            "arn:aws:ec2:" + zone + ":instance/" + id.str());
  bench.sim.clock.advance(119s);
  EXPECT_EQ(ec2_state(id), "running");
  bench.sim.clock.advance(2s);
  EXPECT_EQ(ec2_state(id), "shutting-down");
  EXPECT_EQ(bench.times_of("hook.waiting").size(), 0U) << "it goes behind its group's back";
}

TEST_F(Interruption, SpotStopKeepsTheInstanceAndHibernationBeginsAtOnce) {
  const auto ids = bench.workers(2);
  bench.world.interruptions().spot(ids[0], "stop");
  bench.world.interruptions().spot(ids[1], "hibernate");
  const json::value event = last_event();
  EXPECT_EQ(string_at(find(event, "detail"), "instance-action"), "hibernate");
  bench.sim.clock.advance(1s);
  EXPECT_EQ(ec2_state(ids[0]), "running");
  EXPECT_EQ(ec2_state(ids[1]), "stopping");
  bench.sim.clock.advance(130s);
  EXPECT_EQ(ec2_state(ids[0]), "stopped");
}

TEST_F(Interruption, RebalanceRecommendationHasAwsFormAndTakesNothing) {
  const InstanceId id = bench.workers(1)[0];
  EXPECT_TRUE(bench.world.interruptions().rebalance(id));
  EXPECT_EQ(form_of(last_event()), form_of(sample("rebalance-recommendation")));
  bench.sim.clock.advance(1h);
  EXPECT_EQ(ec2_state(id), "running");
}

TEST_F(Interruption, CapacityInterruptionNamesItsTimeAndKeepsIt) {
  const InstanceId id = bench.workers(1)[0];
  EXPECT_TRUE(bench.world.interruptions().capacity(id));
  const json::value event = last_event();
  EXPECT_EQ(form_of(event), form_of(sample("capacity-reservation-interruption")));
  EXPECT_EQ(string_at(find(event, "detail"), "instance-termination-time"), "2026-03-01T12:02:00Z");
  bench.sim.clock.advance(121s);
  EXPECT_EQ(ec2_state(id), "shutting-down");
}

TEST_F(Interruption, HealthTellsOfSeveralInstancesUnderOneArn) {
  const auto ids = bench.workers(2);
  HealthNotice notice;
  notice.entities = {ids[0].str(), ids[1].str(), "i-0fedcba9876543210"};
  notice.start = bench.sim.clock.wall() + 1h;
  notice.end = bench.sim.clock.wall() + 3h;
  notice.event_arn = bench.world.interruptions().health(notice);
  EXPECT_EQ(form_of(last_event()), form_of(sample("health-scheduled-change")));
  const json::value first = last_event();
  EXPECT_EQ(string_at(find(first, "detail"), "startTime"), "Sun, 1 Mar 2026 13:00:00 GMT");
  EXPECT_EQ(array_at(find(first, "detail"), "affectedEntities")->size(), 3U);
  notice.status = "closed";
  EXPECT_EQ(bench.world.interruptions().health(notice), notice.event_arn);
  const json::value last = last_event();
  EXPECT_EQ(string_at(find(last, "detail"), "statusCode"), "closed");
}

TEST_F(Interruption, ACopyForTheBackupRegionSaysSo) {
  HealthNotice notice;
  bench.workers(1);
  notice.entities = {"i-0fedcba9876543210"};
  notice.end = bench.sim.clock.wall();
  notice.copy_region = "us-east-1";
  bench.world.interruptions().health(notice);
  const json::value event = last_event();
  EXPECT_EQ(string_at(event, "region"), "us-east-1");
  EXPECT_EQ(string_at(find(event, "detail"), "eventRegion"), "us-west-2");
  EXPECT_EQ(form_of(event), form_of(sample("health-scheduled-change-backup-region")));
}

TEST_F(Interruption, AnInstanceThatIsEndingGetsNoNotice) {
  const InstanceId id = bench.workers(1)[0];
  bench.world.instances().shut_down(id);
  EXPECT_FALSE(bench.world.interruptions().spot(id));
  EXPECT_FALSE(bench.world.interruptions().rebalance(*parse_instance_id("i-0fedcba9876543210")));
  EXPECT_TRUE(bench.world.queues().find("events")->messages().empty());
}

TEST_F(Interruption, TheRecordSaysWhatEachMessageIsAboutAndHowLongItIsOfUse) {
  const InstanceId id = bench.workers(1)[0];
  bench.world.interruptions().spot(id);
  const JournalEntry& sent = bench.journal.entries().back();
  EXPECT_EQ(sent.operation, "message.sent");
  EXPECT_EQ(sent.details.at("instance"), id.str());
  EXPECT_EQ(sent.details.at("kind"), "spot-interruption");
  EXPECT_EQ(sent.details.at("useful_for"), "300");
}

}  // namespace
}  // namespace ferryman::sandbox::test
