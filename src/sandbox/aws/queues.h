// SPDX-License-Identifier: Apache-2.0
// Queues: the SQS queues of the account and region, by name. A removed one stays in memory for the receives
// and timers that still know it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sandbox/aws/aws_settings.h"
#include "sandbox/aws/queue.h"

namespace ferryman::sandbox {

class Queues {
 public:
  Queues(Timeline& timeline, Random& random, Journal& journal, const AwsSettings& settings)
      : timeline_(timeline), random_(random), journal_(journal), settings_(settings) {}

  /// The queue of that name, made when it does not exist.
  Queue& create(const std::string& name);
  Queue* find(std::string_view name);
  /// Its messages are gone; who still waits for one gets none.
  void remove(const std::string& name);
  /// When a queue of that name was removed last.
  [[nodiscard]] std::optional<SteadyTime> removed(const std::string& name) const;
  [[nodiscard]] std::string arn_of(const std::string& name) const;
  [[nodiscard]] const std::map<std::string, std::unique_ptr<Queue>, std::less<>>& all() const {
    return queues_;
  }

 private:
  Timeline& timeline_;
  Random& random_;
  Journal& journal_;
  const AwsSettings& settings_;
  std::map<std::string, std::unique_ptr<Queue>, std::less<>> queues_;
  std::vector<std::pair<SteadyTime, std::unique_ptr<Queue>>> graveyard_;
};

}  // namespace ferryman::sandbox
