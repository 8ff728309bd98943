// SPDX-License-Identifier: Apache-2.0
// SqsWorld: one queue, given by its URL and by its name, before a scripted SQS.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "aws/message_queue.h"
#include "unit/aws/world.h"

namespace ferryman::aws::test {

class SqsWorld : public World {
 public:
  SqsWorld() : World(Service::sqs) {}

  Result<std::vector<termination::Message>> receive() {
    return sim.run(queue.receive(10, std::chrono::seconds{20}, std::chrono::seconds{30}, soon()));
  }

  std::vector<Result<void>> remove(std::vector<std::string> receipt_handles) {
    return sim.run(queue.remove(std::move(receipt_handles), soon()));
  }
  std::vector<Result<void>> hide(std::vector<termination::Hiding> wishes) {
    return sim.run(queue.set_visibility(std::move(wishes), soon()));
  }

  Sqs sqs{*client};
  SqsMessageQueue queue{sqs, sim.clock,
                        *parse_queue_address("https://sqs.us-west-2.amazonaws.com/123456789012/nodes")};
  SqsMessageQueue named{sqs, sim.clock, *parse_queue_address("nodes")};
};

}  // namespace ferryman::aws::test
