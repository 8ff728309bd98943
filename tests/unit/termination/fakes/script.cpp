// SPDX-License-Identifier: Apache-2.0
#include "unit/termination/fakes/script.h"

#include <stdexcept>

namespace ferryman::test {

void Script::order(const std::string& operation, Kind kind, int nth, Error error) {
  const int from_the_start = nth == every ? every : counts_[operation] + nth;
  troubles_[operation].push_back({kind, from_the_start, std::move(error)});
}

void Script::fail(const std::string& operation, Error error, int nth) {
  order(operation, Kind::fail, nth, std::move(error));
}

void Script::lose_answer(const std::string& operation, int nth) {
  order(operation, Kind::lose_answer, nth, Error(Fault::transport, "connection reset"));
}

void Script::pretend(const std::string& operation, int nth) {
  order(operation, Kind::pretend, nth, Error());
}

void Script::hang(const std::string& operation, int nth) {
  order(operation, Kind::hang, nth, Error(Fault::deadline, "no answer"));
}

void Script::break_at(const std::string& operation, int nth) {
  order(operation, Kind::break_at, nth, Error());
}

void Script::heal(const std::string& operation) {
  troubles_.erase(operation);
}

void Script::set_latency(const std::string& operation, Duration latency) {
  latencies_[operation] = latency;
}

std::optional<Script::Trouble> Script::trouble_for(const std::string& operation, int nth) const {
  const auto found = troubles_.find(operation);
  if (found == troubles_.end()) return std::nullopt;
  for (const Trouble& trouble : found->second) {
    if (trouble.nth == every || trouble.nth == nth) return trouble;
  }
  return std::nullopt;
}

Task<Fate> Script::enter(std::string operation, std::string what, Deadline deadline) {
  PortCall call;
  call.operation = operation;
  call.what = std::move(what);
  call.at = clock_.now();
  calls_.push_back(std::move(call));
  const auto trouble = trouble_for(operation, ++counts_[operation]);

  constexpr Duration usual = std::chrono::milliseconds{5};
  const auto latency = latencies_.find(operation);
  const SteadyTime answered = clock_.now() + (latency == latencies_.end() ? usual : latency->second);
  const bool hangs = (trouble && trouble->kind == Kind::hang) || answered > deadline.at();
  const SteadyTime end = hangs ? deadline.at() : answered;
  co_await clock_.sleep_until(end);
  Fate fate;
  if (hangs) {
    fate.takes_effect = false;
    fate.error = Error(Fault::deadline, "no answer");
  } else if (trouble) {
    if (trouble->kind == Kind::break_at) throw std::runtime_error("broken port");
    fate.takes_effect = trouble->kind == Kind::lose_answer;
    if (trouble->kind != Kind::pretend) fate.error = trouble->error;
  }
  co_return fate;
}

std::vector<PortCall> Script::calls_of(std::string_view operation) const {
  std::vector<PortCall> found;
  for (const PortCall& call : calls_) {
    if (call.operation == operation) found.push_back(call);
  }
  return found;
}

std::size_t Script::count(std::string_view operation) const {
  return calls_of(operation).size();
}

std::size_t Script::first(std::string_view operation, std::string_view what) const {
  std::size_t place = 0;
  for (const PortCall& call : calls_) {
    if (call.operation == operation && (what.empty() || call.what == what)) return place;
    ++place;
  }
  return place;
}

}  // namespace ferryman::test
