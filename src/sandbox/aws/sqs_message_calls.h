// SPDX-License-Identifier: Apache-2.0
// SqsMessageCalls: what SQS's clients do with messages, one by one and in batches. Errors carry the query
// protocol's code. Facts: message.deleted and message.hidden, for each one that a batch deletes or hides.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string_view>

#include "base/result.h"
#include "base/task.h"
#include "sandbox/aws/aws_call.h"
#include "sandbox/aws/queue.h"

namespace ferryman::sandbox {

class SqsMessageCalls {
 public:
  using Answer = Result<boost::json::value>;

  explicit SqsMessageCalls(Journal& journal) : journal_(journal) {}

  Answer send(AwsCall& call, Queue& queue, const boost::json::value& body);
  Answer send_batch(AwsCall& call, Queue& queue, const boost::json::value& body);
  Task<Answer> receive(AwsCall& call, Queue& queue, const boost::json::value& body);
  Answer remove(AwsCall& call, Queue& queue, const boost::json::value& body);
  Answer remove_batch(AwsCall& call, Queue& queue, const boost::json::value& body);
  Answer change_visibility(AwsCall& call, Queue& queue, const boost::json::value& body);
  Answer change_visibility_batch(AwsCall& call, Queue& queue, const boost::json::value& body);

 private:
  Journal& journal_;
};

}  // namespace ferryman::sandbox
