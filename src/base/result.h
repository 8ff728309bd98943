// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value or an Error. Raced operations must return errors as values, so calls return this
// and never throw; exceptions are for cancellation and bugs.
#pragma once

#include <cassert>
#include <optional>
#include <utility>
#include <variant>

#include "base/error.h"

namespace ferryman {

template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return assert(ok()), *std::get_if<0>(&state_); }
  const T& value() const& { return assert(ok()), *std::get_if<0>(&state_); }
  T&& value() && { return assert(ok()), std::move(*std::get_if<0>(&state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& { return assert(!ok()), *std::get_if<1>(&state_); }
  Error&& error() && { return assert(!ok()), std::move(*std::get_if<1>(&state_)); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }

  // The assertion is the check. NOLINTBEGIN(bugprone-unchecked-optional-access)
  const Error& error() const& { return assert(!ok()), *error_; }
  Error&& error() && { return assert(!ok()), std::move(*error_); }
  // NOLINTEND(bugprone-unchecked-optional-access)

 private:
  std::optional<Error> error_;
};

}  // namespace ferryman

/// Inside a coroutine that returns Result<…>: `FERRYMAN_TRY(node, co_await read(name));` gives `node` or
/// returns the error.
#define FERRYMAN_TRY(name, expression)                            \
  auto name##_result = (expression);                              \
  if (!name##_result) co_return std::move(name##_result).error(); \
  auto& name = *name##_result
