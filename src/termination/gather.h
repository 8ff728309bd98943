// SPDX-License-Identifier: Apache-2.0
// Gather: keys that many ask for within a short while share one call. Owns nothing but the open batches; the
// calls run in a Scope whose owner cancels and joins it.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/scope.h"
#include "termination/context.h"

namespace ferryman::termination {

template <class Key, class Value>
class Gather {
 public:
  using Answer = std::map<Key, Value>;
  /// One call for all these keys, each there once; at most `most` of them.
  using Ask = std::function<Task<Result<Answer>>(std::vector<Key>)>;

  Gather(Context& context, Scope& calls, std::string name, std::size_t most, Ask ask)
      : context_(context), calls_(calls), name_(std::move(name)), most_(most), ask_(std::move(ask)) {}

  /// Empty: the answer does not know the key. Errors: the call's own; deadline, when it hangs.
  Task<Result<std::optional<Value>>> get(Key key) {
    const std::shared_ptr<Batch> batch = batch_for(key);
    const Deadline deadline = Deadline::after(context_.clock, gathering + 2 * context_.policy.call_timeout);
    while (!batch->over) {
      if (deadline.passed(context_.clock)) co_return Error(Fault::deadline, name_ + ": no answer");
      co_await batch->answered.wait_until(deadline.at());
    }
    if (!batch->answer) co_return batch->answer.error();
    const auto found = batch->answer->find(key);
    if (found == batch->answer->end()) co_return std::optional<Value>();
    co_return std::optional<Value>(found->second);
  }

 private:
  static constexpr Duration gathering = std::chrono::milliseconds{300};

  struct Batch {
    explicit Batch(Clock& clock) : answered(clock) {}

    std::vector<Key> keys;
    bool over = false;
    Result<Answer> answer = Answer();
    Signal answered;
  };

  std::shared_ptr<Batch> batch_for(const Key& key) {
    if (open_ == nullptr) {
      open_ = std::make_shared<Batch>(context_.clock);
      calls_.spawn(name_, run(open_));
    }
    const std::shared_ptr<Batch> batch = open_;
    if (std::find(batch->keys.begin(), batch->keys.end(), key) == batch->keys.end())
      batch->keys.push_back(key);
    if (batch->keys.size() == most_) open_.reset();
    return batch;
  }

  Task<void> run(std::shared_ptr<Batch> batch) {
    co_await context_.clock.sleep_for(gathering);
    if (open_ == batch) open_.reset();
    batch->answer = co_await ask_(batch->keys);
    batch->over = true;
    batch->answered.notify_all();
  }

  Context& context_;
  Scope& calls_;
  std::string name_;
  std::size_t most_;
  Ask ask_;
  std::shared_ptr<Batch> open_;  // still gathering
};

}  // namespace ferryman::termination
