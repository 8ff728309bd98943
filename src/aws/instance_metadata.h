// SPDX-License-Identifier: Apache-2.0
// InstanceMetadata: the service at 169.254.169.254 that tells an EC2 instance about itself (IMDS). Version 2;
// version 1 only where the service does not know the other, as in the SDKs. Never through a proxy.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "aws/service_client.h"
#include "base/environment.h"

namespace ferryman::aws {

class InstanceMetadata {
 public:
  /// Reads AWS_EC2_METADATA_DISABLED, AWS_EC2_METADATA_V1_DISABLED, AWS_EC2_METADATA_SERVICE_ENDPOINT and
  /// AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE (IPv4, IPv6).
  InstanceMetadata(const CallContext& context, const Environment& environment);

  /// The text below "/latest/meta-data/". A second per try, three tries. Errors: not_found (code "Disabled";
  /// "Unreachable": it never answered yet, so this is hardly an instance; or there is no such text), denied,
  /// transport, deadline, invalid (a variable's value), unexpected.
  Task<Result<std::string>> get(std::string path, Deadline deadline);

  [[nodiscard]] const std::string& endpoint() const { return endpoint_; }

 private:
  Task<Result<std::string>> attempt(const std::string& path, Deadline deadline);
  Task<Result<void>> renew_token(Deadline deadline);
  Task<Result<net::HttpResponse>> send(net::HttpRequest request, Deadline deadline);
  [[nodiscard]] Error unreachable(const Error& error) const;

  CallContext context_;
  std::string endpoint_;  // without a slash at the end
  std::optional<Error> unusable_;
  bool version_1_allowed_ = true;
  std::shared_ptr<const net::ConnectionProfile> direct_;
  net::RetryBudget budget_;
  Secret token_;  // empty with a time: version 1
  SteadyTime token_until_{};
  bool answered_ = false;
};

/// The region in which the instance runs.
Task<Result<std::string>> region_of_instance(InstanceMetadata& metadata, Deadline deadline);

}  // namespace ferryman::aws
