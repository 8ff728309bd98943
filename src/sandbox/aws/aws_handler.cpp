// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/aws_handler.h"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <utility>

#include "base/json.h"
#include "sandbox/aws/fresh_ids.h"
#include "sandbox/aws/sqs_form.h"
#include "sandbox/aws/xml_reply.h"

namespace ferryman::sandbox {

namespace {

/// The journal's operation name comes from the request: keep strangers' text short and plain.
std::string plain(std::string name) {
  std::erase_if(name, [](char c) {
    return !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z');
  });
  name.resize(std::min<std::size_t>(name.size(), 64));
  return name.empty() ? "Unknown" : name;
}

Error unknown_operation(const AwsCall& call) {
  return Error(Fault::invalid, "InvalidAction",
               "The action " + call.operation + " is not valid for this web service.");
}

}  // namespace

Task<net::HttpReply> AwsHandler::handle(net::HttpRequest request) {
  AwsCall call = read_aws_call(std::move(request));
  call.request_id = fresh_uuid(world_.random());
  net::HttpResponse response = co_await answer(call);
  const std::string service = call.service == nullptr ? "aws" : std::string(call.service->name);
  const std::string outcome = response.status < 300 ? "ok" : call.details["error"];
  call.details.erase("error");
  if (!call.caller_arn.empty()) call.details["caller"] = call.caller_arn;
  world_.journal().call(service, plain(call.operation), call.subject, outcome, call.details);
  co_return net::HttpReply(std::move(response));
}

Task<net::HttpResponse> AwsHandler::answer(AwsCall& call) {
  if (call.service == nullptr) co_return refuse(call, unknown_operation(call));
  if (auto known = keys_.check(call, world_.clock().wall()); !known) co_return refuse(call, known.error());
  if (auto right = keys_.check_right(call, resource_of(call)); !right) co_return refuse(call, right.error());
  if (world_.settings().throttling) {
    auto turn = throttle_.take(call, world_.clock().now(), world_.settings().neighbour);
    if (!turn) co_return refuse(call, turn.error());
  }
  if (plain(call.operation) != call.operation) co_return refuse(call, unknown_operation(call));
  if (call.service->name == "sqs") co_return co_await answer_sqs(call);
  co_return answer_query(call);
}

std::string AwsHandler::resource_of(const AwsCall& call) const {
  if (call.service->name != "sqs") return {};
  if (!call.speaks(AwsProtocol::json)) return sqs_.resource_of(sqs::read_form(call));
  const auto body = parse_json(call.request.body);
  return body ? sqs_.resource_of(*body) : std::string();
}

Task<net::HttpResponse> AwsHandler::answer_sqs(AwsCall& call) {
  const bool json_protocol = call.speaks(AwsProtocol::json);
  const std::string text = !json_protocol || call.request.body.empty() ? "{}" : call.request.body;
  auto body = parse_json(text);
  if (!body || !body->is_object())
    co_return refuse(call,
                     Error(Fault::invalid, "MalformedInput", "The request's body is not a JSON object."));
  if (!json_protocol) *body = sqs::read_form(call);
  auto answer = co_await sqs_.answer(call, *body);
  if (!answer) co_return refuse(call, answer.error());
  if (json_protocol) co_return aws_answer(call, 200, json::serialize(*answer));
  XmlReply reply(call);
  sqs::write_answer(reply.result(), call.operation, *answer);
  if (!sqs::has_result(call.operation)) reply.drop_result();
  co_return aws_answer(call, 200, reply.text());
}

net::HttpResponse AwsHandler::answer_query(AwsCall& call) {
  XmlReply reply(call);
  Result<void> done = unknown_operation(call);
  if (call.service->name == "ec2") done = ec2_.answer(call, reply.result());
  if (call.service->name == "autoscaling") done = autoscaling_.answer(call, reply.result());
  if (call.service->name == "sts") done = sts_.answer(call, reply.result());
  if (call.service->name == "elbv2") done = elb2_.answer(call, reply.result());
  if (call.service->name == "elb") done = elb_classic_.answer(call, reply.result());
  if (!done) return refuse(call, done.error());
  return aws_answer(call, 200, reply.text());
}

net::HttpResponse AwsHandler::refuse(AwsCall& call, const Error& error) {
  call.details["error"] = error.code;
  // EC2 alone answers 401 to strangers, and 503 to whoever asks too often.
  int status = error.code == "AuthFailure" ? 401 : 0;
  if (error.code == "RequestLimitExceeded") status = 503;
  return aws_refusal(call, error, status);
}

}  // namespace ferryman::sandbox
