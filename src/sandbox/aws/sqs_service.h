// SPDX-License-Identifier: Apache-2.0
// SqsService: SQS's JSON 1.0 protocol over the world's queues. Batch forms come with the next operations.
#pragma once

#include <boost/json/value.hpp>

#include "base/result.h"
#include "base/task.h"
#include "sandbox/aws/aws_call.h"
#include "sandbox/aws/aws_world.h"

namespace ferryman::sandbox {

class SqsService {
 public:
  explicit SqsService(AwsWorld& world) : world_(world) {}

  /// The answer's JSON body. Errors carry the query protocol's code.
  Task<Result<boost::json::value>> answer(AwsCall& call);

 private:
  using Answer = Result<boost::json::value>;

  Answer create_queue(AwsCall& call, const boost::json::value& body);
  Answer get_queue_url(AwsCall& call, const boost::json::value& body);
  Answer list_queues(AwsCall& call, const boost::json::value& body);
  Answer send_message(AwsCall& call, const boost::json::value& body);
  Task<Answer> receive_message(AwsCall& call, const boost::json::value& body);
  Answer delete_message(AwsCall& call, const boost::json::value& body);
  Answer change_message_visibility(AwsCall& call, const boost::json::value& body);
  Answer get_queue_attributes(AwsCall& call, const boost::json::value& body);
  Answer set_queue_attributes(AwsCall& call, const boost::json::value& body);
  Answer purge_queue(AwsCall& call, const boost::json::value& body);

  Result<Queue*> queue_of(AwsCall& call, const boost::json::value& body);
  [[nodiscard]] std::string url_of(const AwsCall& call, const Queue& queue) const;

  AwsWorld& world_;
};

}  // namespace ferryman::sandbox
