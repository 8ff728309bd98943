// SPDX-License-Identifier: Apache-2.0
// The forms of EC2's query protocol: filters, pages, elements of the answers. Errors carry EC2's code.
#pragma once

#include <functional>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "base/result.h"
#include "sandbox/aws/aws_call.h"
#include "sandbox/aws/instance_plans.h"
#include "sandbox/aws/paging.h"

namespace ferryman::sandbox {

class Filter {
 public:
  std::string name;
  std::vector<std::string> values;
};

/// What something has under a filter's name; empty when there is no filter of that name.
using FilterValues = std::optional<std::vector<std::string>>;

Result<std::vector<Filter>> read_filters(const AwsCall& call,
                                         const std::function<bool(const std::string& name)>& known);

/// True when each filter has a value among those that `values_of` gives for its name.
bool passes(const std::vector<Filter>& filters,
            const std::function<FilterValues(const std::string& name)>& values_of);

/// MaxResults and NextToken.
Result<PageRequest> read_page(const AwsCall& call);

/// DescribeInstanceStatus has filters of its own, and none for ids.
FilterValues status_values_of(const Ec2Instance& instance, const std::string& name,
                              const InstancePlans& plans);

void write_state(pugi::xml_node node, InstanceState state);
void write_instance_status(pugi::xml_node item, const Ec2Instance& instance,
                           const std::vector<PlannedEvent>& events);

}  // namespace ferryman::sandbox
