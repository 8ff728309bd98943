// SPDX-License-Identifier: Apache-2.0
#include "app/sandbox_access.h"

#include <gtest/gtest.h>

#include "app/real_programs.h"
#include "kube/config.h"
#include "support/real_time.h"
#include "support/simulation.h"
#include "unit/app/memory_files.h"

namespace ferryman::app {
namespace {

SandboxAccess access() {
  SandboxAccess access;
  access.aws_url = "http://127.0.0.1:4566";
  access.access_key_id = "AKIA";
  access.secret_access_key = Secret("it's secret");
  access.region = "us-west-2";
  access.queue_url = "http://127.0.0.1:4566/123456789012/ferryman";
  access.kubernetes_url = "https://127.0.0.1:6443";
  access.ca_pem = "-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n";
  access.token = Secret("t0ken");
  access.folder = "/tmp/x";
  return access;
}

TEST(SandboxAccess, ExportsSurviveTheShell) {
  const std::string text = shell_lines(sandbox_variables(access()));
  EXPECT_NE(text.find("export AWS_SECRET_ACCESS_KEY='it'\\''s secret'\n"), std::string::npos) << text;
  EXPECT_NE(text.find("export KUBECONFIG='/tmp/x/kubeconfig'\n"), std::string::npos);
  EXPECT_EQ(text.find("export SSL_CERT_FILE"), std::string::npos);
}

TEST(SandboxAccess, AShellThatPointsElsewhereIsTurnedAround) {
  test::RealTime time;
  RealPrograms programs(time.clock, Environment({{"PATH", "/usr/bin:/bin"},
                                                 {"AWS_PROFILE", "work"},
                                                 {"AWS_SESSION_TOKEN", "old"},
                                                 {"AWS_ENDPOINT_URL_SQS", "https://elsewhere"},
                                                 {"FERRYMAN_REGION", "eu-west-1"},
                                                 {"HTTPS_PROXY", "http://proxy:3128"}}));
  Program program;
  program.command = "sh";
  program.arguments = {"-euc", shell_lines(sandbox_variables(access())) + "env"};
  const auto run = time.run(programs.run(program, time.in(std::chrono::seconds{30})));
  ASSERT_TRUE(run) << run.error().text;
  for (const char* gone : {"AWS_PROFILE=", "AWS_SESSION_TOKEN=", "AWS_ENDPOINT_URL_SQS=", "FERRYMAN_REGION="})
    EXPECT_EQ(run->output.find(gone), std::string::npos) << run->output;
  for (const char* there : {"AWS_ENDPOINT_URL=http://127.0.0.1:4566\n", "AWS_SECRET_ACCESS_KEY=it's secret\n",
                            "NO_PROXY=127.0.0.1,localhost\n", "no_proxy=127.0.0.1,localhost\n"})
    EXPECT_NE(run->output.find(there), std::string::npos) << run->output;
}

TEST(SandboxAccess, WithTlsClientsAreToldWhomToTrust) {
  SandboxAccess tls = access();
  tls.tls = true;
  const auto variables = sandbox_variables(tls);
  EXPECT_EQ(variables.at("SSL_CERT_FILE"), "/tmp/x/bundle.pem");
  EXPECT_EQ(variables.at("AWS_CA_BUNDLE"), "/tmp/x/bundle.pem");
}

TEST(SandboxAccess, ItsKubeconfigIsReadByOurOwnClient) {
  test::Simulation sim;
  test::MemoryFiles files;
  files.files["/k"] = kubeconfig_text(access());
  kube::ConfigChoice choice;
  choice.kubeconfig = "/k";
  NoPrograms programs;
  const auto found = kube::find_access(choice, Environment(),
                                       kube::TokenContext(files, sim.clock, programs, sim.scope, sim.log));
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_EQ(found->server, "https://127.0.0.1:6443");
  EXPECT_EQ(found->profile->ca_pem, access().ca_pem);
  const auto token = sim.run(found->token->get(Deadline::after(sim.clock, std::chrono::seconds{1})));
  EXPECT_EQ(token->reveal(), "t0ken");
}

}  // namespace
}  // namespace ferryman::app
