// SPDX-License-Identifier: Apache-2.0
// SQS's query protocol (2012-11-05), which clients spoke until late 2023: forms in, XML out. Both are
// translated from and to the JSON protocol's documents, so that SqsService knows one form only.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "sandbox/aws/aws_call.h"

namespace ferryman::sandbox::sqs {

/// The form's parameters as a JSON request. The queue's URL may be the request's own instead of a parameter.
boost::json::object read_form(const AwsCall& call);

/// False for the operations that answer nothing. An empty receive has a result all the same: botocore fails
/// without it.
bool has_result(std::string_view operation);

/// The members of the operation's JSON answer as elements of `result`.
void write_answer(pugi::xml_node result, const std::string& operation, const boost::json::value& answer);

}  // namespace ferryman::sandbox::sqs
