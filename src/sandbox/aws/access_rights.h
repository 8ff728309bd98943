// SPDX-License-Identifier: Apache-2.0
// AccessRights: which actions may be called, as IAM policies name them ("sqs:ReceiveMessage",
// "autoscaling:Describe*"). Resources and conditions are not looked at.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sandbox/aws/aws_call.h"

namespace ferryman::sandbox {

class AccessRights {
 public:
  AccessRights() = default;  // everything

  /// Separated by commas or blanks; an empty text: everything. Error: invalid, naming what is no action.
  static Result<AccessRights> of_list(std::string_view text);

  /// Exactly these; none: nothing at all.
  static Result<AccessRights> of_actions(const boost::json::array& actions);

  /// The actions of an IAM policy's Allow statements. Error: invalid, when it is none or denies something.
  static Result<AccessRights> of_policy(const boost::json::value& policy);

  /// Null stands for everything.
  [[nodiscard]] const std::optional<std::vector<std::string>>& actions() const { return actions_; }
  [[nodiscard]] bool allow(std::string_view action) const;

 private:
  Result<void> add(std::string_view action);
  Result<void> add_all(const boost::json::array& actions);

  std::optional<std::vector<std::string>> actions_;
};

/// "elasticloadbalancing:DescribeTargetHealth".
std::string action_of(const AwsCall& call);

/// Each service's own refusal of a caller who lacks the right. `resource` is an ARN, or empty when the
/// service names none.
Error lacking_right(const AwsCall& call, const std::string& resource);

}  // namespace ferryman::sandbox
