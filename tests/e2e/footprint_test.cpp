// SPDX-License-Identifier: Apache-2.0
// How soon the daemon is ready and how much memory it takes, with everything over TLS and the system's whole
// CA bundle trusted. The figures are printed; the bounds hold for an optimised build.
#include <gtest/gtest.h>

#include <charconv>
#include <sstream>
#include <thread>

#include "e2e/stage.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || __has_feature(address_sanitizer) || \
    __has_feature(thread_sanitizer) || !defined(__OPTIMIZE__)
#define FERRYMAN_AS_USERS_RUN_IT 0
#else
#define FERRYMAN_AS_USERS_RUN_IT 1
#endif

namespace ferryman::e2e {
namespace {

using namespace std::chrono_literals;

/// A field of /proc/PID/status in MiB; -1 when there is none.
double mebibytes(pid_t pid, const std::string& field) {
  std::istringstream lines(read_file("/proc/" + std::to_string(pid) + "/status"));
  for (std::string line; std::getline(lines, line);) {
    const auto digits = line.find_first_of("0123456789");
    if (!line.starts_with(field + ":") || digits == std::string::npos) continue;
    double kibibytes = -1;
    (void)std::from_chars(line.data() + digits, line.data() + line.size(), kibibytes);
    return kibibytes / 1024;
  }
  return -1;
}

/// SQS by another name, so that it and Auto Scaling share no connection, as in life.
Variables with_two_names(Variables variables) {
  const std::string& aws = variables["AWS_ENDPOINT_URL"];
  variables["AWS_ENDPOINT_URL_SQS"] = "https://localhost" + aws.substr(aws.rfind(':'));
  return variables;
}

/// One termination, and a foreign message that comes back so often that EC2 is asked about it.
void reach_every_endpoint(Sandbox& sandbox) {
  for (const json::value& instance : sandbox.list("state", "instances")) {
    if (string_at(instance, "group") == "other-cluster")
      sandbox.terminate(std::string(string_at(instance, "id")));
  }
  sandbox.terminate(sandbox.instance());
  EXPECT_TRUE(eventually(
      15s, [&] { return sandbox.count("DescribeInstances") >= 1 && sandbox.count("hook.completed") == 1; }));
}

TEST(Footprint, ReadySoonAndSmallWithAHundredNodesOverTls) {
  const Folder folder;
  Sandbox sandbox(folder, {"--tls", "--nodes=100", "--pod-end=1s", "--foreign-instances=1"});
  ASSERT_EQ(sandbox.variable("AWS_ENDPOINT_URL").substr(0, 8), "https://");
  ASSERT_GT(read_file(sandbox.variable("SSL_CERT_FILE")).size(), 100'000U) << "no system bundle";
  const auto start = std::chrono::steady_clock::now();
  const Daemon daemon(folder, with_two_names(sandbox.variables()));
  ASSERT_TRUE(daemon.becomes_ready()) << daemon.probe("/readyz").body;
  const double ready_after = seconds(std::chrono::steady_clock::now() - start);
  EXPECT_EQ(daemon.metric("ferryman_nodes"), 100);

  reach_every_endpoint(sandbox);
  std::this_thread::sleep_for(3s);  // idle
  const double anonymous = mebibytes(daemon.process.pid(), "RssAnon");
  const double resident = mebibytes(daemon.process.pid(), "VmRSS");
  std::printf("ready after %.2f s; idle RssAnon %.1f MiB, VmRSS %.1f MiB\n", ready_after, anonymous,
              resident);
  if (FERRYMAN_AS_USERS_RUN_IT == 0)
    GTEST_SKIP() << "only figures: not an optimised build without sanitizers";
  EXPECT_LT(ready_after, 3);  // under 1 s on an idle machine
  EXPECT_GT(anonymous, 0);
  EXPECT_LE(anonymous, 9);
  EXPECT_LE(resident, 22);
}

}  // namespace
}  // namespace ferryman::e2e
