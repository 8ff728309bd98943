// SPDX-License-Identifier: Apache-2.0
// Name look-ups that hang for 5 s: the API server's and EC2's. Auto Scaling is reached by its address.
#include <gtest/gtest.h>

#include "e2e/front.h"
#include "e2e/stage.h"

namespace ferryman::e2e {
namespace {

using namespace std::chrono_literals;

std::string slow_kubeconfig(const Folder& folder, const std::string& original) {
  const std::string text = read_file(original);
  const std::string server = line_of(text, "server");
  const std::string port = server.substr(server.rfind(':'));
  return folder.write("slow-kubeconfig",
                      with_lines(text, {{"server", "server: https://kubernetes.slow.test" + port +
                                                       "\n    tls-server-name: localhost"}}));
}

Variables slow_variables(const Folder& folder, const Sandbox& sandbox) {
  Variables variables = sandbox.variables();
  const std::string& aws = variables["AWS_ENDPOINT_URL"];
  variables["AWS_ENDPOINT_URL_EC2"] = "http://ec2.slow.test" + aws.substr(aws.rfind(':'));
  variables["KUBECONFIG"] = slow_kubeconfig(folder, variables["KUBECONFIG"]);
  variables["LD_PRELOAD"] = FERRYMAN_SLOW_LOOKUP;
  return variables;
}

// EC2 is asked about foreign instances whose message keeps coming back.
void terminate_all_foreign(Sandbox& sandbox) {
  for (const json::value& instance : sandbox.list("state", "instances")) {
    if (string_at(instance, "group") == "other-cluster")
      sandbox.terminate(std::string(string_at(instance, "id")));
  }
}

TEST(HangingLookup, DelaysNoHeartbeatAndNoProbe) {
  const Folder folder;
  Sandbox sandbox(folder, {"--nodes=2", "--pods-per-node=2", "--min-available=0", "--pod-end=20s",
                           "--heartbeat-timeout=30s", "--foreign-instances=2"});
  // Calls give up before the look-up does, which must not wait for it either.
  Daemon daemon(folder, slow_variables(folder, sandbox), {"--call-timeout=2s"});
  EXPECT_TRUE(daemon.becomes_ready(15s)) << daemon.process.output();
  sandbox.terminate(sandbox.instance());
  terminate_all_foreign(sandbox);
  Duration slowest_probe{};
  EXPECT_TRUE(eventually(15s, [&] {
    const auto before = std::chrono::steady_clock::now();
    EXPECT_EQ(daemon.probe("/healthz").status, 200);
    slowest_probe = std::max<Duration>(slowest_probe, std::chrono::steady_clock::now() - before);
    return sandbox.count("RecordLifecycleActionHeartbeat") >= 1;
  }));
  EXPECT_LT(slowest_probe, 1s);  // a loop that waited for a look-up would stand still for 3 to 5
  const json::array journal = sandbox.journal();
  const auto waiting = entries_of(journal, "hook.waiting");
  const auto beats = entries_of(journal, "RecordLifecycleActionHeartbeat");
  ASSERT_FALSE(waiting.empty() || beats.empty());
  EXPECT_LT(between(waiting.front(), beats.front()), 15s);
  for (const char* name : {"ec2.slow.test", "kubernetes.slow.test"})
    EXPECT_NE(daemon.process.output().find(name), std::string::npos) << name << " was never looked up";
}

}  // namespace
}  // namespace ferryman::e2e
