// SPDX-License-Identifier: Apache-2.0
#include "aws/shared_config.h"

#include <gtest/gtest.h>

#include "aws/profile_plan.h"
#include "unit/kube/memory_files.h"

namespace ferryman::aws {
namespace {

using ferryman::test::MemoryFiles;
using Variables = std::map<std::string, std::string, std::less<>>;

const Variables at_home = {{"HOME", "/home/a"}};

/// The two files at their usual places.
class SharedFiles {
 public:
  SharedFiles(std::string config, std::string credentials) {
    files.texts["/home/a/.aws/config"] = std::move(config);
    files.texts["/home/a/.aws/credentials"] = std::move(credentials);
  }
  Result<SharedConfig> load(const Variables& variables = at_home) {
    return SharedConfig::load(Environment(variables), files);
  }
  Result<ProfilePlan> plan(const std::string& name) { return plan_profile(*load(), name); }
  std::string trouble(const std::string& name) {
    const auto planned = plan(name);
    return planned ? "none" : planned.error().text;
  }

  MemoryFiles files;
};

TEST(Ini, ReadsWhatTheToolsWrite) {
  const auto sections = parse_ini(
      "\xEF\xBB\xBF# first\r\n[default]\r\nRegion = eu-west-1 ; here\r\n; more\n\n[profile  two words ]\n"
      "  role_arn=arn:aws:iam::1:role/a#b\n  s3 =\n    region = nested\n  output = "
      "json\n[default]\nother=1\n");
  ASSERT_TRUE(sections.ok()) << sections.error().text;
  EXPECT_EQ(sections->at("default").at("region"), "eu-west-1");
  EXPECT_EQ(sections->at("default").at("other"), "1") << "a section may come twice";
  const auto& words = sections->at("profile  two words");
  EXPECT_EQ(words.at("role_arn"), "arn:aws:iam::1:role/a#b");
  EXPECT_EQ(words.at("output"), "json");
  EXPECT_EQ(words.count("region"), 0U) << "nested settings are not the profile's";
}

TEST(Ini, ABrokenLineIsNamedByItsNumberOnly) {
  for (const std::string line : {"aws_secret_access_key: s3cr3t", "[open", "= s3cr3t", "\xff\xfe s3cr3t"}) {
    const auto sections = parse_ini("[default]\n\n" + line + "\n");
    ASSERT_FALSE(sections.ok()) << line;
    EXPECT_EQ(sections.error().text, "line 3 is neither a [section] nor a \"key = value\" in one");
  }
  EXPECT_FALSE(parse_ini("key = before any section").ok());
  EXPECT_TRUE(parse_ini("").ok());
}

TEST(SharedConfig, CredentialsWinOverConfigSettingBySetting) {
  SharedFiles files(
      "[default]\nregion = eu-west-1\naws_access_key_id = OLD\n[profile work]\nregion = us-east-1\n"
      "[work]\nregion = no-profile-1\n[sso-session s]\nsso_region = x\n",
      "[default]\naws_access_key_id = NEW\n[work]\naws_access_key_id = WORK\n");
  const auto shared = files.load();
  ASSERT_TRUE(shared.ok());
  EXPECT_EQ(shared->find("default")->get("aws_access_key_id"), "NEW");
  EXPECT_EQ(shared->find("default")->get("region"), "eu-west-1");
  EXPECT_EQ(shared->find("work")->get("aws_access_key_id"), "WORK");
  EXPECT_EQ(shared->find("work")->get("region"), "us-east-1");
  EXPECT_EQ(shared->find("s"), nullptr);
}

TEST(SharedConfig, VariablesNameOtherPlaces) {
  MemoryFiles files;
  files.texts["/etc/aws"] = "[profile p]\nregion = eu-north-1\n";
  files.texts["/home/a/keys"] = "[p]\naws_access_key_id = K\n";
  const Environment environment(Variables{{"HOME", "/home/a"},
                                          {"AWS_CONFIG_FILE", "/etc/aws"},
                                          {"AWS_SHARED_CREDENTIALS_FILE", "~/keys"},
                                          {"AWS_PROFILE", "p"}});
  const auto shared = SharedConfig::load(environment, files);
  EXPECT_EQ(shared->places(), "/home/a/keys and /etc/aws");
  EXPECT_EQ(shared->find("p")->get("aws_access_key_id"), "K");
  const Region region = profile_region(environment, files);
  EXPECT_EQ(region.name, "eu-north-1");
  EXPECT_EQ(region.source, "the profile \"p\"");
}

TEST(SharedConfig, AFileThatMayNotBeReadIsNamedOnlyWhereItWasChosen) {
  class Forbidden final : public Files {
    Result<std::string> read(const std::string& path) override {
      return Error(Fault::denied, "opening " + path + ": Permission denied");
    }
  } files;
  EXPECT_TRUE(SharedConfig::load(Environment(at_home), files).ok());
  const auto chosen = SharedConfig::load(Environment(Variables{{"AWS_CONFIG_FILE", "/c"}}), files);
  EXPECT_EQ(chosen.error().text, "opening /c: Permission denied");
}

TEST(ProfilePlan, KeysAreTakenAsTheyStand) {
  SharedFiles files("",
                    "[default]\naws_access_key_id = K\naws_secret_access_key = S\naws_session_token = T\n");
  const auto plan = files.plan("default");
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(plan->start, ProfilePlan::Start::keys);
  EXPECT_EQ(plan->keys.access_key_id, "K");
  EXPECT_EQ(plan->keys.secret_access_key, Secret("S"));
  EXPECT_EQ(plan->keys.session_token, Secret("T"));
  EXPECT_TRUE(plan->roles.empty());
}

TEST(ProfilePlan, RolesAreTakenOnFromTheKeysOutwards) {
  SharedFiles files(
      "[profile c]\nrole_arn = C\nsource_profile = b\nexternal_id = x\nduration_seconds = 3600\n"
      "[profile b]\nrole_arn = B\nrole_session_name = bee\nsource_profile = a\n",
      "[a]\naws_access_key_id = K\naws_secret_access_key = S\n");
  const auto plan = files.plan("c");
  ASSERT_TRUE(plan.ok()) << plan.error().text;
  ASSERT_EQ(plan->roles.size(), 2U);
  EXPECT_EQ(plan->keys.access_key_id, "K");
  EXPECT_EQ(plan->roles[0].arn, "B");
  EXPECT_EQ(plan->roles[0].session_name, "bee");
  EXPECT_EQ(plan->roles[1].arn, "C");
  EXPECT_EQ(plan->roles[1].session_name, "ferryman");
  EXPECT_EQ(plan->roles[1].external_id, "x");
  EXPECT_EQ(plan->roles[1].duration_seconds, 3600);
}

TEST(ProfilePlan, AProfileMayBeItsOwnSourceAndOtherStartsAreNamed) {
  const std::string keys = "aws_access_key_id = K\naws_secret_access_key = S\n";
  SharedFiles files("[profile own]\nrole_arn = R\nsource_profile = own\n" + keys +
                        "[profile env]\nrole_arn = R\ncredential_source = Environment\n"
                        "[profile ecs]\nrole_arn = R\ncredential_source = EcsContainer\n"
                        "[profile ec2]\nrole_arn = R\ncredential_source = Ec2InstanceMetadata\n"
                        "[profile web]\nrole_arn = R\nweb_identity_token_file = /t\n",
                    "");
  EXPECT_EQ(files.plan("own")->roles.size(), 1U);
  EXPECT_EQ(files.plan("own")->keys.access_key_id, "K");
  EXPECT_EQ(files.plan("env")->start, ProfilePlan::Start::environment);
  EXPECT_EQ(files.plan("ecs")->start, ProfilePlan::Start::container);
  EXPECT_EQ(files.plan("ec2")->start, ProfilePlan::Start::instance_metadata);
  EXPECT_EQ(files.plan("web")->start, ProfilePlan::Start::web_identity);
  EXPECT_EQ(files.plan("web")->token_file, "/t");
  EXPECT_TRUE(files.plan("web")->roles.empty()) << "the token gives the role itself";
}

TEST(ProfilePlan, WhatCannotWorkIsNamedWithItsCure) {
  SharedFiles files(
      "[profile sso]\nsso_session = s\n[profile run]\ncredential_process = /bin/x\n"
      "[profile mfa]\nrole_arn = R\nsource_profile = run\nmfa_serial = m\n"
      "[profile none]\nrole_arn = R\n[profile both]\nrole_arn = R\nsource_profile = a\n"
      "credential_source = Environment\n[profile odd]\nrole_arn = R\ncredential_source = Sky\n"
      "[profile gone]\nrole_arn = R\nsource_profile = nowhere\n"
      "[profile x]\nrole_arn = R\nsource_profile = y\n[profile y]\nrole_arn = R\nsource_profile = x\n"
      "[profile long]\nrole_arn = R\nsource_profile = run\nduration_seconds = 1d\n",
      "[half]\naws_access_key_id = K\n");
  EXPECT_EQ(
      files.trouble("sso"),
      "profile \"sso\": sso_session is not supported: a daemon cannot log in; use keys, or role_arn with "
      "source_profile, credential_source or web_identity_token_file");
  EXPECT_TRUE(files.trouble("run").starts_with("profile \"run\": credential_process is not supported"));
  EXPECT_TRUE(files.trouble("mfa").starts_with("profile \"mfa\": mfa_serial is not supported"));
  EXPECT_EQ(files.trouble("none"),
            "profile \"none\": role_arn needs one of source_profile, credential_source and "
            "web_identity_token_file, and none is set");
  EXPECT_TRUE(files.trouble("both").ends_with("and the first two are set"));
  EXPECT_EQ(files.trouble("odd"),
            "profile \"odd\": credential_source = Sky: it must be Environment, EcsContainer or "
            "Ec2InstanceMetadata");
  EXPECT_EQ(files.trouble("gone"), "profile \"gone\": source_profile = nowhere: there is no such profile");
  EXPECT_EQ(files.trouble("x"), "source_profile = x: the profiles name each other in a circle");
  EXPECT_EQ(files.trouble("long"), "profile \"long\": duration_seconds must be a number from 900 to 43200");
  EXPECT_EQ(files.trouble("half"), "profile \"half\": aws_secret_access_key is missing");
}

TEST(ProfilePlan, AnEmptyProfileIsAnAbsence) {
  SharedFiles files("[default]\nregion = eu-west-1\n", "");
  EXPECT_EQ(files.plan("default").error().fault, Fault::not_found);
  EXPECT_EQ(files.trouble("default"), "profile \"default\": it has neither keys nor a role");
  EXPECT_EQ(files.plan("other").error().fault, Fault::not_found);
  EXPECT_EQ(files.trouble("other"),
            "there is no profile \"other\" in /home/a/.aws/credentials and /home/a/.aws/config");
}

}  // namespace
}  // namespace ferryman::aws
