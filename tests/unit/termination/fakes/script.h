// SPDX-License-Identifier: Apache-2.0
// Script: what the fakes share: one record of all calls in their order, and the troubles ordered for some of
// them. A call takes 5 ms unless told otherwise.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/error.h"

namespace ferryman::test {

class PortCall {
 public:
  PortCall() = default;

  std::string operation;  // "queue.remove"
  std::string what;       // the object, such as the node's name
  SteadyTime at;
};

/// What a fake does with one call: whether it takes effect, and what it answers instead of success.
class Fate {
 public:
  Fate() = default;

  bool takes_effect = true;
  std::optional<Error> error;
};

class Script {
 public:
  static constexpr int every = 0;

  explicit Script(Clock& clock) : clock_(clock) {}

  /// The nth call (from 1, counted from now on) of the operation fails without an effect.
  void fail(const std::string& operation, Error error, int nth = every);
  /// It takes effect, but its answer never arrives.
  void lose_answer(const std::string& operation, int nth = every);
  /// It says that it succeeded, but has no effect.
  void pretend(const std::string& operation, int nth = every);
  /// It has no effect and ends at its deadline.
  void hang(const std::string& operation, int nth = every);
  /// The fake itself breaks: an exception that no port may throw.
  void break_at(const std::string& operation, int nth = every);
  /// Forgets all troubles of the operation.
  void heal(const std::string& operation);
  void set_latency(const std::string& operation, Duration latency);

  /// Records the call, waits as long as it takes and says what becomes of it.
  Task<Fate> enter(std::string operation, std::string what, Deadline deadline);

  [[nodiscard]] const std::vector<PortCall>& calls() const { return calls_; }
  [[nodiscard]] std::size_t count(std::string_view operation) const;
  [[nodiscard]] std::vector<PortCall> calls_of(std::string_view operation) const;
  /// Place of the first such call in the record; the size of the record when there is none.
  [[nodiscard]] std::size_t first(std::string_view operation, std::string_view what = {}) const;

 private:
  enum class Kind : std::uint8_t { fail, lose_answer, pretend, hang, break_at };
  struct Trouble {
    Kind kind;
    int nth;  // of all calls of the operation; every: all
    Error error;
  };

  void order(const std::string& operation, Kind kind, int nth, Error error);
  [[nodiscard]] std::optional<Trouble> trouble_for(const std::string& operation, int nth) const;

  Clock& clock_;
  std::vector<PortCall> calls_;
  std::map<std::string, int> counts_;
  std::map<std::string, std::vector<Trouble>> troubles_;
  std::map<std::string, Duration> latencies_;
};

}  // namespace ferryman::test
