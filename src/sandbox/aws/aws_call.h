// SPDX-License-Identifier: Apache-2.0
// AwsCall: one request as the sandbox's services see it, and how each wire protocol answers and refuses.
// JSON 1.0: SQS. Query: Auto Scaling, STS, ELB, and SQS for older clients. EC2's query has its own error
// form.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/error.h"
#include "net/http.h"
#include "net/url.h"

namespace ferryman::sandbox {

enum class AwsProtocol : std::uint8_t { json, query, ec2 };

/// What tells a service's requests from others', and what its answers are called.
class AwsServiceName {
 public:
  std::string_view name;           // in the journal and in faults on order: as the AWS CLI calls it
  std::string_view signing_name;   // in signatures; the two versions of ELB share one
  std::string_view version;        // the Version parameter of query requests
  std::string_view target_prefix;  // of X-Amz-Target; empty for query services
  AwsProtocol protocol;            // the one that current clients speak
  std::string_view xml_namespace;
};

/// The first with that signing name; null when there is none.
const AwsServiceName* find_aws_service(std::string_view signing_name);

class AwsCall {
 public:
  AwsCall() = default;

  /// The value of a query parameter, or empty.
  [[nodiscard]] std::string parameter(std::string_view name) const;
  [[nodiscard]] bool speaks(AwsProtocol wanted) const { return protocol == wanted; }
  [[nodiscard]] bool has(std::string_view name) const;
  /// The values of "prefix.1", "prefix.2", … up to the first gap.
  [[nodiscard]] std::vector<std::string> list(std::string_view prefix) const;

  const AwsServiceName* service = nullptr;  // null: the request names no service that we know
  AwsProtocol protocol = AwsProtocol::query;
  std::string operation;
  net::HttpRequest request;
  std::map<std::string, std::string, std::less<>> parameters;  // of query requests
  std::string request_id;
  std::string caller_arn;  // who signed; empty for unsigned calls

  // For the journal; the service fills them in.
  std::string subject;
  std::map<std::string, std::string> details;
};

/// Which service and operation a request is for: X-Amz-Target, else Action and Version, else the signature's
/// scope.
AwsCall read_aws_call(net::HttpRequest request);

/// The refusal in the form of the call's service. `error.code` is the query-protocol code, such as
/// "AWS.SimpleQueueService.NonExistentQueue"; the fault decides on the status unless `status` is not 0.
net::HttpResponse aws_refusal(const AwsCall& call, const Error& error, int status = 0);

/// An answer with this body and the call's request id and content type.
net::HttpResponse aws_answer(const AwsCall& call, int status, std::string body);

}  // namespace ferryman::sandbox
