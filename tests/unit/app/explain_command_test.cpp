// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "app/commands.h"
#include "base/json.h"
#include "unit/app/memory_files.h"

namespace ferryman::app {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

std::string sample(const std::string& name) {
  std::ifstream file(FERRYMAN_SOURCE_DIR "/tests/data/events/" + name + ".json", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Explain {
 public:
  /// `ferryman explain ARGUMENTS`.
  int operator()(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "explain");
    Invocation invocation(environment, files, out_, err_);
    std::istringstream in(standard_input);
    invocation.in = &in;
    return run_command(invocation, arguments);
  }
  [[nodiscard]] std::string out() const { return out_.str(); }
  [[nodiscard]] std::string err() const { return err_.str(); }
  /// The lines of standard output, as JSON.
  [[nodiscard]] std::vector<json::value> objects() const {
    std::vector<json::value> objects;
    std::istringstream lines(out_.str());
    for (std::string line; std::getline(lines, line);) {
      auto object = parse_json(line);
      EXPECT_TRUE(object) << line;
      if (object) objects.push_back(std::move(*object));
    }
    return objects;
  }

  test::MemoryFiles files;
  Environment environment;
  std::string standard_input;

 private:
  std::ostringstream out_;
  std::ostringstream err_;
};

// The list.
TEST(ExplainCommand, TheStatusOfEachSampleIsThatOfAMessageThatJustArrived) {
  const std::pair<const char*, int> samples[] = {
      {"direct-asg-terminate-lifecycle", 0},
      {"direct-asg-test-notification", 3},
      {"eventbridge-asg-launch-lifecycle", 0},
      {"eventbridge-asg-terminate-lifecycle", 0},
      {"eventbridge-asg-terminate-lifecycle-warm-pool", 0},
      {"eventbridge-capacity-reservation-interruption", 0},
      {"eventbridge-health-other-service", 3},
      {"eventbridge-health-scheduled-change", 0},
      {"eventbridge-health-scheduled-change-backup-region", 3},
      {"eventbridge-health-scheduled-change-closed", 3},
      {"eventbridge-rebalance-recommendation", 3},
      {"eventbridge-spot-interruption", 0},
      {"eventbridge-spot-interruption-hibernate", 0},
      {"eventbridge-state-change-running", 3},
      {"eventbridge-state-change-shutting-down", 0},
      {"eventbridge-state-change-stopped", 0},
      {"eventbridge-state-change-stopping", 0},
      {"eventbridge-state-change-terminated", 0},
      {"sns-wrapped-asg-terminate-lifecycle", 0},
  };
  for (const auto& [name, status] : samples) {
    for (const std::string form : {"text", "json"}) {
      Explain explain;
      explain.files.files["message.json"] = sample(name);
      EXPECT_EQ(explain({"message.json", "--output=" + form}), status) << name << " " << explain.err();
      EXPECT_FALSE(explain.out().empty() && explain.err().empty()) << name;
    }
  }
}

TEST(ExplainCommand, JsonIsOneObjectALineForEachEvent) {
  Explain explain;
  explain.standard_input = sample("eventbridge-asg-terminate-lifecycle-warm-pool");
  EXPECT_EQ(explain({"--output", "json"}), 0);
  const auto objects = explain.objects();
  ASSERT_EQ(objects.size(), 1U);
  const json::value& event = objects.front();
  EXPECT_EQ(string_at(event, "kind"), "asg-terminate");
  EXPECT_EQ(string_at(event, "instance_id"), "i-0123456789abcdef0");
  EXPECT_EQ(string_at(event, "event_id"), "7bf73129-1428-4cd3-a780-95db273d1602");
  EXPECT_EQ(string_at(event, "event_time"), "2026-03-01T12:00:00Z");
  EXPECT_EQ(string_at(event, "deadline"), "2026-03-01T13:00:00Z");
  EXPECT_EQ(string_at(event, "action"), "drain");
  EXPECT_NE(string_at(event, "reason").find("It goes to the warm pool and may come back."),
            std::string::npos);
  const json::value* action = find(event, "lifecycle_action");
  EXPECT_EQ(string_at(action, "group"), "workers-a");
  EXPECT_EQ(string_at(action, "hook"), "drain-hook");
  EXPECT_EQ(string_at(action, "token"), "87654321-4321-4321-4321-210987654321");
  EXPECT_EQ(string_at(action, "destination"), "WarmPool");
  EXPECT_TRUE(bool_at(action, "our_hook"));
}

TEST(ExplainCommand, WhatIsNotThereIsNullInJson) {
  Explain explain;
  explain.standard_input = sample("eventbridge-rebalance-recommendation");
  EXPECT_EQ(explain({"-", "--output=json"}), 3);
  const auto objects = explain.objects();
  ASSERT_EQ(objects.size(), 1U);
  EXPECT_TRUE(find(objects.front(), "deadline")->is_null());
  EXPECT_TRUE(find(objects.front(), "lifecycle_action")->is_null());
  EXPECT_EQ(string_at(objects.front(), "action"), "ignore");
}

TEST(ExplainCommand, AReaderOfJsonMeetsNothingElseOnStandardOutput) {
  Explain explain;
  explain.standard_input = sample("eventbridge-state-change-running");
  EXPECT_EQ(explain({"--output=json"}), 3);
  EXPECT_EQ(explain.out(), "");
  EXPECT_EQ(
      explain.err(),
      "ferryman explain: nothing to act on: state \"running\" needs nothing done. The message is deleted.\n");
}

TEST(ExplainCommand, TheDaemonsSettingsDecide) {
  Explain explain;
  explain.files.files["ferryman.yaml"] =
      "events:\n  onRebalanceRecommendation: cordon\nqueue:\n  mode: exclusive\n";
  explain.standard_input = sample("eventbridge-rebalance-recommendation");
  EXPECT_EQ(explain({"--config=ferryman.yaml", "--listen=127.0.0.1:1"}), 0);
  EXPECT_NE(explain.out().find("told at 2026-03-01T12:00:00Z: cordon\n"), std::string::npos) << explain.out();
  EXPECT_NE(explain.out().find("if the instance is not ours, it is deleted."), std::string::npos);
  Explain by_variable;
  by_variable.environment = Environment(Variables{{"FERRYMAN_ON_SPOT_INTERRUPTION", "ignore"}});
  by_variable.standard_input = sample("eventbridge-spot-interruption");
  EXPECT_EQ(by_variable({}), 3);
}

// A shell's AWS_REGION is there for other programs.
TEST(ExplainCommand, OnlyAnAccountAndRegionThatAreGivenAreCompared) {
  Explain shell;
  shell.environment = Environment(Variables{{"AWS_REGION", "eu-west-1"}});
  shell.standard_input = sample("eventbridge-spot-interruption");
  EXPECT_EQ(shell({}), 0);
  Explain given;
  given.standard_input = sample("eventbridge-spot-interruption");
  EXPECT_EQ(given({"--region=eu-west-1"}), 3);
  EXPECT_EQ(given.out(),
            "Nothing to act on: it is about region us-west-2, and ours is eu-west-1.\n"
            "The message is given back to the queue: other readers may want it.\n");
  Explain account;
  account.standard_input = sample("eventbridge-spot-interruption");
  EXPECT_EQ(account({"--account=000000000000"}), 3);
}

TEST(ExplainCommand, WhatIsNotUnderstoodSaysWhyAndWhatToGive) {
  for (const std::string body :
       {"", "hello", "[]", "{\"Type\":\"Notification\",\"TopicArn\":\"t\",\"Message\":\"x\"}",
        "{\"source\":\"aws.ec2\",\"detail-type\":\"EC2 Spot Instance Interruption Warning\"}"}) {
    Explain explain;
    explain.standard_input = body;
    EXPECT_EQ(explain({}), 4) << body;
    EXPECT_EQ(explain.out(), "");
    EXPECT_NE(explain.err().find("not understood: "), std::string::npos);
    EXPECT_NE(explain.err().find("give the body of one message as SQS delivers it"), std::string::npos);
  }
  Explain spot;
  spot.standard_input = "{\"source\":\"aws.ec2\",\"detail-type\":\"EC2 Spot Instance Interruption Warning\"}";
  spot({});
  EXPECT_NE(spot.err().find("detail.instance-id is no instance id"), std::string::npos) << spot.err();
}

TEST(ExplainCommand, FilesAndSettingsThatCannotBeUsedAreNamed) {
  Explain missing;
  EXPECT_EQ(missing({"nope.json"}), 2);
  EXPECT_NE(missing.err().find("setting file: \"nope.json\" from flag --file cannot be read"),
            std::string::npos)
      << missing.err();
  Explain wrong;
  wrong.standard_input = sample("eventbridge-spot-interruption");
  EXPECT_EQ(wrong({"--lead-time=soon"}), 2);
  EXPECT_NE(wrong.err().find("lead-time"), std::string::npos);
  Explain two;
  EXPECT_EQ(two({"a.json", "b.json"}), 2);
  EXPECT_NE(two.err().find("unexpected argument \"b.json\""), std::string::npos);
}

}  // namespace
}  // namespace ferryman::app
