// SPDX-License-Identifier: Apache-2.0
// Stage: a sandbox and the daemon beside it, as real processes of the built binary, and what a test wants to
// know of either: the sandbox by its control API, the daemon by its probes.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "e2e/process.h"
#include "net/http.h"

namespace ferryman::e2e {

/// One call over a connection of its own. Status 0: nobody answered, the body says why.
net::HttpResponse http_call(const std::string& method, const std::string& url, const std::string& body = "");

class Sandbox {
 public:
  /// Ready to be called when the constructor returns. `name` is for its files in the folder.
  Sandbox(const Folder& folder, std::vector<std::string> flags, const std::string& name = "sandbox");

  /// What points a client at it.
  [[nodiscard]] const Variables& variables() const { return variables_; }
  [[nodiscard]] const std::string& variable(const std::string& name) const { return variables_.at(name); }

  /// A list in an answer of the control API: list("state", "nodes").
  json::array list(const std::string& path, const std::string& key);
  json::array journal() { return list("journal", "entries"); }

  /// The n-th node's instance id.
  std::string instance(std::size_t n = 0);
  /// Through its group, as an operator does.
  void terminate(const std::string& instance);
  /// Gives the rule's number.
  std::int64_t add_fault(const std::string& rule);
  void remove_fault(std::int64_t number);

  /// Entries with this operation, and outcome "ok" unless it is a fact of the world.
  std::size_t count(const std::string& operation);
  std::int64_t messages_left();
  /// What the record breaks, one a line; empty when every promise was kept and everything is over.
  std::string broken_promises();

  Process process;

 private:
  std::string control(const std::string& path) const;

  Variables variables_;
};

class Daemon {
 public:
  /// `ferryman serve` on a free port of loopback. Returns when it listens, ready or not.
  Daemon(const Folder& folder, const Variables& variables, const std::vector<std::string>& flags = {});

  net::HttpResponse probe(const std::string& path) const { return http_call("GET", url_ + path); }
  bool ready() const { return probe("/readyz").status == 200; }
  bool becomes_ready(Duration within = std::chrono::seconds{10}) const {
    return eventually(within, [this] { return ready(); });
  }
  /// The value of a series as /metrics prints it ("ferryman_ready"); -1 when there is none.
  double metric(const std::string& series) const;

  Process process;

 private:
  std::string url_;
};

/// Time from one entry of a journal to a later one.
Duration between(const json::value& earlier, const json::value& later);
/// The entries with this operation.
std::vector<json::value> entries_of(const json::array& journal, const std::string& operation);

}  // namespace ferryman::e2e
