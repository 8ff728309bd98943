// SPDX-License-Identifier: Apache-2.0
#include "sandbox/world.h"

#include "sandbox/aws/fresh_ids.h"
#include "sandbox/kube/rights_text.h"

namespace ferryman::sandbox {

namespace {

constexpr std::string_view alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

AccessKey administrator(Random& random, const AwsSettings& settings) {
  AccessKey key;
  key.id = "AKIA" + fresh_text(random, 16, alphanumeric.substr(0, 26));
  key.secret = Secret(fresh_text(random, 40, alphanumeric));
  key.arn = "arn:aws:iam::" + settings.account + ":user/sandbox";
  return key;
}

}  // namespace

World::World(Clock& clock, Scope& scope, WorldSettings settings)
    : clock_(clock),
      settings_(std::move(settings)),
      random_(settings_.seed),
      journal_(clock),
      timeline_(clock, scope),
      aws_(timeline_, random_, journal_, settings_.aws),
      keys_(random_, aws_.settings()),
      aws_handler_(aws_, keys_),
      kubernetes_(clock, random_, scope, journal_),
      nodes_(aws_, kubernetes_, timeline_, "kubernetes.io/cluster/" + settings_.cluster, settings_.nodes),
      pod_targets_(aws_, kubernetes_),
      api_server_(kubernetes_),
      aws_endpoint_(aws_handler_, aws_form_, faults_, clock, journal_),
      kubernetes_endpoint_(api_server_, kube_form_, faults_, clock, journal_),
      access_key_(administrator(random_, settings_.aws)),
      token_("sandbox-" + fresh_text(random_, 40, alphanumeric)) {
  keys_.add(access_key_);
  keys_.checking = settings_.check_signatures;
  keys_.rights = settings_.aws_rights;
  if (settings_.check_tokens && !settings_.kubernetes_rights) {
    api_server_.accept_token(token_, "system:admin");
  } else if (settings_.check_tokens) {
    token_ = add_token("ferryman", *settings_.kubernetes_rights);
  }
}

Secret World::add_token(const std::string& user, json::array rules) {
  const Secret token("sandbox-" + fresh_text(random_, 40, alphanumeric));
  grant(kubernetes_.state().objects, user, std::move(rules));
  api_server_.accept_token(token, authenticated_user(user));
  return token;
}

}  // namespace ferryman::sandbox
