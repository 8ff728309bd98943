// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

#include "unit/sandbox/world/world_bench.h"

namespace ferryman::sandbox::test {
namespace {

using namespace std::chrono_literals;

std::string error_of(const net::HttpResponse& response) {
  return std::string(string_at(*parse_json(response.body), "error"));
}

TEST(Control, FaultThatMakesNoSenseIsRefusedWithWhatIsWrong) {
  WorldBench bench;
  const auto refused = [&](const std::string& body) {
    const auto response = bench.call_control("POST", "faults", body);
    EXPECT_EQ(response.status, 400) << body;
    return error_of(response);
  };
  EXPECT_NE(refused("{\"kind\":").find("reading the fault"), std::string::npos);
  EXPECT_EQ(refused(R"({"kind":"explode"})"),
            "kind is \"explode\"; it must be error, throttle, hang, delay, cut-off or reset");
  EXPECT_EQ(refused(R"({"kind":"error","status":200})"),
            "status is 200; it must be a whole number from 400 to 599");
  EXPECT_NE(refused(R"({"kind":"error","kount":1})").find("\"kount\" is no member of a fault"),
            std::string::npos);
  EXPECT_NE(refused("{}").find("kind is missing"), std::string::npos);
  EXPECT_EQ(refused("[]"), "a fault is a JSON object");
  EXPECT_TRUE(bench.world.faults().rules().empty());
}

TEST(Control, FaultsShowHowOftenTheyStruck) {
  WorldBench bench;
  bench.order(R"({"service":"sqs","kind":"error","count":1})");
  (void)bench.list_queues();
  (void)bench.list_queues();
  const json::value answer = *parse_json(bench.call_control("GET", "faults").body);
  const json::value& rule = array_at(&answer, "faults")->at(0);
  EXPECT_EQ(integer_at(&rule, "seen"), 2);
  EXPECT_EQ(integer_at(&rule, "struck"), 1);
}

TEST(Control, TerminatesAnInstanceThroughItsGroup) {
  WorldBench bench;
  const std::string id = bench.first_instance().str();
  EXPECT_EQ(bench.call_control("POST", "terminate", "{\"instance\":\"" + id + "\"}").status, 200);
  bench.sim.clock.advance(2s);
  const json::value state = *parse_json(bench.call_control("GET", "state").body);
  const json::value& instance = array_at(&state, "instances")->at(0);
  EXPECT_EQ(string_at(instance, "lifecycle_state"), "Terminating:Wait");
  EXPECT_EQ(array_at(&instance, "waits")->size(), 1U);
  EXPECT_EQ(integer_at(&array_at(&state, "queues")->at(0), "visible"), 1);
  EXPECT_EQ(array_at(&state, "nodes")->size(), 3U);
}

TEST(Control, TerminatesManyAtOnce) {
  WorldBench bench;
  json::array ids;
  for (const auto& [id, instance] : bench.world.aws().instances().all()) ids.emplace_back(id.str());
  const auto body = json::serialize(json::object{{"instances", ids}});
  EXPECT_EQ(bench.call_control("POST", "terminate", body).status, 200);
  bench.sim.clock.advance(2s);
  for (const auto& [id, state] : bench.world.aws().groups().find("workers-1")->members)
    EXPECT_EQ(state, "Terminating:Wait") << id.str();
}

TEST(Control, TellsToWhomBalancersSendNewRequests) {
  Scenario scenario = WorldBench::small();
  scenario.target_groups = 2;
  scenario.classic_elbs = 1;
  WorldBench bench(scenario);
  const json::value traffic = *parse_json(bench.call_control("GET", "traffic").body);
  std::vector<std::string> types;
  for (const json::value& pool : *array_at(&traffic, "balancers")) {
    types.emplace_back(string_at(pool, "type"));
    EXPECT_EQ(array_at(&pool, "targets")->size(), 3U);
    EXPECT_EQ(string_at(array_at(&pool, "targets")->at(0), "id").substr(0, 2), "i-");
  }
  EXPECT_EQ(types, (std::vector<std::string>{"application", "network", "classic"}));
  EXPECT_EQ(bench.call_control("POST", "traffic").status, 405);
}

TEST(Control, TerminateRefusesWhatItCannotDo) {
  WorldBench bench;
  EXPECT_EQ(bench.call_control("POST", "terminate", "{\"instance\":\"i-00000000\"}").status, 404);
  EXPECT_EQ(bench.call_control("POST", "terminate", "{\"instance\":7}").status, 400);
  EXPECT_EQ(bench.call_control("POST", "terminate", "nonsense").status, 400);
  EXPECT_EQ(bench.call_control("GET", "terminate").status, 405);
}

TEST(Control, JournalGoesOnWhereTheLastReadEnded) {
  WorldBench bench;
  const json::value first = *parse_json(bench.call_control("GET", "journal").body);
  const auto next = integer_at(&first, "next");
  ASSERT_TRUE(next);
  (void)bench.list_queues();
  const json::value second =
      *parse_json(bench.call_control("GET", "journal?since=" + std::to_string(*next)).body);
  ASSERT_EQ(array_at(&second, "entries")->size(), 1U);
  EXPECT_EQ(string_at(array_at(&second, "entries")->at(0), "operation"), "ListQueues");
  EXPECT_EQ(bench.call_control("GET", "journal?since=x").status, 400);
}

TEST(Control, JournalTellsTheTimeForPeopleAndInPlainNumbers) {
  WorldBench bench;
  const std::string earlier = format_rfc3339_millis(bench.sim.clock.wall());
  (void)bench.list_queues();
  bench.sim.clock.advance(std::chrono::seconds{12'345});
  const std::string body = bench.call_control("GET", "journal").body;
  const json::value all = *parse_json(body);
  EXPECT_EQ(string_at(array_at(&all, "entries")->back(), "at"), earlier);
  (void)bench.list_queues();
  const json::value more = *parse_json(bench.call_control("GET", "journal").body);
  const json::array& entries = *array_at(&more, "entries");
  const double gap = find(entries.back(), "seconds")->to_number<double>() -
                     find(entries[entries.size() - 2], "seconds")->to_number<double>();
  EXPECT_NEAR(gap, 12'345, 1);
  EXPECT_EQ(body.find("E+"), std::string::npos);
  EXPECT_EQ(body.find("\"seconds\":1.2"), std::string::npos);
}

TEST(Control, PromisesNameWhatIsNotOverYetUnlessTheyShallNot) {
  WorldBench bench;
  const std::string id = bench.first_instance().str();
  (void)bench.call_control("POST", "terminate", "{\"instance\":\"" + id + "\"}");
  bench.sim.clock.advance(2s);
  const auto broken = [&](const std::string& query) {
    const json::value answer = *parse_json(bench.call_control("GET", "promises" + query).body);
    return array_at(&answer, "broken")->size();
  };
  EXPECT_EQ(broken("?finished=false"), 0U);
  EXPECT_GE(broken(""), 1U);
  EXPECT_EQ(bench.call_control("GET", "promises?finished=perhaps").status, 400);
  EXPECT_EQ(bench.call_control("POST", "promises").status, 405);
}

TEST(Control, UnknownPathNamesTheKnownOnes) {
  WorldBench bench;
  const auto response = bench.call_control("GET", "coffee");
  EXPECT_EQ(response.status, 404);
  EXPECT_NE(error_of(response).find("/sandbox/state"), std::string::npos);
}

TEST(Control, AwsRightsAreSetShownAndGivenBack) {
  WorldBench bench;
  EXPECT_EQ(bench.call_control("GET", "aws-rights").body, "{\"actions\":null}\n");
  EXPECT_EQ(bench.call_control("POST", "aws-rights", R"({"actions":["ec2:Describe*"]})").status, 200);
  EXPECT_EQ(bench.call_control("GET", "aws-rights").body, "{\"actions\":[\"ec2:Describe*\"]}\n");
  EXPECT_EQ(bench.list_queues()->status, 403);
  EXPECT_EQ(bench.call_control("POST", "aws-rights", R"({"actions":["everything"]})").status, 400);
  EXPECT_EQ(bench.call_control("DELETE", "aws-rights").status, 200);
  EXPECT_EQ(bench.list_queues()->status, 200);
}

TEST(Control, TokensWithRightsAreGivenOut) {
  WorldBench bench;
  const auto made = bench.call_control("POST", "tokens", R"({"user":"reader","rights":"nodes:list"})");
  ASSERT_EQ(made.status, 201) << made.body;
  const json::value answer = *parse_json(made.body);
  const auto status = [&](const std::string& path) {
    net::HttpRequest request("GET", "https://kubernetes.test" + path);
    request.headers.set("Authorization", "Bearer " + std::string(string_at(answer, "token")));
    return bench.sim.run(bench.world.kubernetes_endpoint().handle(std::move(request))).response.status;
  };
  EXPECT_EQ(status("/api/v1/nodes"), 200);
  EXPECT_EQ(status("/api/v1/pods"), 403);
  EXPECT_EQ(bench.call_control("POST", "tokens", R"({"rights":"nodes:list"})").status, 400);
  EXPECT_EQ(bench.call_control("POST", "tokens", R"({"user":"reader","rights":"nodes"})").status, 400);
}

}  // namespace
}  // namespace ferryman::sandbox::test
