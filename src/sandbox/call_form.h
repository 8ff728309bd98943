// SPDX-License-Identifier: Apache-2.0
// CallForm: what the sandbox knows of a call before its service has seen it, and how that service refuses.
// Faults on order are worded with it, so that a client meets each service's own error form.
#pragma once

#include <string>

#include "net/http.h"

namespace ferryman::sandbox {

/// As in the journal: "sqs" and "ReceiveMessage"; "kubernetes" and "nodes.patch".
class CallName {
 public:
  CallName() = default;
  CallName(std::string service_in, std::string operation_in)
      : service(std::move(service_in)), operation(std::move(operation_in)) {}

  std::string service;
  std::string operation;
};

/// A refusal on order. With `throttled`, code and status are the service's own for "asked too often".
class Refusal {
 public:
  Refusal() = default;

  bool throttled = false;
  int status = 0;    // 0: the service's usual one
  std::string code;  // empty: the service's own for an internal failure
  std::string text = "a fault that was ordered";
};

class CallForm {
 public:
  virtual ~CallForm() = default;

  [[nodiscard]] virtual CallName name(const net::HttpRequest& request) const = 0;
  [[nodiscard]] virtual net::HttpResponse refusal(const net::HttpRequest& request,
                                                  const Refusal& refusal) const = 0;
};

}  // namespace ferryman::sandbox
