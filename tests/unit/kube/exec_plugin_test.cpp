// SPDX-License-Identifier: Apache-2.0
#include "kube/exec_plugin.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "kube/base64.h"
#include "kube/kubeconfig.h"
#include "support/simulation.h"
#include "unit/kube/memory_files.h"

namespace ferryman::test {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

namespace {

/// Stands for "aws eks get-token": its tokens are numbered and live for `life`.
class FakePlugin final : public Programs {
 public:
  explicit FakePlugin(Clock& clock_in) : clock(clock_in) {}

  Task<Result<ProgramOutput>> run(Program program, Deadline deadline) override {
    runs.push_back(std::move(program));
    const SteadyTime end = clock.now() + takes;
    co_await clock.sleep_until(std::min(end, deadline.at()));
    if (end > deadline.at()) co_return Error(Fault::deadline, "aws did not end in time and was killed");
    if (error) co_return *error;
    ProgramOutput out;
    out.status = status;
    out.errors = "Traceback\n\nUnable to locate credentials\n";
    out.output = printed.empty() ? credential() : printed;
    co_return out;
  }

  [[nodiscard]] std::string token() const { return "k8s-aws-v1." + std::to_string(runs.size()); }
  [[nodiscard]] std::string credential() const {
    const std::string expires =
        life.count() == 0 ? "" : R"("expirationTimestamp":")" + format_rfc3339(clock.wall() + life) + R"(",)";
    return R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","spec":{},)"
           R"("status":{)" +
           expires + R"("token":")" + token() + R"("}})";
  }

  Clock& clock;
  std::vector<Program> runs;
  Duration takes = seconds{2};
  Duration life = minutes{14};
  std::optional<Error> error;
  int status = 0;
  std::string printed;
};

const std::string aws_kubeconfig = R"(
current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "https://api.test:6443", tls-server-name: inner}}]
users:
- name: u
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1beta1
      command: aws
      args: [--region, us-west-2, eks, get-token, --cluster-name, demo]
      env: [{name: AWS_PROFILE, value: work}]
      interactiveMode: IfAvailable
      provideClusterInfo: true
      installHint: install the AWS CLI
)";

class ExecPlugin : public ::testing::Test {
 protected:
  ~ExecPlugin() override {
    sim.scope.cancel();
    sim.clock.advance(seconds{0});
  }

  Result<kube::Access> read(const std::string& text) {
    files.texts["/etc/kube/config"] = text;
    return kube::read_kubeconfig("/etc/kube/config", "",
                                 kube::TokenContext(files, sim.clock, plugin, sim.scope, sim.log));
  }
  std::string token(Duration within = seconds{10}) {
    if (!access) access = *read(aws_kubeconfig);
    const auto got = sim.run(access->token->get(Deadline::after(sim.clock, within)));
    return got ? got->reveal() : "error: " + got.error().text;
  }
  void expect_refused(const std::string& from, const std::string& to, const std::string& words) {
    std::string text = aws_kubeconfig;
    text.replace(text.find(from), from.size(), to);
    const auto refused = read(text);
    ASSERT_FALSE(refused.ok()) << to;
    EXPECT_NE(refused.error().text.find("user \"u\": " + words), std::string::npos) << refused.error().text;
  }

  Simulation sim;
  MemoryFiles files;
  FakePlugin plugin{sim.clock};
  std::optional<kube::Access> access;
};

}  // namespace

TEST_F(ExecPlugin, RunsTheProgramAsTheKubeconfigSays) {
  EXPECT_EQ(token(), "k8s-aws-v1.1");
  const Program& run = plugin.runs.at(0);
  EXPECT_EQ(run.command, "aws");
  EXPECT_EQ(run.arguments, (std::vector<std::string>{"--region", "us-west-2", "eks", "get-token",
                                                     "--cluster-name", "demo"}));
  EXPECT_EQ(run.variables.at("AWS_PROFILE"), "work");
  EXPECT_EQ(
      *parse_json(run.variables.at("KUBERNETES_EXEC_INFO")),
      *parse_json(R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","spec":
                            {"interactive":false,
                             "cluster":{"server":"https://api.test:6443","tls-server-name":"inner"}}})"));
  EXPECT_EQ(sim.logs.with("kube.credentials source=aws expires=2026-03-01T12:14:02Z").size(), 1U);
}

TEST_F(ExecPlugin, OneRunServesUntilTheTokenIsNearItsEnd) {
  EXPECT_EQ(token(), "k8s-aws-v1.1");
  sim.clock.advance(minutes{12});
  EXPECT_EQ(token(), "k8s-aws-v1.1");
  EXPECT_EQ(plugin.runs.size(), 1U);
  sim.clock.advance(minutes{1} + seconds{10});
  EXPECT_EQ(token(), "k8s-aws-v1.1") << "nobody waits while the old one is good";
  sim.clock.advance(seconds{3});
  EXPECT_EQ(token(), "k8s-aws-v1.2");
  plugin.life = Duration{0};
  sim.clock.advance(hours{1});
  EXPECT_EQ(token(), "k8s-aws-v1.3");
  sim.clock.advance(hours{100});
  EXPECT_EQ(token(), "k8s-aws-v1.3") << "a token without a time is good until it is refused";
}

TEST_F(ExecPlugin, ATokenThatTheServerRefusesIsRenewedOnceForAll) {
  EXPECT_EQ(token(), "k8s-aws-v1.1");
  sim.clock.advance(minutes{1});
  access->token->refused();
  access->token->refused();
  EXPECT_EQ(token(), "k8s-aws-v1.2");
  access->token->refused();
  EXPECT_EQ(token(), "k8s-aws-v1.2") << "the refusal was of the one before";
  EXPECT_EQ(plugin.runs.size(), 2U);
}

TEST_F(ExecPlugin, ASlowRunOutlivesAnImpatientCaller) {
  plugin.takes = seconds{25};
  EXPECT_EQ(token(), "error: the credential program \"aws\" gave no token in time");
  EXPECT_EQ(token(), "error: the credential program \"aws\" gave no token in time");
  EXPECT_EQ(token(), "k8s-aws-v1.1");
  EXPECT_EQ(plugin.runs.size(), 1U);
}

TEST_F(ExecPlugin, AFailureNamesTheProgramsLastWordsAndIsNotRepeatedByEveryCaller) {
  plugin.status = 255;
  const std::string failed =
      "error: the credential program \"aws\" ended with status 255: Traceback\n\nUnable to locate "
      "credentials";
  EXPECT_EQ(token(), failed);
  EXPECT_EQ(token(seconds{1}), failed);
  EXPECT_EQ(plugin.runs.size(), 1U);
  plugin.status = 0;
  EXPECT_EQ(token(), "k8s-aws-v1.2");
  EXPECT_EQ(sim.logs.with("kube.credentials.failed").size(), 1U);
}

TEST_F(ExecPlugin, AMissingProgramIsDeniedWithTheHint) {
  plugin.error = Error(Fault::not_found, "starting aws: No such file or directory");
  access = *read(aws_kubeconfig);
  const auto got = sim.run(access->token->get(Deadline::after(sim.clock, seconds{10})));
  EXPECT_EQ(got.error().fault, Fault::denied);
  EXPECT_EQ(
      got.error().text,
      "the credential program \"aws\" cannot be used: starting aws: No such file or directory (install the "
      "AWS CLI)");
}

TEST_F(ExecPlugin, GarbageIsAnErrorThatShowsNothing) {
  for (
      const std::string printed :
      {"s3cr3t", "{}", "[]", R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"})",
       R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","status":{"token":7}})",
       R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","status":null})",
       R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1",
            "status":{"token":"s3cr3t","expirationTimestamp":"tomorrow"}})",
       R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1",
            "status":{"token":"s3cr3t\nX: 1"}})",
       R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1",
            "status":{"clientCertificateData":"s3cr3t"}})"}) {
    const auto credential = kube::parse_exec_credential(printed, "client.authentication.k8s.io/v1beta1");
    ASSERT_FALSE(credential.ok()) << printed;
    EXPECT_EQ(credential.error().text.find("s3cr3t"), std::string::npos) << credential.error().text;
  }
}

TEST_F(ExecPlugin, WhatCannotWorkIsRefusedWithItsPlace) {
  expect_refused("client.authentication.k8s.io/v1beta1", "client.authentication.k8s.io/v1alpha1",
                 "exec: apiVersion \"client.authentication.k8s.io/v1alpha1\" is not supported");
  expect_refused("command: aws", "comand: aws", "exec: command is missing");
  expect_refused("IfAvailable", "Always", "exec: interactiveMode is Always");
  expect_refused("[{name: AWS_PROFILE, value: work}]", "[AWS_PROFILE]",
                 "exec: each variable in env needs a name");
  expect_refused("[--region, us-west-2, eks, get-token, --cluster-name, demo]", "text",
                 "exec: args and env must be lists");
}

TEST_F(ExecPlugin, ARelativeCommandStartsBesideTheKubeconfigAndATokenWins) {
  std::string text = aws_kubeconfig;
  text.replace(text.find("command: aws"), 12, "command: bin/aws");
  access = *read(text);
  token();
  EXPECT_EQ(plugin.runs.at(0).command, "/etc/kube/bin/aws");
  text.replace(text.find("    exec:"), 9, "    token: fixed\n    exec:");
  access = *read(text);
  EXPECT_EQ(token(), "fixed");
}

TEST(Base64, EncodesAllLengths) {
  EXPECT_EQ(kube::encode_base64(""), "");
  EXPECT_EQ(kube::encode_base64("f"), "Zg==");
  EXPECT_EQ(kube::encode_base64("fo"), "Zm8=");
  EXPECT_EQ(kube::encode_base64("foo"), "Zm9v");
  EXPECT_EQ(kube::encode_base64("\xff\xfe\xfd\xfc"), "//79/A==");
}

}  // namespace ferryman::test
