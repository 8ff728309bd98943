// SPDX-License-Identifier: Apache-2.0
#include "app/daemon.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "net/local_client.h"
#include "support/simulation.h"
#include "unit/app/memory_files.h"

namespace ferryman::app {
namespace {

constexpr const char* kubeconfig = R"(
apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "https://kubernetes.test:6443"}}]
users: [{name: u, user: {token: abc}}]
)";

/// An API server without nodes and an SQS without messages; either may be down.
class EmptyWorld final : public net::HttpHandler {
 public:
  explicit EmptyWorld(Clock& clock) : clock_(clock) {}

  Task<net::HttpReply> handle(net::HttpRequest request) override {
    if (down) co_return net::HttpReply(net::HttpResponse(503, "out of order"));
    if (request.headers.get("X-Amz-Target") == "AmazonSQS.GetQueueAttributes")
      co_return net::HttpReply(net::HttpResponse(200, R"({"Attributes":)" + queue_attributes + "}"));
    if (request.headers.has("X-Amz-Target")) {
      ++receives;
      const auto asked = parse_json(request.body);
      co_await clock_.sleep_for(std::chrono::seconds{integer_at(&*asked, "WaitTimeSeconds").value_or(0)});
      co_return net::HttpReply(net::HttpResponse(200, "{}"));
    }
    if (kubernetes_down) co_return net::HttpReply(net::HttpResponse(503, "out of order"));
    if (request.url.find("watch=") != std::string::npos) {
      co_await clock_.sleep_for(std::chrono::hours{1});
      co_return net::HttpReply(net::HttpResponse(500, ""));
    }
    co_return net::HttpReply(net::HttpResponse(
        200, R"({"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[]})"));
  }

  bool down = false;
  bool kubernetes_down = false;
  int receives = 0;
  std::string queue_attributes = R"({"QueueArn":"arn:aws:sqs:us-west-2:123456789012:q"})";

 private:
  Clock& clock_;
};

class DaemonTest : public testing::Test {
 protected:
  DaemonTest() {
    files_.files["/kubeconfig"] = kubeconfig;
    http_.route("*", world_);
    settings_.queue_url = "https://sqs.us-west-2.amazonaws.com/123456789012/q";
    settings_.kubeconfig = "/kubeconfig";
  }

  Daemon& start() {
    daemon_.emplace(settings_,
                    Platform{sim_.clock, random_, http_, files_, environment_, sim_.logs, programs_});
    EXPECT_EQ(daemon_->problems(), std::vector<std::string>{});
    sim_.scope.spawn("daemon", work());
    return *daemon_;
  }

  void stop() {
    daemon_->stop(Deadline::after(sim_.clock, std::chrono::seconds{25}));
    expect_end();
  }

  void expect_end() {
    sim_.clock.run([this] { return over_; }, sim_.clock.now() + std::chrono::seconds{30});
    EXPECT_TRUE(over_);
    EXPECT_EQ(daemon_->failures(), 0U);
  }

  net::HttpResponse get(const std::string& path) {
    return sim_.run(daemon_->probes().handle(net::HttpRequest("GET", "http://localhost" + path))).response;
  }

  std::vector<std::string> problems() {
    return Daemon(settings_, Platform{sim_.clock, random_, http_, files_, environment_, sim_.logs, programs_})
        .problems();
  }

  test::Simulation sim_;
  Random random_{1};
  EmptyWorld world_{sim_.clock};
  net::LocalClient http_{sim_.clock, sim_.scope};
  test::MemoryFiles files_;
  NoPrograms programs_;
  Environment environment_{
      {{"AWS_ACCESS_KEY_ID", "AKIA"}, {"AWS_SECRET_ACCESS_KEY", "not-a-word-of-any-text"}}};
  Settings settings_;
  std::optional<Daemon> daemon_;
  bool over_ = false;

 private:
  Task<void> work() {
    co_await daemon_->run();
    over_ = true;
  }
};

TEST_F(DaemonTest, BecomesReadyWhenQueueAndNodesAnswerAndEndsWhenStopped) {
  start();
  EXPECT_EQ(get("/readyz").status, 503);
  sim_.clock.advance(std::chrono::seconds{5});
  EXPECT_EQ(get("/readyz").body, "ready\n");
  EXPECT_EQ(sim_.logs.with("daemon.ready").size(), 1U);
  EXPECT_NE(get("/metrics").body.find("ferryman_ready 1\n"), std::string::npos);
  stop();
}

TEST_F(DaemonTest, StaysUpAndSaysWhyWhileNothingAnswers) {
  world_.down = true;
  start();
  sim_.clock.advance(std::chrono::minutes{5});
  const std::string why = get("/readyz").body;
  EXPECT_NE(why.find("queue: "), std::string::npos) << why;
  EXPECT_NE(why.find("nodes: "), std::string::npos) << why;
  EXPECT_EQ(sim_.logs.with("queue.unreachable").size(), 1U);
  world_.down = false;
  sim_.clock.advance(std::chrono::minutes{1});
  EXPECT_TRUE(get("/readyz").body.starts_with("ready\n"));
  stop();
}

constexpr const char* tight_redrive =
    R"({"QueueArn":"arn:aws:sqs:us-west-2:123456789012:q","RedrivePolicy":"{\"maxReceiveCount\":3}"})";

TEST_F(DaemonTest, AQueueThatWouldLoseMessagesEndsItWithTheSettingAndTheCure) {
  world_.queue_attributes = tight_redrive;
  start();
  expect_end();
  for (const char* part : {"setting queue-url", "maxReceiveCount 3", "--allow-redrive"})
    EXPECT_NE(daemon_->refusal().find(part), std::string::npos) << part;
  EXPECT_EQ(sim_.logs.with("queue.refused").size(), 1U);
  EXPECT_EQ(world_.receives, 0);
}

TEST_F(DaemonTest, AQueueThatIsReachedLateIsRefusedThen) {
  world_.queue_attributes = tight_redrive;
  world_.down = true;
  start();
  sim_.clock.advance(std::chrono::minutes{5});
  ASSERT_FALSE(over_);
  world_.down = false;
  expect_end();
}

// The cache counts as fresh for 150 s, so an outage of the API server shows itself late; it is told before.
TEST_F(DaemonTest, TheSilenceOfTheApiServerIsToldWhileItIsStillReady) {
  start();
  sim_.clock.advance(std::chrono::seconds{5});
  EXPECT_EQ(get("/readyz").body, "ready\n");
  world_.kubernetes_down = true;
  sim_.clock.advance(std::chrono::seconds{95});
  const auto answer = get("/readyz");
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(answer.body.starts_with("ready\nnodes: last word from the API server 100 s ago"))
      << answer.body;
  EXPECT_NE(get("/").body.find("last word from the API server 100 s ago"), std::string::npos);
  sim_.clock.advance(std::chrono::seconds{60});
  EXPECT_EQ(get("/readyz").status, 503);
  stop();
}

TEST_F(DaemonTest, ReadyAgainTellsHowLongItWasNot) {
  start();
  sim_.clock.advance(std::chrono::seconds{140});
  world_.down = true;
  sim_.clock.advance(std::chrono::minutes{5});
  world_.down = false;
  sim_.clock.advance(std::chrono::minutes{1});
  const auto lines = sim_.logs.with("daemon.ready");
  ASSERT_EQ(lines.size(), 2U);
  const double after = std::stod(lines.back().substr(lines.back().find("after=") + 6));
  EXPECT_GT(after, 200);
  EXPECT_LT(after, 400);
  stop();
}

TEST_F(DaemonTest, IsNotReadyWhileItStops) {
  start();
  sim_.clock.advance(std::chrono::seconds{30});
  daemon_->stop(Deadline::after(sim_.clock, std::chrono::seconds{25}));
  EXPECT_NE(get("/readyz").body.find("process: stopping\n"), std::string::npos);
  stop();
}

TEST_F(DaemonTest, NamesAllSettingsThatCannotWork) {
  settings_.queue_url = "";
  settings_.kubeconfig = "/nowhere";
  const auto found = problems();
  ASSERT_EQ(found.size(), 3U);
  EXPECT_TRUE(found[0].starts_with("setting queue-url: not given; set --queue-url")) << found[0];
  EXPECT_TRUE(found[1].starts_with("setting region: no AWS region")) << found[1];
  EXPECT_TRUE(found[2].starts_with("setting kubeconfig: ")) << found[2];
  EXPECT_NE(found[2].find("/nowhere"), std::string::npos) << found[2];
}

TEST_F(DaemonTest, APlaceholderLeftInTheQueuesUrlIsNamed) {
  settings_.region = "us-west-2";
  for (const auto& [url, word] : std::map<std::string, std::string>{
           {"https://sqs.REGION.amazonaws.com/ACCOUNT/QUEUE", "REGION"},
           {"https://sqs.us-west-2.amazonaws.com/ACCOUNT/nodes", "ACCOUNT"},
           {"https://sqs.us-west-2.amazonaws.com/123456789012/QUEUE", "QUEUE"}}) {
    settings_.queue_url = url;
    const auto found = problems();
    ASSERT_EQ(found.size(), 1U) << url;
    EXPECT_NE(found[0].find("still holds the placeholder " + word), std::string::npos) << found[0];
  }
  settings_.queue_url = "https://sqs.us-west-2.amazonaws.com/123456789012/MAIN_QUEUE";
  EXPECT_EQ(problems(), std::vector<std::string>{});
}

TEST_F(DaemonTest, HalfAKeyIsNamedWithTheOtherHalf) {
  using Variables = std::map<std::string, std::string, std::less<>>;
  environment_ = Environment(Variables{{"AWS_ACCESS_KEY_ID", "AKIA"}});
  auto found = problems();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(
      found[0].starts_with("AWS credentials: AWS_ACCESS_KEY_ID is set, but AWS_SECRET_ACCESS_KEY is not"))
      << found[0];
  environment_ = Environment(Variables{{"AWS_SECRET_ACCESS_KEY", "s3cr3t"}});
  found = problems();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("AWS_ACCESS_KEY_ID is not"), std::string::npos) << found[0];
  EXPECT_EQ(found[0].find("s3cr3t"), std::string::npos);
}

TEST_F(DaemonTest, AKubeconfigsTroubleNamesItsSourceAndWhatThereIs) {
  settings_.sources = {{"kubeconfig", "flag --kubeconfig"}, {"kube-context", "flag --kube-context"}};
  settings_.kube_context = "nope";
  auto found = problems();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(
      found[0],
      "setting kube-context from flag --kube-context: kubeconfig /kubeconfig: there is no context \"nope\"; "
      "there are \"c\"");
  settings_.kubeconfig = "/nope";
  found = problems();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(
      found[0],
      "setting kubeconfig from flag --kubeconfig: opening /nope: No such file or directory; name a file that "
      "can be read");
}

TEST_F(DaemonTest, AQueueThatIsNeitherUrlNorArnNorNameIsNamedOnce) {
  settings_.queue_url = "my queue";
  settings_.region = "us-west-2";
  const auto found = problems();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(
      found[0].starts_with("setting queue-url: \"my queue\" is no queue's URL, ARN or name; write it like "
                           "https://sqs.us-west-2.amazonaws.com/123456789012/ferryman, "
                           "arn:aws:sqs:us-west-2:123456789012:ferryman or"))
      << found[0];
}

TEST_F(DaemonTest, AQueuesArnTellsRegionAndAccountAndANameNeedsTheRegion) {
  settings_.queue_url = "arn:aws:sqs:us-west-2:123456789012:q";
  EXPECT_EQ(problems(), std::vector<std::string>{});
  settings_.queue_url = "q";
  settings_.region = "us-west-2";
  EXPECT_EQ(problems(), std::vector<std::string>{});
  settings_.queue_url = "arn:aws:sqs:us-west-1:123456789012:q";
  const auto found = problems();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("setting region: \"us-west-2\" is not the region of the queue's ARN"));
}

TEST_F(DaemonTest, AMarginThatLeavesTheBudgetsNoTimeIsRefused) {
  settings_.policy.margin = std::chrono::minutes{10};
  settings_.policy.max_termination_time = std::chrono::seconds{30};
  const auto found = problems();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].starts_with("setting deadline-margin: 600 s is more than a quarter")) << found[0];
  EXPECT_NE(found[0].find("max-termination-time (30 s)"), std::string::npos) << found[0];
}

TEST_F(DaemonTest, ABrokenEndpointVariableIsNamedOnce) {
  std::map<std::string, std::string, std::less<>> variables{{"AWS_ENDPOINT_URL", "::"}};
  environment_ = Environment(std::move(variables));
  const auto found = problems();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("AWS_ENDPOINT_URL"), std::string::npos) << found[0];
}

}  // namespace
}  // namespace ferryman::app
