// SPDX-License-Identifier: Apache-2.0
#include "kube/config.h"

#include <gtest/gtest.h>

#include "kube/base64.h"
#include "support/simulation.h"
#include "unit/kube/memory_files.h"

namespace ferryman::test {

namespace {

const std::string pem = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";
const std::string pem_in_base64 =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCkFBPT0KLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=";

/// A kubeconfig with one context "c" whose cluster and user have these lines.
std::string kubeconfig(const std::string& cluster, const std::string& user) {
  return "current-context: c\ncontexts:\n- name: c\n  context: {cluster: k, user: u}\nclusters:\n- name: k\n "
         " cluster: {" +
         cluster + "}\nusers:\n- name: u\n  user: {" + user + "}\n";
}

class Config : public ::testing::Test {
 protected:
  Result<kube::Access> find(std::map<std::string, std::string, std::less<>> environment = {}) {
    return kube::find_access(choice, Environment(std::move(environment)),
                             kube::TokenContext(files, sim.clock, programs, sim.scope, sim.log));
  }
  Result<kube::Access> read(const std::string& cluster, const std::string& user) {
    files.texts["/etc/kube/config"] = kubeconfig(cluster, user);
    choice.kubeconfig = "/etc/kube/config";
    return find();
  }
  std::string token_of(const kube::Access& access) {
    if (access.token == nullptr) return "none";
    return sim.run(access.token->get(Deadline::after(sim.clock, std::chrono::seconds{1})))->reveal();
  }
  void expect_refused(const std::string& cluster, const std::string& user, const std::string& words) {
    const auto access = read(cluster, user);
    ASSERT_FALSE(access.ok()) << cluster << " | " << user;
    EXPECT_EQ(access.error().fault, Fault::invalid);
    EXPECT_NE(access.error().text.find(words), std::string::npos) << access.error().text;
    EXPECT_NE(access.error().text.find("/etc/kube/config"), std::string::npos) << access.error().text;
  }

  Simulation sim;
  MemoryFiles files;
  NoPrograms programs;
  kube::ConfigChoice choice;
};

}  // namespace

TEST_F(Config, InAPodTheServiceAccountIsUsed) {
  const std::string folder = "/var/run/secrets/kubernetes.io/serviceaccount/";
  files.texts[folder + "ca.crt"] = pem;
  files.texts[folder + "token"] = "abc\n";
  const auto access = find({{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}, {"KUBERNETES_SERVICE_PORT", "443"}});
  ASSERT_TRUE(access.ok()) << access.error().text;
  EXPECT_EQ(access->server, "https://10.0.0.1:443");
  EXPECT_EQ(access->profile->ca_pem, pem);
  EXPECT_TRUE(access->profile->direct);
  EXPECT_EQ(token_of(*access), "abc");
  const auto six = find({{"KUBERNETES_SERVICE_HOST", "fd00::1"}, {"KUBERNETES_SERVICE_PORT", "6443"}});
  EXPECT_EQ(six->server, "https://[fd00::1]:6443");
}

TEST_F(Config, WithoutAnyClusterTheErrorNamesTheCure) {
  const auto nothing = find();
  EXPECT_EQ(nothing.error().fault, Fault::invalid);
  EXPECT_NE(nothing.error().text.find("--kubeconfig"), std::string::npos);
  const auto no_account = find({{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}});
  EXPECT_EQ(no_account.error().fault, Fault::invalid);
  EXPECT_NE(no_account.error().text.find("automountServiceAccountToken"), std::string::npos);
}

TEST_F(Config, AKubeconfigGivesServerTrustAndCertificate) {
  files.texts["/etc/kube/client.pem"] = pem;
  files.texts["/keys/client.key"] = "-----BEGIN PRIVATE KEY-----\n";
  const auto access =
      read("server: 'https://api.test:6443/', tls-server-name: inner, certificate-authority-data: " +
               pem_in_base64,
           "client-certificate: client.pem, client-key: /keys/client.key");
  ASSERT_TRUE(access.ok()) << access.error().text;
  EXPECT_EQ(access->server, "https://api.test:6443");
  EXPECT_EQ(access->profile->ca_pem, pem);
  EXPECT_EQ(access->profile->server_name, "inner");
  EXPECT_EQ(access->profile->client_cert_pem, pem);
  EXPECT_EQ(access->profile->client_key_pem.reveal(), "-----BEGIN PRIVATE KEY-----\n");
  EXPECT_TRUE(access->profile->direct);
  EXPECT_EQ(token_of(*access), "none");
}

TEST_F(Config, ATokenFileWinsOverATextAndIsFoundBesideTheKubeconfig) {
  files.texts["/etc/kube/tokens/t"] = "from-file";
  EXPECT_EQ(token_of(*read("server: 'https://a'", "token: from-text")), "from-text");
  EXPECT_EQ(token_of(*read("server: 'https://a'", "token: from-text, tokenFile: tokens/t")), "from-file");
}

TEST_F(Config, TheEnvironmentsFilesAreReadAsOneAndAContextCanBeChosen) {
  files.texts["/a"] = "current-context: one\ncontexts:\n- name: one\n  context: {cluster: k}\n";
  files.texts["/b"] =
      "contexts:\n- name: two\n  context: {cluster: k}\nclusters:\n- name: k\n  cluster: {server: "
      "'https://b'}\n";
  choice.context = "two";
  const auto access = find({{"KUBECONFIG", "/a:/missing:/b"}});
  ASSERT_TRUE(access.ok()) << access.error().text;
  EXPECT_EQ(access->server, "https://b");
  choice.context = "three";
  EXPECT_NE(find({{"KUBECONFIG", "/a:/b"}}).error().text.find("there is no context \"three\""),
            std::string::npos);
}

TEST_F(Config, WhatCannotWorkIsNamedWithItsPlace) {
  const std::string good = "server: 'https://a'";
  expect_refused("server: 'https://a', insecure-skip-tls-verify: true", "token: t",
                 "certificate-authority-data");
  expect_refused("server: 'http://far.away'", "token: t", "use https://");
  expect_refused("server: 'ftp://a'", "token: t", "server");
  expect_refused("x: y", "token: t", "cluster \"k\": server is missing");
  expect_refused("server: 'https://a', certificate-authority-data: '!'", "token: t",
                 "certificate-authority-data is not base64");
  expect_refused("server: 'https://a', certificate-authority: gone.pem", "token: t", "/etc/kube/gone.pem");
  expect_refused("server: 'https://a', proxy-url: 'http://p'", "token: t", "proxy-url");
  expect_refused("server: [1]", "token: t", "server must be a text");
  expect_refused(good, "as: admin", "as is not supported");
  expect_refused(good, "client-certificate-data: " + pem_in_base64, "client-key belong together");
}

TEST_F(Config, ABrokenFileGivesAnErrorAndNeverASecret) {
  choice.kubeconfig = "/k";
  for (const std::string text :
       {"", "a: [", "just text", "current-context: c\ncontexts: 5", "current-context: c\ncontexts: [5]",
        "current-context: {a: b}", "\xff\xfe\x00token: s3cr3t", "token: s3cr3t\n  : : ["}) {
    files.texts["/k"] = text;
    const auto access = find();
    ASSERT_FALSE(access.ok()) << text;
    EXPECT_TRUE(access.error().text.starts_with("kubeconfig /k")) << access.error().text;
    EXPECT_EQ(access.error().text.find("s3cr3t"), std::string::npos);
  }
  files.texts["/k"] = std::string(100'000, '[');
  EXPECT_FALSE(find().ok());
}

TEST(Base64, DecodesAllLengthsAndRefusesTheRest) {
  EXPECT_EQ(kube::decode_base64(""), "");
  EXPECT_EQ(kube::decode_base64("Zg=="), "f");
  EXPECT_EQ(kube::decode_base64("Zm8="), "fo");
  EXPECT_EQ(kube::decode_base64("Zm9v"), "foo");
  EXPECT_EQ(kube::decode_base64("Zm9v\nYmFy"), "foobar");
  EXPECT_EQ(kube::decode_base64("Zm9vYg"), "foob");
  EXPECT_FALSE(kube::decode_base64("Z"));
  EXPECT_FALSE(kube::decode_base64("Zm9v!"));
  EXPECT_FALSE(kube::decode_base64("Zg==Zg"));
}

}  // namespace ferryman::test
