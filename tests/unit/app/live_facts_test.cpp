// SPDX-License-Identifier: Apache-2.0
#include "app/live_facts.h"

#include <gtest/gtest.h>

#include "net/local_client.h"
#include "support/simulation.h"
#include "unit/app/memory_files.h"

namespace ferryman::app {
namespace {

constexpr auto with_node = "i-0123456789abcdef0";
constexpr auto without_node = "i-0fedcba9876543210";

constexpr const char* kubeconfig = R"(
apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "https://kubernetes.test:6443"}}]
users: [{name: u, user: {token: abc}}]
)";

constexpr const char* node_list = R"({"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"7"},
"items":[{"metadata":{"name":"node-1","uid":"u1","resourceVersion":"5","labels":{"ferryman.dev/on-spot-interruption":"cordon"}},
"spec":{"providerID":"aws:///us-west-2a/i-0123456789abcdef0"},"status":{}}]})";

constexpr const char* instances =
    R"(<DescribeInstancesResponse><requestId>r</requestId><reservationSet><item><instancesSet><item>
<instanceId>i-0fedcba9876543210</instanceId><instanceState><code>16</code><name>running</name></instanceState>
<tagSet><item><key>team</key><value>b</value></item></tagSet></item></instancesSet></item></reservationSet></DescribeInstancesResponse>)";

/// One Node, one instance without a Node; it counts what changes something.
class SmallWorld final : public net::HttpHandler {
 public:
  explicit SmallWorld(Clock& clock) : clock_(clock) {}

  Task<net::HttpReply> handle(net::HttpRequest request) override {
    if (request.url.find("kubernetes.test") == std::string::npos) {
      const bool asks = request.body.find("Action=DescribeInstances") != std::string::npos;
      if (!asks) others.push_back(request.url);
      co_return net::HttpReply(aws_down ? net::HttpResponse(503, "") : net::HttpResponse(200, instances));
    }
    if (request.method != "GET") others.push_back(request.url);
    if (kubernetes_down) co_return net::HttpReply(net::HttpResponse(503, "out of order"));
    if (request.url.find("watch=") != std::string::npos) co_await clock_.sleep_for(std::chrono::hours{1});
    co_return net::HttpReply(net::HttpResponse(200, node_list));
  }

  bool aws_down = false;
  bool kubernetes_down = false;
  std::vector<std::string> others;  // calls that nobody should make

 private:
  Clock& clock_;
};

termination::Event spot(const char* instance) {
  termination::Event event;
  event.kind = termination::EventKind::spot_interruption;
  event.instance_id = InstanceId(instance);
  event.event_id = "e";
  return event;
}

class LiveFactsTest : public testing::Test {
 protected:
  LiveFactsTest() {
    files_.files["/kubeconfig"] = kubeconfig;
    http_.route("*", world_);
    settings_.queue_url = "https://sqs.us-west-2.amazonaws.com/123456789012/q";
    settings_.kubeconfig = "/kubeconfig";
  }

  Result<LiveFacts::Answers> ask(std::vector<termination::Event> events) {
    LiveFacts live(settings_,
                   Platform{sim_.clock, random_, http_, files_, environment_, sim_.logs, programs_});
    EXPECT_EQ(live.problems(), std::vector<std::string>{});
    EXPECT_EQ(live.policy().account, "123456789012");
    EXPECT_EQ(live.policy().region, "us-west-2");
    return sim_.run(live.ask(std::move(events), Deadline::after(sim_.clock, std::chrono::seconds{30})));
  }

  Task<void> give_up_later(LiveFacts& live) {
    co_await sim_.clock.sleep_for(std::chrono::seconds{2});
    live.give_up();
  }

  test::Simulation sim_;
  Random random_{1};
  SmallWorld world_{sim_.clock};
  net::LocalClient http_{sim_.clock, sim_.scope};
  test::MemoryFiles files_;
  NoPrograms programs_;
  Environment environment_{
      {{"AWS_ACCESS_KEY_ID", "AKIA"}, {"AWS_SECRET_ACCESS_KEY", "not-a-word-of-any-text"}}};
  Settings settings_;
};

TEST_F(LiveFactsTest, ANodeMakesItOursAndItsLabelsAreKnown) {
  const auto answers = ask({spot(with_node), spot(without_node)});
  ASSERT_TRUE(answers) << answers.error().text;
  const termination::InstanceFacts& ours = answers->at(InstanceId(with_node));
  EXPECT_TRUE(ours.ours);
  EXPECT_EQ(ours.owner, "ours");
  EXPECT_EQ(ours.word, "Node node-1 carries the instance: it is ours.");
  EXPECT_EQ(ours.labels.at("ferryman.dev/on-spot-interruption"), "cordon");
  const termination::InstanceFacts& open = answers->at(InstanceId(without_node));
  EXPECT_FALSE(open.ours);
  EXPECT_EQ(open.owner, "undecided");
  EXPECT_EQ(open.outcome, termination::MessageOutcome::undecided);
  EXPECT_EQ(world_.others, std::vector<std::string>{});
}

TEST_F(LiveFactsTest, WithADiscriminatorTheInstancesTagsDecide) {
  settings_.policy.managed_tag = termination::KeyValue("team", "a");
  const auto foreign = ask({spot(without_node)});
  ASSERT_TRUE(foreign) << foreign.error().text;
  EXPECT_EQ(foreign->at(InstanceId(without_node)).owner, "foreign");
  settings_.policy.managed_tag = termination::KeyValue("team", "b");
  const auto ours = ask({spot(without_node)});
  ASSERT_TRUE(ours) << ours.error().text;
  EXPECT_EQ(ours->at(InstanceId(without_node)).owner, "ours");
}

TEST_F(LiveFactsTest, WhoCannotBeAskedIsNamed) {
  world_.kubernetes_down = true;
  const auto no_nodes = ask({spot(with_node)});
  ASSERT_FALSE(no_nodes);
  EXPECT_NE(no_nodes.error().text.find("Kubernetes did not tell its Nodes: "), std::string::npos);
  world_.kubernetes_down = false;
  world_.aws_down = true;
  settings_.policy.managed_tag = termination::KeyValue("team", "a");
  const auto no_tags = ask({spot(without_node)});
  ASSERT_FALSE(no_tags);
  EXPECT_NE(no_tags.error().text.find("AWS"), std::string::npos) << no_tags.error().text;
}

TEST_F(LiveFactsTest, AWaitThatIsGivenUpEndsAtOnce) {
  world_.kubernetes_down = true;
  LiveFacts live(settings_, Platform{sim_.clock, random_, http_, files_, environment_, sim_.logs, programs_});
  sim_.scope.spawn("signal", give_up_later(live));
  const SteadyTime begun = sim_.clock.now();
  const auto answers =
      sim_.run(live.ask({spot(with_node)}, Deadline::after(sim_.clock, std::chrono::seconds{30})));
  ASSERT_FALSE(answers);
  EXPECT_EQ(answers.error().fault, Fault::cancelled);
  EXPECT_LT(sim_.clock.now() - begun, std::chrono::seconds{4});
}

}  // namespace
}  // namespace ferryman::app
