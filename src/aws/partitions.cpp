// SPDX-License-Identifier: Apache-2.0
// Written by tools/make_partitions from the data of botocore 1.44.8: do not edit.
#include "aws/partitions.h"

#include <array>

namespace ferryman::aws {

namespace {

// The longest prefix first; the last one fits every region.
constexpr std::array<Partition, 8> table = {{
    {"aws-iso-b", "us-isob-", "sc2s.sgov.gov", "api.aws.scloud", false},
    {"aws-iso-e", "eu-isoe-", "cloud.adc-e.uk", "api.cloud-aws.adc-e.uk", false},
    {"aws-iso-f", "us-isof-", "csp.hci.ic.gov", "api.aws.hci.ic.gov", false},
    {"aws-iso", "us-iso-", "c2s.ic.gov", "api.aws.ic.gov", false},
    {"aws-us-gov", "us-gov-", "amazonaws.com", "api.aws", true},
    {"aws-eusc", "eusc-", "amazonaws.eu", "api.amazonwebservices.eu", false},
    {"aws-cn", "cn-", "amazonaws.com.cn", "api.amazonwebservices.com.cn", false},
    {"aws", "", "amazonaws.com", "api.aws", false},
}};

}  // namespace

const Partition& partition_of(std::string_view region) {
  for (const Partition& partition : table) {
    if (region.starts_with(partition.region_prefix)) return partition;
  }
  return table.back();
}

}  // namespace ferryman::aws
