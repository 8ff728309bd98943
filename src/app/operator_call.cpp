// SPDX-License-Identifier: Apache-2.0
#include "app/operator_call.h"

#include <fmt/format.h>

#include "aws/sigv4.h"
#include "net/url.h"

namespace ferryman::app {

Task<Result<void>> terminate_instance(net::HttpClient& http, SandboxAccess access, InstanceId id,
                                      WallTime now, Deadline deadline) {
  net::HttpRequest request("POST", access.aws_url + "/");
  request.headers.add("Content-Type", "application/x-www-form-urlencoded; charset=utf-8");
  net::QueryParameters parameters;
  parameters.emplace_back("Action", "TerminateInstanceInAutoScalingGroup");
  parameters.emplace_back("Version", "2011-01-01");
  parameters.emplace_back("InstanceId", id.str());
  parameters.emplace_back("ShouldDecrementDesiredCapacity", "true");
  request.body = net::format_query(parameters);
  auto profile = std::make_shared<net::ConnectionProfile>();
  profile->ca_pem = access.ca_pem;
  profile->direct = true;
  request.profile = std::move(profile);

  aws::Signer signer;
  signer.access_key_id = access.access_key_id;
  signer.secret_access_key = access.secret_access_key;
  signer.region = access.region;
  signer.service = "autoscaling";
  if (auto signed_request = aws::sign(request, signer, now); !signed_request) {
    co_return std::move(signed_request).error();
  }
  const auto answer = co_await http.send(std::move(request), deadline);
  if (!answer) co_return answer.error().within("ending " + id.str());
  if (answer->status == 200) co_return Result<void>();
  co_return Error(Fault::unexpected, fmt::format("ending {}: {} {}", id.str(), answer->status, answer->body));
}

}  // namespace ferryman::app
