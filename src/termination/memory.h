// SPDX-License-Identifier: Apache-2.0
// Memory: a bounded set. What was added first is forgotten first.
#pragma once

#include <cstddef>
#include <deque>
#include <set>

namespace ferryman::termination {

template <class Key>
class Memory {
 public:
  explicit Memory(std::size_t most) : most_(most) {}

  /// False when it was there.
  bool add(const Key& key) {
    if (!keys_.insert(key).second) return false;
    order_.push_back(key);
    if (order_.size() > most_) {
      keys_.erase(order_.front());
      order_.pop_front();
    }
    return true;
  }
  void forget(const Key& key) { keys_.erase(key); }
  /// All from `first` up to, and without, the first for which `within` is false.
  template <class Within>
  void forget_from(const Key& first, const Within& within) {
    auto at = keys_.lower_bound(first);
    while (at != keys_.end() && within(*at)) at = keys_.erase(at);
  }
  [[nodiscard]] bool contains(const Key& key) const { return keys_.contains(key); }

 private:
  std::size_t most_;
  std::set<Key> keys_;
  std::deque<Key> order_;  // may name what was forgotten
};

}  // namespace ferryman::termination
