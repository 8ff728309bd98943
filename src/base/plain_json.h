// SPDX-License-Identifier: Apache-2.0
// JSON for people's eyes and tools: numbers as they are written by hand (0.051, 12000.0), where Boost writes
// 5.1E-2 and 1.2E4. One line, without its end.
#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace ferryman {

std::string plain_json(const boost::json::value& value);

}  // namespace ferryman
