// SPDX-License-Identifier: Apache-2.0
// Faults on order: rules that make chosen calls fail, for any client, and the handler that applies them in
// front of a service. Fact: fault.struck, with the rule's number and kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "net/http_handler.h"
#include "sandbox/call_form.h"
#include "sandbox/journal.h"

namespace ferryman::sandbox {

enum class FaultKind : std::uint8_t {
  error,     // the refusal `code` with `status`
  throttle,  // the service's own "asked too often"
  hang,      // no answer, ever
  delay,     // the right answer, `delay` later
  cut_off,   // the call takes effect, half of the answer arrives
  reset,     // the connection is dropped without an answer
};

std::string_view name_of(FaultKind kind);
std::optional<FaultKind> fault_kind(std::string_view name);

class FaultRule {
 public:
  FaultRule() = default;

  std::string service = "*";    // as in the journal: "sqs", "elbv2", "kubernetes"; "*": all
  std::string operation = "*";  // "ReceiveMessage", "nodes.patch"; "*": all
  FaultKind kind = FaultKind::error;
  int status = 0;    // for error; 0: the service's own for the code
  std::string code;  // for error; empty: the service's internal failure
  Duration delay = std::chrono::seconds{1};
  std::uint64_t skip = 0;              // so many matching calls pass first
  std::optional<std::uint64_t> count;  // strikes so many times; empty: always
  bool takes_effect = false;  // error, hang, reset: the service does the work, the client is not told

  // Kept by Faults.
  std::uint64_t number = 0;
  std::uint64_t seen = 0;
  std::uint64_t struck = 0;
};

class Faults {
 public:
  /// The rule's number, from 1.
  std::uint64_t add(FaultRule rule);
  /// False when no rule has that number.
  bool remove(std::uint64_t number);
  void clear() { rules_.clear(); }
  [[nodiscard]] const std::vector<FaultRule>& rules() const { return rules_; }

  /// The first rule that strikes this call; each matching rule counts the call as seen.
  std::optional<FaultRule> strike(const CallName& call);

 private:
  std::vector<FaultRule> rules_;
  std::uint64_t last_ = 0;
};

class FaultyHandler final : public net::HttpHandler {
 public:
  /// All must outlive the handler.
  FaultyHandler(net::HttpHandler& inner, const CallForm& form, Faults& faults, Clock& clock, Journal& journal)
      : inner_(inner), form_(form), faults_(faults), clock_(clock), journal_(journal) {}

  Task<net::HttpReply> handle(net::HttpRequest request) override;

 private:
  Task<net::HttpReply> strike(FaultRule rule, net::HttpRequest request);

  net::HttpHandler& inner_;
  const CallForm& form_;
  Faults& faults_;
  Clock& clock_;
  Journal& journal_;
};

}  // namespace ferryman::sandbox
