// SPDX-License-Identifier: Apache-2.0
// SQS's batches: up to ten entries in one call, each with an id and an outcome of its own.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ferryman::sandbox::sqs {

/// The call's entries, when their ids and number are good; `entry_name` is for the error's text.
Result<boost::json::array> read_entries(const boost::json::value& body, std::string_view entry_name);

class BatchAnswer {
 public:
  BatchAnswer() = default;

  /// `result` gets the entry's id.
  void succeed(const boost::json::value& entry, boost::json::object result = {});
  void fail(const boost::json::value& entry, const Error& error);
  /// Lists that would be empty are left out.
  [[nodiscard]] boost::json::value value() const;

 private:
  boost::json::array successful_;
  boost::json::array failed_;
};

}  // namespace ferryman::sandbox::sqs
