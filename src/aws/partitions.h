// SPDX-License-Identifier: Apache-2.0
// Partition: a part of AWS with names of its own (aws, aws-cn, aws-us-gov, the isolated ones). The table is
// written by tools/make_partitions; there is no list of regions.
#pragma once

#include <string_view>

namespace ferryman::aws {

struct Partition {
  std::string_view id;             // "aws-cn"
  std::string_view region_prefix;  // "cn-"; empty for "aws"
  std::string_view suffix;         // of host names: "amazonaws.com.cn"
  std::string_view dual_stack_suffix;
  bool fips_is_plain;  // FIPS endpoints have the ordinary name, unless dual-stack is asked for too
};

/// By the region's prefix. A region that no other partition claims, known or not, belongs to "aws".
const Partition& partition_of(std::string_view region);

}  // namespace ferryman::aws
