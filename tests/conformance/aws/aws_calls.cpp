// SPDX-License-Identifier: Apache-2.0
// size: all clients behind one table of calls
// aws_calls: our AWS clients behind lines of JSON, for judges that are no C++ programs. A line
// {"call":"elb2.health","arn":…} gives {"answer":…} or {"error":{"fault","code","text"}}. Endpoint, region
// and keys come from the SDKs' variables.
#include <array>
#include <boost/json/serialize.hpp>
#include <cstdlib>
#include <iostream>
#include <string>

#include "aws/auto_scaling.h"
#include "aws/ec2.h"
#include "aws/elb2.h"
#include "aws/elb_classic.h"
#include "aws/sqs.h"
#include "aws/sts.h"
#include "base/json.h"
#include "net/curl_client.h"
#include "support/real_time.h"

namespace ferryman {
namespace {

using json::value;
using termination::Target;

std::string text(const value& line, std::string_view name) {
  return std::string(string_at(line, name));
}

std::chrono::seconds whole_seconds(const value& line, std::string_view name) {
  return std::chrono::seconds{integer_at(&line, name).value_or(0)};
}

std::vector<InstanceId> ids(const value& line) {
  std::vector<InstanceId> list;
  const json::array* named = array_at(&line, "ids");
  for (const value& id : named == nullptr ? json::array() : *named)
    list.emplace_back(std::string(id.as_string()));
  return list;
}

std::vector<std::string> texts(const value& line, std::string_view name) {
  std::vector<std::string> list;
  const json::array* named = array_at(&line, name);
  for (const value& one : named == nullptr ? json::array() : *named) list.emplace_back(one.as_string());
  return list;
}

/// [[id, port], …].
std::vector<Target> targets(const value& line) {
  std::vector<Target> list;
  const json::array* named = array_at(&line, "targets");
  for (const value& pair : named == nullptr ? json::array() : *named) {
    const json::array& both = pair.as_array();
    list.emplace_back(InstanceId(std::string(both.at(0).as_string())),
                      static_cast<std::uint16_t>(both.at(1).as_int64()));
  }
  return list;
}

termination::LifecycleAction action(const value& line) {
  termination::LifecycleAction wanted;
  wanted.group = text(line, "group");
  wanted.hook = text(line, "hook");
  wanted.token = text(line, "token");
  wanted.instance_id = InstanceId(text(line, "id"));
  return wanted;
}

class FixedKeys final : public aws::CredentialProvider {
 public:
  explicit FixedKeys(const Environment& environment) {
    keys_.access_key_id = environment.get("AWS_ACCESS_KEY_ID");
    keys_.secret_access_key = Secret(environment.get("AWS_SECRET_ACCESS_KEY"));
    keys_.session_token = Secret(environment.get("AWS_SESSION_TOKEN"));
  }
  Task<Result<aws::Credentials>> get(Deadline /*deadline*/) override { co_return keys_; }
  void expired(const aws::Credentials& /*used*/) override {}
  [[nodiscard]] const aws::Credentials& keys() const { return keys_; }

 private:
  aws::Credentials keys_;
};

// What the clients answer, as JSON.
value shown(std::chrono::seconds duration) {
  return duration.count();
}
value shown(const termination::Message& message) {
  return {{"id", message.id},
          {"receipt", message.receipt_handle},
          {"body", message.body},
          {"count", message.receive_count}};
}
value shown(const termination::QueueFacts& facts) {
  return {{"arn", facts.arn},
          {"delay", facts.delay.count()},
          {"retention", facts.retention.count()},
          {"most", facts.most_receives.value_or(0)}};
}
value shown(const termination::Instance& instance) {
  json::object tags;
  for (const auto& [name, part] : instance.tags) tags[name] = part;
  return {{"id", instance.instance_id.str()},
          {"state", instance.state},
          {"name", instance.private_dns_name},
          {"tags", tags}};
}
value shown(const termination::LifecycleHook& hook) {
  return {{"name", hook.name},
          {"transition", hook.transition},
          {"timeout", hook.heartbeat_timeout.count()},
          {"global", hook.global_timeout.count()},
          {"result", hook.default_result}};
}
value shown(const termination::GroupMember& member) {
  return {{"id", member.instance_id.str()}, {"group", member.group}, {"state", member.lifecycle_state}};
}
value shown(const termination::GroupTags& group) {
  json::object tags;
  for (const auto& [name, part] : group.tags) tags[name] = part;
  return {{"group", group.group}, {"tags", tags}};
}
value shown(const termination::InstancePlan& plan) {
  return {{"id", plan.instance_id.str()}, {"plan", plan.id}, {"code", plan.code}};
}
value shown(const termination::TargetGroup& group) {
  return {
      {"arn", group.arn}, {"name", group.name}, {"type", group.target_type}, {"protocol", group.protocol}};
}
value shown(const termination::TargetHealth& health) {
  return {{"id", health.target.instance_id.str()},
          {"port", health.target.port},
          {"state", health.state},
          {"reason", health.reason}};
}
value shown(const termination::ClassicBalancer& balancer) {
  json::array members;
  for (const InstanceId& id : balancer.instances) members.emplace_back(id.str());
  return {{"name", balancer.name}, {"ids", members}};
}
value shown(const termination::ClassicHealth& health) {
  return {{"id", health.instance_id.str()}, {"state", health.state}, {"text", health.description}};
}
value shown(const aws::Credentials& keys) {
  return {{"key", keys.access_key_id},
          {"secret", keys.secret_access_key.reveal()},
          {"token", keys.session_token.reveal()},
          {"expires", keys.expires.has_value()}};
}
template <class Part>
value shown(const std::vector<Part>& parts) {
  json::array list;
  for (const Part& part : parts) list.push_back(shown(part));
  return list;
}

value failure(const Error& error) {
  const value told{{"fault", name_of(error.fault)}, {"code", error.code}, {"text", error.text}};
  return json::object{{"error", told}};
}

template <class Answer>
Task<value> show(Task<Result<Answer>> call) {
  const auto answer = co_await std::move(call);
  if (!answer) co_return failure(answer.error());
  if constexpr (std::is_void_v<Answer>) {
    co_return json::object{{"answer", nullptr}};
  } else {
    co_return json::object{{"answer", shown(*answer)}};
  }
}

class Driver {
 public:
  explicit Driver(const Environment& environment) : environment_(environment) {}

  std::string answer(const std::string& line) {
    const auto parsed = parse_json(line);
    if (!parsed) return json::serialize(failure(parsed.error()));
    return json::serialize(
        time_.run(call(text(*parsed, "call"), *parsed, time_.in(std::chrono::seconds{40}))));
  }

 private:
  aws::ServiceClient client(aws::Service service, aws::CredentialProvider* keys) {
    auto endpoint = aws::endpoint_of(service, environment_.get("AWS_REGION"), environment_);
    return aws::ServiceClient(context_, *endpoint, keys);
  }

  Task<value> call(std::string name, value line, Deadline by) {
    if (name.starts_with("sqs.")) return of_queue(name, std::move(line), by);
    if (name.starts_with("elb2.")) return of_target_groups(name, std::move(line), by);
    if (name.starts_with("elb.")) return of_classic_balancers(name, std::move(line), by);
    return of_others(name, std::move(line), by);
  }

  static Task<value> unknown(std::string_view name) {
    return ready(failure(Error(Fault::invalid, "there is no call " + std::string(name))));
  }
  static Task<value> ready(value answer) { co_return answer; }
  /// Of a batch of one.
  static Task<Result<void>> only(Task<Result<std::vector<Result<void>>>> batch) {
    const auto answers = co_await std::move(batch);
    if (!answers) co_return answers.error();
    co_return answers->front();
  }

  Task<value> of_queue(std::string_view name, value line, Deadline by) {
    if (name == "sqs.receive") {
      aws::Sqs::Receive what;
      what.queue_url = text(line, "url");
      what.wait = whole_seconds(line, "wait");
      what.visibility = whole_seconds(line, "visibility");
      return show(sqs_.receive_message(what, by));
    }
    const std::string url = text(line, "url");
    if (name == "sqs.facts") return show(sqs_.queue_attributes(url, by));
    if (name == "sqs.delete") return show(only(sqs_.delete_messages(url, {text(line, "receipt")}, by)));
    if (name != "sqs.visibility") return unknown(name);
    const termination::Hiding wish(text(line, "receipt"), whole_seconds(line, "visibility"));
    return show(only(sqs_.change_visibilities(url, {wish}, by)));
  }

  Task<value> of_target_groups(std::string_view name, value line, Deadline by) {
    const std::string arn = text(line, "arn");
    if (name == "elb2.groups") return show(elb2_.describe_target_groups(by));
    if (name == "elb2.health") return show(elb2_.describe_target_health(arn, targets(line), by));
    if (name == "elb2.delay") return show(elb2_.deregistration_delay(arn, by));
    if (name == "elb2.deregister") return show(elb2_.deregister_targets(arn, targets(line), by));
    if (name == "elb2.register") return show(elb2_.register_targets(arn, targets(line), by));
    return unknown(name);
  }

  Task<value> of_classic_balancers(std::string_view name, value line, Deadline by) {
    const std::string balancer = text(line, "name");
    if (name == "elb.balancers") return show(elb_.describe_load_balancers(by));
    if (name == "elb.health") return show(elb_.describe_instance_health(balancer, ids(line), by));
    if (name == "elb.draining") return show(elb_.connection_draining(balancer, by));
    if (name == "elb.deregister") return show(elb_.deregister_instances(balancer, ids(line), by));
    if (name == "elb.register") return show(elb_.register_instances(balancer, ids(line), by));
    return unknown(name);
  }

  Task<value> of_others(std::string_view name, value line, Deadline by) {
    if (name == "ec2.instances") return show(ec2_.describe_instances(ids(line), by));
    if (name == "ec2.plans") return show(ec2_.describe_instance_status(ids(line), by));
    if (name == "groups.tags") return show(groups_.describe_tags(texts(line, "groups"), by));
    if (name == "groups.hooks") return show(groups_.describe_lifecycle_hooks(text(line, "group"), by));
    if (name == "groups.members") return show(groups_.describe_auto_scaling_instances(ids(line), by));
    if (name == "groups.heartbeat") return show(groups_.record_lifecycle_action_heartbeat(action(line), by));
    if (name == "groups.complete") {
      return show(
          groups_.complete_lifecycle_action(action(line), termination::CompletionResult::proceed, by));
    }
    if (name == "sts.role") {
      aws::Role role;
      role.arn = text(line, "arn");
      return show(sts_.assume_role(role, keys_.keys(), by));
    }
    if (name != "sts.web") return unknown(name);
    aws::Sts::WebIdentity who;
    who.role_arn = text(line, "arn");
    who.session_name = "judge";
    who.token = Secret(text(line, "token"));
    return show(sts_.assume_role_with_web_identity(who, by));
  }

  const Environment& environment_;
  test::RealTime time_;
  net::CurlClient http_{time_.clock, environment_};
  Random random_{1};
  aws::Metrics metrics_;
  aws::CallContext context_{http_, time_.clock, random_, time_.log, metrics_};
  FixedKeys keys_{environment_};
  aws::ServiceClient sqs_client_ = client(aws::Service::sqs, &keys_);
  aws::ServiceClient ec2_client_ = client(aws::Service::ec2, &keys_);
  aws::ServiceClient groups_client_ = client(aws::Service::auto_scaling, &keys_);
  aws::ServiceClient sts_client_ = client(aws::Service::sts, nullptr);
  aws::ServiceClient elb2_client_ = client(aws::Service::elb2, &keys_);
  aws::ServiceClient elb_client_ = client(aws::Service::elb_classic, &keys_);
  aws::Sqs sqs_{sqs_client_};
  aws::Ec2 ec2_{ec2_client_};
  aws::AutoScaling groups_{groups_client_};
  aws::Sts sts_{sts_client_};
  aws::Elb2 elb2_{elb2_client_};
  aws::ElbClassic elb_{elb_client_};
};

Environment sdk_variables() {
  std::map<std::string, std::string, std::less<>> variables;
  for (const char* name : {"AWS_ENDPOINT_URL", "AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
                           "AWS_SESSION_TOKEN", "SSL_CERT_FILE"}) {
    const char* set = std::getenv(name);
    if (set != nullptr) variables[name] = set;
  }
  return Environment(std::move(variables));
}

}  // namespace
}  // namespace ferryman

int main() {
  const ferryman::Environment environment = ferryman::sdk_variables();
  ferryman::Driver driver(environment);
  std::string line;
  while (std::getline(std::cin, line)) std::cout << driver.answer(line) << std::endl;
}
