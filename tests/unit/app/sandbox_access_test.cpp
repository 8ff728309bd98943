// SPDX-License-Identifier: Apache-2.0
#include "app/sandbox_access.h"

#include <gtest/gtest.h>

#include "kube/config.h"
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
  const std::string text = shell_exports(sandbox_variables(access()));
  EXPECT_NE(text.find("export AWS_SECRET_ACCESS_KEY='it'\\''s secret'\n"), std::string::npos) << text;
  EXPECT_NE(text.find("export KUBECONFIG='/tmp/x/kubeconfig'\n"), std::string::npos);
  EXPECT_EQ(text.find("SSL_CERT_FILE"), std::string::npos);
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
