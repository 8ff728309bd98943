// SPDX-License-Identifier: Apache-2.0
// Plain metric values. A module declares its own in one struct that is passed in; `app` prints them for
// Prometheus.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ferryman {

class Counter {
 public:
  void add(std::uint64_t n = 1) { value_ += n; }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

class Gauge {
 public:
  void set(double value) { value_ = value; }
  [[nodiscard]] double value() const { return value_; }

 private:
  double value_ = 0;
};

class Histogram {
 public:
  /// Upper bounds in rising order; a last bucket without a bound is added.
  Histogram(std::initializer_list<double> bounds) : bounds_(bounds), counts_(bounds.size() + 1) {}

  void observe(double value) {
    const auto bucket = std::lower_bound(bounds_.begin(), bounds_.end(), value) - bounds_.begin();
    ++counts_[static_cast<std::size_t>(bucket)];
    sum_ += value;
  }
  [[nodiscard]] const std::vector<double>& bounds() const { return bounds_; }
  [[nodiscard]] const std::vector<std::uint64_t>& counts() const { return counts_; }
  [[nodiscard]] double sum() const { return sum_; }

 private:
  std::vector<double> bounds_;
  std::vector<std::uint64_t> counts_;
  double sum_ = 0;
};

/// Counts by two words that come from outside, such as an event's source and type. Bounded: what comes after
/// the first `most` pairs is counted as "other".
class Tally {
 public:
  void add(std::string_view first, std::string_view second) {
    constexpr std::size_t most = 20;
    constexpr std::size_t longest = 64;
    Words words(first.substr(0, longest), second.substr(0, longest));
    if (counts_.size() >= most && !counts_.contains(words)) words = {"other", "other"};
    ++counts_[words];
  }
  using Words = std::pair<std::string, std::string>;
  [[nodiscard]] const std::map<Words, std::uint64_t>& counts() const { return counts_; }

 private:
  std::map<Words, std::uint64_t> counts_;
};

/// One metric per value of an enum whose enumerators run from 0 to N − 1.
template <class Metric, class Label, std::size_t N>
class Family {
 public:
  Metric& operator[](Label label) { return metrics_.at(static_cast<std::size_t>(label)); }
  const Metric& operator[](Label label) const { return metrics_.at(static_cast<std::size_t>(label)); }
  static constexpr std::size_t size() { return N; }

 private:
  std::array<Metric, N> metrics_{};
};

}  // namespace ferryman
