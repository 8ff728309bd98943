// SPDX-License-Identifier: Apache-2.0
#include "app/stray_variables.h"

#include <gtest/gtest.h>

namespace ferryman::app {
namespace {

std::vector<StrayVariable> strays_in(std::map<std::string, std::string, std::less<>> variables) {
  return stray_variables(serve_table(), Environment(std::move(variables)));
}

TEST(StrayVariables, AMistypedNameComesWithTheOneThatWasMeant) {
  const auto strays = strays_in({{"FERRYMAN_QUEU_URL", "x"}, {"FERRYMAN_SOMETHING_ELSE_AT_ALL", "x"}});
  ASSERT_EQ(strays.size(), 2U);
  EXPECT_EQ(strays[0].name, "FERRYMAN_QUEU_URL");
  EXPECT_EQ(strays[0].meant, "FERRYMAN_QUEUE_URL");
  EXPECT_EQ(strays[1].meant, "");
}

TEST(StrayVariables, SettingsAndOthersVariablesAreNone) {
  EXPECT_TRUE(strays_in({{"FERRYMAN_QUEUE_URL", "x"}, {"FERRYMAN_SANDBOX_CONTROL", "x"}, {"QUEUE_URL", "x"}})
                  .empty());
}

// Of the Services "ferryman" and "ferryman-metrics".
TEST(StrayVariables, WhatKubernetesMakesOfServicesIsNone) {
  EXPECT_TRUE(strays_in({{"FERRYMAN_PORT", "tcp://10.0.0.1:8080"},
                         {"FERRYMAN_PORT_8080_TCP_ADDR", "10.0.0.1"},
                         {"FERRYMAN_SERVICE_HOST", "10.0.0.1"},
                         {"FERRYMAN_SERVICE_PORT_HTTP", "8080"},
                         {"FERRYMAN_METRICS_SERVICE_PORT", "8080"},
                         {"FERRYMAN_METRICS_PORT", "tcp://10.0.0.1:8080"}})
                  .empty());
}

}  // namespace
}  // namespace ferryman::app
