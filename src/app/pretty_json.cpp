// SPDX-License-Identifier: Apache-2.0
#include "app/pretty_json.h"

#include <fmt/format.h>

#include <boost/json/serialize.hpp>

#include "base/plain_json.h"

namespace ferryman::app {

namespace {

void print(std::string& out, const json::value& value, int depth) {
  const std::string indent(static_cast<std::size_t>(depth) * 2, ' ');
  const json::object* object = value.if_object();
  if (object == nullptr || object->empty()) {
    out += plain_json(value);
    return;
  }
  out += "{\n";
  bool first = true;
  for (const auto& [key, member] : *object) {
    out += fmt::format("{}{}  {}: ", first ? "" : ",\n", indent, json::serialize(json::value(key)));
    print(out, member, depth + 1);
    first = false;
  }
  out += fmt::format("\n{}}}", indent);
}

}  // namespace

std::string pretty_json(const json::value& value) {
  std::string out;
  print(out, value, 0);
  return out + "\n";
}

}  // namespace ferryman::app
