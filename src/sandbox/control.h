// SPDX-License-Identifier: Apache-2.0
// ControlHandler: the sandbox's own HTTP API, for tests, demos and people with curl. JSON in and out:
//   GET    /sandbox/faults                 the rules, with how often each was seen and struck
//   POST   /sandbox/faults                 adds one:
//   {"service":"sqs","operation":"ReceiveMessage","kind":"error",
//                                          "status":500,"code":"InternalFailure","skip":2,"count":1}
//   DELETE /sandbox/faults[/NUMBER]        removes all, or one
//   GET    /sandbox/journal[?since=N]      what happened, from entry N on
//   GET    /sandbox/promises[?finished=false]   which of Ferryman's promises the journal breaks so far
//   GET    /sandbox/state                  instances, queues, nodes, numbers of calls
//   GET    /sandbox/aws-rights             the actions that AWS' callers may call; null: all
//   POST   /sandbox/aws-rights             {"actions":["sqs:*"]}, or an IAM policy: from now on these alone
//   DELETE /sandbox/aws-rights             everything again
//   POST   /sandbox/terminate              {"instance":"i-…","decrement":true}: as an operator does, through
//   its group
//   POST   /sandbox/spot-interruption      {"instance":"i-…","action":"terminate"}: notice now, gone after
//   120 s; likewise rebalance, capacity-interruption, health
//   ({"instances":[…],"code":…,"start":…,"status":…}) POST   /sandbox/tokens
//   {"user":"reader","rights":"nodes:get,list"}: a Kubernetes token
// Errors: 400, 404 or 405 with {"error": what is wrong and what is allowed}. It knows no credentials:
// loopback only.
#pragma once

#include <boost/json/value.hpp>
#include <string_view>

#include "net/http_handler.h"
#include "sandbox/world.h"

namespace ferryman::sandbox {

class ControlHandler final : public net::HttpHandler {
 public:
  explicit ControlHandler(World& world) : world_(world) {}

  Task<net::HttpReply> handle(net::HttpRequest request) override;

 private:
  net::HttpResponse answer(const net::HttpRequest& request);
  net::HttpResponse faults(const net::HttpRequest& request, std::string_view number);
  net::HttpResponse add_fault(std::string_view body);
  net::HttpResponse journal(std::string_view since);
  net::HttpResponse promises(std::string_view finished);
  net::HttpResponse state();
  net::HttpResponse aws_rights(const net::HttpRequest& request);
  net::HttpResponse terminate(std::string_view body);
  net::HttpResponse interrupt(std::string_view how, const net::HttpRequest& request);
  net::HttpResponse add_token(std::string_view body);

  World& world_;
};

/// The rule that a body describes. Error: invalid, naming the member, its value and what is allowed.
Result<FaultRule> read_fault_rule(std::string_view body);

/// The rule as the API shows it.
boost::json::value fault_rule_json(const FaultRule& rule);

}  // namespace ferryman::sandbox
