// SPDX-License-Identifier: Apache-2.0
// SqsService: SQS over the world's queues. Requests and answers are the JSON protocol's documents; SqsForm
// makes them out of the query protocol's and back.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "sandbox/aws/aws_call.h"
#include "sandbox/aws/aws_world.h"
#include "sandbox/aws/sqs_message_calls.h"

namespace ferryman::sandbox {

class SqsService {
 public:
  explicit SqsService(AwsWorld& world) : world_(world), messages_(world.journal()) {}

  /// The answer's JSON body. Errors carry the query protocol's code.
  Task<Result<boost::json::value>> answer(AwsCall& call, const boost::json::value& body);

  /// The ARN of the queue that the request names, known or not; empty when it names none.
  [[nodiscard]] std::string resource_of(const boost::json::value& body) const;

 private:
  using Answer = Result<boost::json::value>;

  Answer create_queue(AwsCall& call, const boost::json::value& body);
  Answer get_queue_url(AwsCall& call, const boost::json::value& body);
  Answer list_queues(AwsCall& call, const boost::json::value& body);

  Answer of_queue(AwsCall& call, const boost::json::value& body);
  Answer delete_queue(AwsCall& call, Queue& queue, const boost::json::value& body);
  Answer get_attributes(AwsCall& call, Queue& queue, const boost::json::value& body);
  Answer set_attributes(AwsCall& call, Queue& queue, const boost::json::value& body);
  Answer purge(AwsCall& call, Queue& queue, const boost::json::value& body);
  Answer list_sources(AwsCall& call, Queue& queue, const boost::json::value& body);
  Answer tag(AwsCall& call, Queue& queue, const boost::json::value& body);
  Answer untag(AwsCall& call, Queue& queue, const boost::json::value& body);
  Answer list_tags(AwsCall& call, Queue& queue, const boost::json::value& body);

  Result<Queue*> queue_of(AwsCall& call, const boost::json::value& body);
  Result<void> check_grave(const QueueSettings& settings);
  Result<boost::json::object> page(const AwsCall& call, const std::vector<std::string>& names,
                                   const boost::json::value& body, std::string_view list_name);
  [[nodiscard]] std::string url_of(const AwsCall& call, const std::string& queue) const;

  AwsWorld& world_;
  SqsMessageCalls messages_;
};

}  // namespace ferryman::sandbox
