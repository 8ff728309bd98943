// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ostream>

#include <boost/json/serialize.hpp>
#include "app/build_info.h"
#include "app/commands.h"
#include "base/json.h"

namespace ferryman::app {

int run_version(const Invocation& invocation, const ResolvedSettings& resolved) {
  const BuildInfo info = build_info();
  if (resolved.text("output") == "json") {
    json::object libraries;
    for (const auto& [name, version] : info.libraries) libraries[name] = version;
    invocation.out << json::serialize(json::object{{"version", info.version},
                                                   {"compiler", info.compiler},
                                                   {"libraries", std::move(libraries)}})
                   << '\n';
    return exit_done;
  }
  invocation.out << fmt::format("ferryman {}\ncompiler {}\n", info.version, info.compiler);
  for (const auto& [name, version] : info.libraries) invocation.out << fmt::format("{} {}\n", name, version);
  return exit_done;
}

}  // namespace ferryman::app
