// SPDX-License-Identifier: Apache-2.0
#include "sandbox/aws/aws_call.h"

#include <algorithm>
#include <array>
#include <boost/json/serialize.hpp>
#include <utility>

#include "aws/sigv4.h"
#include "base/json.h"
#include "sandbox/aws/xml_reply.h"

namespace ferryman::sandbox {

namespace {

constexpr std::array<AwsServiceName, 6> services{{
    {"sqs", "sqs", "2012-11-05", "AmazonSQS.", AwsProtocol::json,
     "http://queue.amazonaws.com/doc/2012-11-05/"},
    {"ec2", "ec2", "2016-11-15", "", AwsProtocol::ec2, "http://ec2.amazonaws.com/doc/2016-11-15/"},
    {"autoscaling", "autoscaling", "2011-01-01", "", AwsProtocol::query,
     "http://autoscaling.amazonaws.com/doc/2011-01-01/"},
    {"sts", "sts", "2011-06-15", "", AwsProtocol::query, "https://sts.amazonaws.com/doc/2011-06-15/"},
    {"elbv2", "elasticloadbalancing", "2015-12-01", "", AwsProtocol::query,
     "http://elasticloadbalancing.amazonaws.com/doc/2015-12-01/"},
    {"elb", "elasticloadbalancing", "2012-06-01", "", AwsProtocol::query,
     "http://elasticloadbalancing.amazonaws.com/doc/2012-06-01/"},
}};

int status_of(Fault fault) {
  switch (fault) {
    case Fault::denied:
      return 403;
    case Fault::unexpected:
      return 500;
    default:
      return 400;
  }
}

/// The JSON protocol has its own names for errors; the query protocol's go into x-amzn-query-error.
std::string json_type_of(std::string_view code) {
  using Pair = std::pair<std::string_view, std::string_view>;
  static constexpr std::array<Pair, 7> other_names{{
      {"AWS.SimpleQueueService.NonExistentQueue", "com.amazonaws.sqs#QueueDoesNotExist"},
      {"QueueAlreadyExists", "com.amazonaws.sqs#QueueNameExists"},
      {"InvalidAction", "com.amazon.coral.service#UnknownOperationException"},
      {"SignatureDoesNotMatch", "com.amazon.coral.service#InvalidSignatureException"},
      {"InvalidClientTokenId", "com.amazon.coral.service#UnrecognizedClientException"},
      {"MissingParameter", "com.amazon.coral.service#MissingRequiredParameterException"},
      {"MalformedInput", "com.amazon.coral.service#SerializationException"},
  }};
  for (const auto& [query, type] : other_names) {
    if (query == code) return std::string(type);
  }
  constexpr std::string_view prefix = "AWS.SimpleQueueService.";
  if (code.starts_with(prefix)) return "com.amazonaws.sqs#" + std::string(code.substr(prefix.size()));
  static constexpr std::array<std::string_view, 5> of_the_service{
      "ReceiptHandleIsInvalid", "InvalidMessageContents", "InvalidAttributeName", "InvalidAttributeValue",
      "OverLimit"};
  const bool own = std::find(of_the_service.begin(), of_the_service.end(), code) != of_the_service.end();
  return own ? "com.amazonaws.sqs#" + std::string(code)
             : "com.amazon.coral.service#" + std::string(code) + "Exception";
}

void read_operation(AwsCall& call) {
  const std::string_view target = call.request.headers.get("X-Amz-Target");
  for (const AwsServiceName& service : services) {
    if (service.target_prefix.empty() || !target.starts_with(service.target_prefix)) continue;
    call.service = &service;
    call.operation = target.substr(service.target_prefix.size());
    call.protocol = service.protocol;
    return;
  }
  call.operation = call.parameter("Action");
  for (const AwsServiceName& service : services) {
    if (service.version == call.parameter("Version")) call.service = &service;
  }
  if (call.service == nullptr) {
    const auto authorization = aws::parse_authorization(call.request.headers.get("Authorization"));
    if (authorization) call.service = find_aws_service(authorization->scope.service);
  }
  if (call.service == nullptr) return;
  call.protocol = call.service->protocol;
  if (call.protocol == AwsProtocol::json && !call.operation.empty()) call.protocol = AwsProtocol::query;
}

}  // namespace

const AwsServiceName* find_aws_service(std::string_view signing_name) {
  for (const AwsServiceName& service : services) {
    if (service.signing_name == signing_name) return &service;
  }
  return nullptr;
}

std::string AwsCall::parameter(std::string_view name) const {
  const auto found = parameters.find(name);
  return found == parameters.end() ? std::string() : found->second;
}

bool AwsCall::has(std::string_view name) const {
  return parameters.find(name) != parameters.end();
}

std::vector<std::string> AwsCall::list(std::string_view prefix) const {
  std::vector<std::string> values;
  for (;;) {
    const auto found = parameters.find(std::string(prefix) + "." + std::to_string(values.size() + 1));
    if (found == parameters.end()) return values;
    values.push_back(found->second);
  }
}

AwsCall read_aws_call(net::HttpRequest request) {
  AwsCall call;
  call.request = std::move(request);
  const auto url = net::parse_url(call.request.url);
  if (url) {
    for (auto& [name, value] : net::parse_query(url->query)) call.parameters.insert_or_assign(name, value);
  }
  if (call.request.headers.get("Content-Type").starts_with("application/x-www-form-urlencoded")) {
    for (auto& [name, value] : net::parse_query(call.request.body))
      call.parameters.insert_or_assign(name, value);
  }
  read_operation(call);
  return call;
}

net::HttpResponse aws_answer(const AwsCall& call, int status, std::string body) {
  const bool json = call.speaks(AwsProtocol::json);
  net::HttpResponse response(status, std::move(body));
  response.headers.add("Content-Type", json ? "application/x-amz-json-1.0" : "text/xml;charset=UTF-8");
  response.headers.add("x-amzn-RequestId", call.request_id);
  return response;
}

net::HttpResponse aws_refusal(const AwsCall& call, const Error& error, int status) {
  if (status == 0) status = status_of(error.fault);
  const bool sender = status < 500;
  if (call.speaks(AwsProtocol::json)) {
    const std::string type = json_type_of(error.code);
    const json::value body{{"__type", type}, {"message", error.text}};
    net::HttpResponse response = aws_answer(call, status, json::serialize(body));
    response.headers.add("x-amzn-query-error", error.code + (sender ? ";Sender" : ";Receiver"));
    return response;
  }
  return aws_answer(call, status, xml_refusal(call, error, sender));
}

}  // namespace ferryman::sandbox
