// SPDX-License-Identifier: Apache-2.0
// traffic_report: to whom each load balancer sends new requests now, for those who play the traffic.
#pragma once

#include "base/json.h"
#include "sandbox/aws/aws_world.h"

namespace ferryman::sandbox {

/// [{"name", "group": its ARN (classic: the name), "type", "targets": [{"id", "port"}]}]. A balancer without
/// targets answers 503.
json::array traffic_report(AwsWorld& aws);

}  // namespace ferryman::sandbox
