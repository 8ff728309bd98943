// SPDX-License-Identifier: Apache-2.0
// Groundwork: what the settings come to before anything runs: region, account, endpoints, API server. What
// cannot work is a problem with its cure; all are found at once.
#pragma once

#include <string>
#include <vector>

#include "app/platform.h"
#include "app/settings.h"
#include "aws/endpoint.h"
#include "aws/queue_address.h"
#include "base/scope.h"
#include "kube/client.h"

namespace ferryman::app {

class Groundwork {
 public:
  Groundwork() = default;

  std::vector<std::string> problems;  // when there are any, the rest must not be used
  std::string region;
  std::string account;  // of the queue; empty when neither its URL nor its ARN names it
  aws::QueueAddress queue;
  aws::Endpoint sqs;
  aws::Endpoint ec2;
  aws::Endpoint auto_scaling;
  aws::Endpoint elb2;
  aws::Endpoint elb_classic;
  aws::Endpoint sts;
  kube::Access access;
};

/// Reads the kubeconfig and the shared AWS files, and calls nobody. `scope` runs programs that the kubeconfig
/// names; it must be joined before what is returned dies.
Groundwork lay_groundwork(const Settings& settings, const Platform& platform, const Log& log, Scope& scope);

/// The API server that the settings name; the error's text is the problem with its cure. As above otherwise.
Result<kube::Access> find_cluster(const Settings& settings, const Platform& platform, const Log& log,
                                  Scope& scope);

/// Why these two times do not go together: a margin near the whole time would leave the budgets none. Empty:
/// they do.
std::string margin_problem(const termination::Policy& policy);

}  // namespace ferryman::app
