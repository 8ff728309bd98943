// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "app/commands.h"
#include "app/settings_print.h"

namespace ferryman::app {

int run_settings(const Invocation& invocation, const ResolvedSettings& resolved) {
  const std::string& format = resolved.text("format");
  if (format == "schema") {
    invocation.out << settings_schema();
  } else if (format == "helm") {
    invocation.out << settings_chart_values();
  } else {
    invocation.out << settings_markdown();
  }
  return exit_done;
}

}  // namespace ferryman::app
