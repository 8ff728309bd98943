// SPDX-License-Identifier: Apache-2.0
// Starts that cannot work end with status 2 and a cure; starts that only find nobody stay up and wait.
#include <gtest/gtest.h>
#include <netinet/in.h>

#include "e2e/front.h"
#include "e2e/stage.h"

namespace ferryman::e2e {
namespace {

using namespace std::chrono_literals;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class RefusedStart : public testing::Test {
 protected:
  std::string expect_refused(const std::vector<std::string>& flags) {
    Process process(flags, variables, folder.path("refused.out"));
    EXPECT_EQ(process.wait(5s), 2);
    return process.output();
  }

  const Folder folder;
  Variables variables{
      {"AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"},
      {"AWS_SECRET_ACCESS_KEY", "not-a-real-key"},
      {"FERRYMAN_QUEUE_URL", "https://sqs.us-west-2.amazonaws.com/123456789012/events"},
      {"KUBECONFIG", folder.write("kubeconfig",
                                  "apiVersion: v1\nkind: Config\ncurrent-context: a\n"
                                  "contexts: [{name: a, context: {cluster: a, user: a}}]\n"
                                  "clusters: [{name: a, cluster: {server: 'https://127.0.0.1:1'}}]\n"
                                  "users: [{name: a, user: {token: t}}]\n")}};
};

TEST_F(RefusedStart, UnknownFlagIsNamedWithTheOneThatWasMeant) {
  const std::string said = expect_refused({"serve", "--quene-url=x"});
  EXPECT_TRUE(contains(said, "--quene-url") && contains(said, "did you mean --queue-url?")) << said;
}

TEST_F(RefusedStart, MissingQueueIsNamedWithItsSettings) {
  variables.erase("FERRYMAN_QUEUE_URL");
  const std::string said = expect_refused({"serve"});
  EXPECT_TRUE(contains(said, "queue-url") && contains(said, "FERRYMAN_QUEUE_URL")) << said;
}

TEST_F(RefusedStart, ValueThatMakesNoSenseIsNamedWithWhatIsAllowed) {
  const std::string said = expect_refused({"serve", "--shutdown-grace=soon"});
  EXPECT_TRUE(contains(said, "shutdown-grace") && contains(said, "soon") && contains(said, "90s")) << said;
}

TEST_F(RefusedStart, KubeconfigThatCannotBeUsedIsNamedWithWhatIsWrong) {
  variables["KUBECONFIG"] = folder.path("nowhere").string();
  EXPECT_TRUE(contains(expect_refused({"serve"}), variables["KUBECONFIG"]));
  variables["KUBECONFIG"] = folder.write("broken", "clusters: 7\n");
  const std::string said = expect_refused({"serve"});
  EXPECT_TRUE(contains(said, "kubeconfig") && contains(said, variables["KUBECONFIG"])) << said;
}

TEST_F(RefusedStart, AMistypedVariableIsNamedOnceWithTheOneThatWasMeant) {
  variables["FERRYMAN_HOOKK"] = "x";
  variables["FERRYMAN_SERVICE_HOST"] = "10.0.0.1";
  Daemon daemon(folder, variables);
  EXPECT_TRUE(eventually(5s, [&] {
    return contains(daemon.process.output(), "did you mean FERRYMAN_HOOK?");
  })) << daemon.process.output();
  EXPECT_FALSE(contains(daemon.process.output(), "FERRYMAN_SERVICE_HOST"));
}

TEST_F(RefusedStart, AParentThatIsNoneIsRefused) {
  const std::string said = expect_refused({"serve", "--end-with=1"});
  EXPECT_TRUE(contains(said, "setting end-with: \"1\" from flag --end-with is not the process")) << said;
}

TEST_F(RefusedStart, BusyPortIsNamedWithItsCure) {
  const test::ListeningSocket busy;
  const std::string address = "127.0.0.1:" + std::to_string(busy.port());
  const std::string said = expect_refused({"serve", "--listen=" + address});
  EXPECT_TRUE(contains(said, address) && contains(said, "--listen")) << said;
}

TEST_F(RefusedStart, AllProblemsAreNamedAtOnce) {
  variables.erase("FERRYMAN_QUEUE_URL");
  variables["KUBECONFIG"] = folder.path("nowhere").string();
  const std::string said = expect_refused({"serve"});
  EXPECT_TRUE(contains(said, "queue-url") && contains(said, "nowhere")) << said;
}

/// A port of loopback where every connection is refused, until it is given up.
class RefusingPort {
 public:
  RefusingPort() : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(descriptor_, generic, size), 0);
    EXPECT_EQ(::getsockname(descriptor_, generic, &size), 0);
    number = ntohs(address.sin_port);
  }
  ~RefusingPort() { give_up(); }
  RefusingPort(const RefusingPort&) = delete;
  RefusingPort& operator=(const RefusingPort&) = delete;
  void give_up() {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
  }

  int number = 0;

 private:
  int descriptor_;
};

// The queue's side refuses connections; the API server's side takes them and says nothing.
TEST(LonelyStart, StaysUpAndSaysWhoIsMissingUntilTheyAppear) {
  if (!test::Haproxy::installed()) GTEST_SKIP() << "haproxy is not installed";
  const Folder folder;
  RefusingPort port;
  const std::string aws = "http://127.0.0.1:" + std::to_string(port.number);
  std::vector<std::string> flags{"--seed=5", "--nodes=2", "--dir=" + folder.path("first").string()};
  Variables variables = Sandbox(folder, flags, "first").variables();  // keys and names of that seed
  variables["AWS_ENDPOINT_URL"] = aws;
  variables["FERRYMAN_QUEUE_URL"] = aws + "/123456789012/ferryman";
  Front front(folder);
  variables["KUBECONFIG"] = front.kubeconfig(variables["KUBECONFIG"]);
  Daemon daemon(folder, variables, {"--call-timeout=1s"});
  EXPECT_TRUE(eventually(8s, [&] {
    const auto answer = daemon.probe("/readyz");
    return answer.status == 503 && contains(answer.body, "queue: ") && contains(answer.body, aws.substr(7)) &&
           contains(answer.body, "nodes: ") && contains(answer.body, front.url());
  })) << daemon.probe("/readyz").body;

  port.give_up();
  flags.back() = "--aws-port=" + std::to_string(port.number);
  const Sandbox sandbox(folder, flags, "second");
  front.open(sandbox.variable("KUBECONFIG"));
  EXPECT_TRUE(daemon.becomes_ready(15s)) << daemon.probe("/readyz").body;
  EXPECT_EQ(daemon.metric("ferryman_nodes"), 2);
}

}  // namespace
}  // namespace ferryman::e2e
